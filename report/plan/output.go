package plan

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"artifice/internal/chart"
	"artifice/internal/words"
	"artifice/tracer"
)

// Record returns the command that records such a trace.
func (r *Row) Record() string {
	if r.Interval == 0 {
		return tracer.HowInstrumented(0)
	}
	return tracer.HowSampled(r.Interval)
}

// planJSON is a plan in JSON. Changes and standard deviations are shares of the self time, from 0;
// a number of traces of 0 is more than [MaxTraces].
type planJSON struct {
	Method   string    `json:"method"`
	Traces   int       `json:"traces_read"`
	LengthNS int64     `json:"length_ns"`
	SelfNS   int64     `json:"self_ns"`
	Change   float64   `json:"change"`
	Bursts   float64   `json:"burst_sd"`
	Runs     float64   `json:"between_run_sd"`
	Measured bool      `json:"between_run_sd_measured"`
	Added    *float64  `json:"every_call_overhead,omitempty"`
	Rows     []rowJSON `json:"rows"`
	Advised  *rowJSON  `json:"advised,omitempty"`
	Record   string    `json:"record,omitempty"`
	Warnings []string  `json:"warnings,omitempty"`
}

type rowJSON struct {
	IntervalNS int64               `json:"interval_ns"` // 0: every call
	Slowdown   float64             `json:"slowdown"`
	Range      []float64           `json:"slowdown_range,omitempty"`
	Fits       bool                `json:"within_budget"`
	Sampling   float64             `json:"sampling_sd"`
	AtMost     bool                `json:"sampling_sd_is_upper_bound,omitempty"`
	Needed     int                 `json:"traces"`
	Low        int                 `json:"traces_low"`
	High       int                 `json:"traces_high"`
	Detectable map[string]*float64 `json:"minimum_detectable_change"` // by number of traces; null: none
}

func rowOf(r *Row) rowJSON {
	j := rowJSON{IntervalNS: int64(r.Interval), Slowdown: r.Cost.Slowdown, Fits: r.Fits, Sampling: r.Sampling, AtMost: r.AtMost, Needed: r.Needed.Traces, Low: r.Needed.Low, High: r.Needed.High, Detectable: map[string]*float64{}}
	if r.Cost.Ranged() {
		j.Range = []float64{r.Cost.Low, r.Cost.High}
	}
	for _, d := range r.Detectable {
		j.Detectable[fmt.Sprint(d.Traces)] = nil
		if !math.IsNaN(d.Change) {
			j.Detectable[fmt.Sprint(d.Traces)] = &d.Change
		}
	}
	return j
}

// WriteJSON writes the plan as JSON, as artifice plan --json prints it. warnings are the
// assumptions of the plan.
func (p *Plan) WriteJSON(w io.Writer, warnings []string) error {
	j := planJSON{Method: p.Method, Traces: p.Traces, LengthNS: int64(p.Length), SelfNS: int64(p.Time), Change: p.Change, Bursts: p.Bursts, Runs: p.Runs, Measured: p.Measured, Warnings: warnings}
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

// chartTraces is the largest number of traces a side in a chart without a recommendation, and
// chartPoints the largest number of points of its curves.
const (
	chartTraces = 30
	chartPoints = 60
)

// Chart returns a chart of the power by the number of traces a side, with a curve for each row
// within the budget, and the recommendation as a mark. It extends to twice the recommended number.
func (p *Plan) Chart() *chart.Chart {
	plain := func(v float64) string { return fmt.Sprint(v) }
	last := chartTraces
	if p.Best != nil {
		last = max(10, 2*p.Best.Needed.Traces)
	}
	c := &chart.Chart{
		Heading: []string{fmt.Sprintf("%s: power to detect +%.3g %%", p.Method, 100*p.Change), p.advice()},
		Notes:   []string{fmt.Sprintf("Method: the test of artifice diff --method (p ≤ 0.05); dashed: %.0f %% power.", 100*Power)},
		X:       chart.Axis{Title: "traces of each build", Low: 2, High: float64(last), Format: plain},
		Y:       chart.Axis{Title: fmt.Sprintf("power to detect +%.3g %%", 100*p.Change), Low: 0, High: 1, Format: chart.Percent},
	}
	for ink, row := range p.Within() {
		var points []chart.Point
		for n := 2; n < last; n += 1 + (last-2)/chartPoints {
			points = append(points, chart.At(float64(n), row.Power(p.Change, n)))
		}
		points = append(points, chart.At(float64(last), row.Power(p.Change, last)))
		c.Add(chart.Item{Kind: chart.Curve, Points: points, Ink: ink})
		c.Legend(chart.Item{Kind: chart.Curve, Ink: ink, Shape: chart.NoShape, Text: row.Name()})
	}
	c.Add(chart.Item{Kind: chart.Curve, Points: []chart.Point{chart.At(2, Power), chart.At(float64(last), Power)}, Ink: chart.TextInk, Dashed: true})
	for ink, row := range p.Within() {
		if row == p.Best {
			n := row.Needed.Traces
			at := []chart.Point{chart.At(float64(n), row.Power(p.Change, n))}
			c.Add(chart.Item{Kind: chart.Mark, Points: at, Ink: ink, Text: p.advice()}, chart.Item{Kind: chart.Label, Points: at, Ink: chart.TextInk, Text: fmt.Sprintf("%s, %s", words.Count(n, "trace"), row.Name())})
		}
	}
	return c
}

// advice returns the recommendation of the chart, in one sentence.
func (p *Plan) advice() string {
	if p.Best == nil {
		return "No number of traces and no tracer within the budget reaches this power: record for longer."
	}
	how := "every call recorded"
	if p.Best.Interval > 0 {
		how = "sampled every " + p.Best.Name()
	}
	return fmt.Sprintf("Recommended: %s of each build, %s.", words.Count(p.Best.Needed.Traces, "trace"), how)
}
