package plan

import (
	"fmt"

	"artifice/internal/chart"
)

// chartTraces is up to how many traces a side the chart goes.
const chartTraces = 30

// Chart draws, for each row within the budget, how likely the change is found by the number of traces a side.
func (p *Plan) Chart() *chart.Chart {
	plain := func(v float64) string { return fmt.Sprint(v) }
	c := &chart.Chart{
		X: chart.Axis{Title: "traces of each build", Low: 2, High: chartTraces, Format: plain},
		Y: chart.Axis{Title: fmt.Sprintf("chance to find +%.3g %%", 100*p.Change), Low: 0, High: 1, Format: chart.Percent},
	}
	ink := 0
	for _, row := range p.Within() {
		var points []chart.Point
		for n := 2; n <= chartTraces; n++ {
			points = append(points, chart.At(float64(n), row.Power(p.Change, n)))
		}
		c.Add(chart.Item{Kind: chart.Curve, Points: points, Ink: ink})
		c.Legend(chart.Item{Kind: chart.Curve, Ink: ink, Shape: chart.NoShape, Text: row.Name()})
		ink++
	}
	c.Add(chart.Item{Kind: chart.Curve, Points: []chart.Point{chart.At(2, Found), chart.At(chartTraces, Found)}, Ink: chart.TextInk, Dashed: true})
	return c
}

// Name says what the row is of: an interval, or every call.
func (r *Row) Name() string {
	if r.Interval == 0 {
		return "every call"
	}
	return r.Interval.String()
}

// rows returns all rows, that of every call first.
func (p *Plan) rows() (all []*Row) {
	if p.EveryCall != nil {
		all = append(all, p.EveryCall)
	}
	for i := range p.Rows {
		all = append(all, &p.Rows[i])
	}
	return all
}

// Within returns the rows within the budget, that of every call first.
func (p *Plan) Within() (all []*Row) {
	for _, row := range p.rows() {
		if row.Fits {
			all = append(all, row)
		}
	}
	return all
}

// Smallest returns the smallest change that MostTraces traces a side find, and by which row within the budget; nil: none.
func (p *Plan) Smallest() (change float64, by *Row) {
	for _, row := range p.Within() {
		if c := row.model.smallest(MostTraces); c == c && (by == nil || c < change) {
			change, by = c, row
		}
	}
	return change, by
}
