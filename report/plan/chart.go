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
	for ink, row := range p.Within() {
		var points []chart.Point
		for n := 2; n <= chartTraces; n++ {
			points = append(points, chart.At(float64(n), row.Power(p.Change, n)))
		}
		c.Add(chart.Item{Kind: chart.Curve, Points: points, Ink: ink})
		c.Legend(chart.Item{Kind: chart.Curve, Ink: ink, Shape: chart.NoShape, Text: row.Name()})
	}
	c.Add(chart.Item{Kind: chart.Curve, Points: []chart.Point{chart.At(2, Found), chart.At(chartTraces, Found)}, Ink: chart.TextInk, Dashed: true})
	return c
}
