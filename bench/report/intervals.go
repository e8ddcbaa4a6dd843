package report

import (
	"fmt"
	"math"
	"slices"

	"artifice/bench"
	"artifice/internal/chart"
	"artifice/internal/words"
)

// overview shows accuracy, coverage and cost of sampling by interval.
func overview(r *bench.Result) (Figure, bool) {
	i := slices.IndexFunc(r.Rows, func(row bench.Row) bool { return row.Mode == bench.ARTSampling.Name })
	var s rowSeries
	if i >= 0 {
		for _, o := range seriesOf(r, bench.Slowdown) {
			if o.mode == r.Rows[i].Mode && o.device == r.Rows[i].Device {
				s = o
			}
		}
	}
	return Figure{
		Name:  "overview",
		Title: "Accuracy, coverage and cost of sampling",
		Caption: "ART's sampling on device " + s.device + ". Longer intervals cost less and miss more: calls first, then methods and CPU time. " +
			"Error bars: 95 % confidence interval.",
		draw: func() *chart.Chart { return drawOverview(r, s) },
	}, len(s.rows) > 1
}

func drawOverview(r *bench.Result, s rowSeries) *chart.Chart {
	c := &chart.Chart{X: intervalAxis(r), Y: chart.Axis{Title: "share", Format: chart.Percent}}
	lines := []struct {
		name    string
		measure bench.Measure
		less    float64 // subtracted from the measure
	}{
		{"CPU time correctly attributed", bench.OverlapRunning, 0}, {"methods seen", bench.MethodRecall, 0},
		{"calls seen", bench.CallRecall, 0}, {"slowdown − 1", bench.Slowdown, 1},
	}
	c.Y.High = 1
	for i, l := range lines {
		ink := []int{0, 2, 3, 1}[i]
		var points []chart.Point
		for _, row := range s.rows {
			points = append(points, chart.At(inMS(row.Interval), row.Mean[l.measure]-l.less))
		}
		c.Add(chart.Item{Kind: chart.Curve, Points: points, Ink: ink})
		for k, row := range s.rows {
			row.Mean[l.measure] -= l.less
			row.Low[l.measure] -= l.less
			row.High[l.measure] -= l.less
			x := points[k].X
			c.Add(chart.Item{Kind: chart.Bar, Points: []chart.Point{chart.At(x, row.Low[l.measure]), chart.At(x, row.High[l.measure])}, Ink: ink})
			c.Add(chart.Item{Kind: chart.Mark, Points: points[k : k+1], Ink: ink, Shape: i, Text: fmt.Sprintf("%s at %s: %s", l.name, words.Duration(row.Interval), withInterval(row, l.measure))})
			c.Y.High = max(c.Y.High, row.High[l.measure])
		}
		c.Legend(chart.Item{Kind: chart.Curve, Ink: ink, Shape: i, Text: l.name})
	}
	return c
}

// accuracy shows the share of self time correctly attributed, by interval.
func accuracy(r *bench.Result) (Figure, bool) {
	return Figure{
		Name:  "accuracy",
		Title: "Accuracy by interval",
		Caption: "Share of CPU time" + clockNote(r) + " correctly attributed. Error bars: 95 % confidence interval. All: every call is recorded. " +
			"Dashed: expectation of the same number of random samples without overhead. A real sampler can exceed it: it samples all threads at evenly spaced ticks, so its samples are spread more evenly over time than random ones." + cpuLag(r) + omitted(r),
		draw: func() *chart.Chart {
			return byInterval(r, bench.OverlapRunning, "CPU time correctly attributed", "equal number of random samples, no overhead", func(row bench.Row) float64 { return row.Mean[bench.FloorRunning] })
		},
	}, len(swept(r)) > 1
}

// cpuLag is the note in a caption about CPU time that explains why samples can be worse than random
// ones.
func cpuLag(r *bench.Result) string {
	if !r.Truth.Running.ByCPU {
		return ""
	}
	return " It can also be worse: CPU time used between two samples counts for the stack of the first, which may have been waiting."
}

// calls shows reported calls by interval.
func calls(r *bench.Result) (Figure, bool) {
	return Figure{
		Name:    "calls",
		Title:   "Reported calls by interval",
		Caption: "Calls in the trace per true call; calls between two samples merge into one. Error bars: 95 % confidence interval. Dashed: closed form, computed from the true times of calls. Modes that record every call are omitted.",
		draw: func() *chart.Chart {
			return byInterval(r, bench.CallRatio, "reported per true call", "closed form", func(row bench.Row) float64 { return row.Law[bench.CallRatio] })
		},
	}, len(swept(r)) > 1
}

// byInterval draws a measure by interval, with its closed form or expectation.
func byInterval(r *bench.Result, m bench.Measure, title, theoryName string, theory func(bench.Row) float64) *chart.Chart {
	c := &chart.Chart{X: intervalAxis(r), Y: chart.Axis{Title: title, Format: chart.Percent}}
	list := seriesOf(r, m)
	if m == bench.OverlapRunning {
		list = byOneClock(r, list)
	}
	if m == bench.CallRatio { // a tracer that records every call reports every call
		list = slices.DeleteFunc(list, func(s rowSeries) bool { return s.rows[0].Interval == 0 })
	}
	all := c.X.Ticks[0].Value / 2 // position of modes that record every call
	if slices.ContainsFunc(list, func(s rowSeries) bool { return s.rows[0].Interval == 0 }) {
		c.X.Ticks = append([]chart.Tick{{Value: all, Label: "all"}}, c.X.Ticks...)
	}
	k := keyOf(r)
	low, high, anyTheory := math.Inf(1), math.Inf(-1), false
	for _, s := range list {
		var points, law []chart.Point
		for _, row := range s.rows {
			x := inMS(row.Interval)
			if row.Interval == 0 {
				x = all
			}
			points = append(points, chart.At(x, row.Mean[m]))
			low, high = min(low, row.Low[m]), max(high, row.High[m])
			if v := theory(row); !math.IsNaN(v) && row.Interval > 0 {
				law = append(law, chart.At(x, v))
				low, high = min(low, v), max(high, v)
			}
		}
		if len(law) > 1 {
			c.Add(chart.Item{Kind: chart.Curve, Points: law, Ink: k.ink(s.mode), Dashed: true})
			anyTheory = true
		}
		if len(points) > 1 {
			c.Add(chart.Item{Kind: chart.Curve, Points: points, Ink: k.ink(s.mode)})
		}
		s.measured(c, m, points, k)
	}
	k.legend(c, list)
	if anyTheory {
		c.Legend(chart.Item{Kind: chart.Curve, Ink: chart.TextInk, Shape: chart.NoShape, Dashed: true, Text: theoryName})
	}
	c.Y.Low, c.Y.High = max(0, min(low, 0.9*high)), high
	return c
}

// measured draws the rows of a series at their points, with error bars.
func (s rowSeries) measured(c *chart.Chart, m bench.Measure, points []chart.Point, k key) {
	for i, row := range s.rows {
		x := points[i].X
		c.Add(chart.Item{Kind: chart.Bar, Points: []chart.Point{chart.At(x, row.Low[m]), chart.At(x, row.High[m])}, Ink: k.ink(s.mode)})
		text := fmt.Sprintf("%s: %s, slowdown %.3f", nameOf(row), withInterval(row, m), row.Mean[bench.Slowdown])
		c.Add(chart.Item{Kind: chart.Mark, Points: points[i : i+1], Ink: k.ink(s.mode), Shape: k.shape(s), Text: text})
	}
}
