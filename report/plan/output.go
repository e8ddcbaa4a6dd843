package plan

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"artifice/internal/chart"
	"artifice/tracer"
)

// Record says how people record so: what to press in Android Studio, or the adb line.
func (r *Row) Record() string {
	if r.Interval == 0 {
		return tracer.HowInstrumented(0)
	}
	return tracer.HowSampled(r.Interval)
}

// planJSON is a plan for programs. Shares are not in percent; a number of traces of 0 is more than 1000.
type planJSON struct {
	Method   string    `json:"method"`
	Traces   int       `json:"traces_read"`
	LengthNS int64     `json:"length_ns"`
	TimeNS   int64     `json:"time_ns"`
	Change   float64   `json:"change"`
	Bursts   float64   `json:"bursts"`
	Runs     float64   `json:"runs"`
	Measured bool      `json:"runs_measured"`
	Added    *float64  `json:"every_call_added,omitempty"`
	Rows     []rowJSON `json:"rows"`
	Advised  *rowJSON  `json:"advised,omitempty"`
	Record   string    `json:"record,omitempty"`
	Warnings []string  `json:"warnings,omitempty"`
}

type rowJSON struct {
	IntervalNS int64               `json:"interval_ns"` // 0: every call
	Slowdown   float64             `json:"slowdown"`
	Fits       bool                `json:"within_budget"`
	Sampling   float64             `json:"sampling"`
	AtMost     bool                `json:"sampling_at_most,omitempty"`
	Needed     int                 `json:"needed"`
	Low        int                 `json:"needed_low"`
	High       int                 `json:"needed_high"`
	Seen       map[string]*float64 `json:"smallest_seen"` // by number of traces; null: none
}

func rowOf(r *Row) rowJSON {
	j := rowJSON{IntervalNS: int64(r.Interval), Slowdown: r.Slowdown, Fits: r.Fits, Sampling: r.Sampling, AtMost: r.AtMost, Needed: r.Needed.Traces, Low: r.Needed.Low, High: r.Needed.High, Seen: map[string]*float64{}}
	for i, n := range Sides {
		j.Seen[fmt.Sprint(n)] = nil
		if v := r.Seen[i]; !math.IsNaN(v) {
			j.Seen[fmt.Sprint(n)] = &v
		}
	}
	return j
}

// WriteJSON writes the plan for programs, as artifice plan --json prints it, with warnings of
// what it takes for granted.
func (p *Plan) WriteJSON(w io.Writer, warnings []string) error {
	j := planJSON{Method: p.Method, Traces: p.Traces, LengthNS: int64(p.Length), TimeNS: int64(p.Time), Change: p.Change, Bursts: p.Bursts, Runs: p.Runs, Measured: p.Measured, Warnings: warnings}
	if p.EveryCall != nil {
		j.Added = &p.Added
		j.Rows = append(j.Rows, rowOf(p.EveryCall))
	}
	for i := range p.Rows {
		j.Rows = append(j.Rows, rowOf(&p.Rows[i]))
	}
	if p.Best != nil {
		best := rowOf(p.Best)
		j.Advised, j.Record = &best, p.Best.Record()
	}
	return json.NewEncoder(w).Encode(j)
}

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
