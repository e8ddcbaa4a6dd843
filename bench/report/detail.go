package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"artifice/bench"
	"artifice/bench/internal/law"
	"artifice/internal/chart"
	"artifice/internal/words"
)

// ladder shows the effect of each source of error.
func ladder(r *bench.Result) (Figure, bool) {
	steps := r.LadderSteps(bench.OverlapRunning)
	f := Figure{
		Name:  "ladder",
		Title: "Error ladder",
		Caption: "Effect of each source of error, added to those above it: change of the share of CPU time correctly attributed (left of 0: worse). CPU time is approximated by the wall time of methods that do not wait, because most of these readers have no CPU time. " +
			"The last three read the trace of “+ overflow” in other ways and are compared with it. Error bars: 95 % confidence interval of the paired change. Last device of the sweep.",
		draw: func() *chart.Chart { return drawLadder(steps) },
	}
	return f, len(steps) > 0
}

func drawLadder(steps []bench.Step) *chart.Chart {
	device := steps[len(steps)-1].Device
	c := &chart.Chart{X: chart.Axis{Title: "change, percentage points", Format: chart.Plain}, Y: chart.Axis{Title: "source of error"}}
	var labels []chart.Item
	for _, s := range steps {
		if s.Device != device {
			continue
		}
		y := -float64(len(c.Y.Ticks))
		c.Y.Ticks = append(c.Y.Ticks, chart.Tick{Value: y, Label: s.Mode})
		at := []chart.Point{chart.At(100*s.Change.Mean, y)}
		if s.First {
			text := fmt.Sprintf("baseline: %.1f %%", 100*s.Value)
			c.Add(chart.Item{Kind: chart.Mark, Points: at, Ink: chart.TextInk, Shape: 4, Text: s.Description + ": " + text})
			labels = append(labels, chart.Item{Kind: chart.Label, Points: at, Ink: chart.TextInk, Text: text})
			continue
		}
		text := change(s.Change.Mean)
		tip := fmt.Sprintf("%s: %s (%s to %s) points, to %.1f %%", s.Description, text, change(s.Change.Low), change(s.Change.High), 100*s.Value)
		c.Add(chart.Item{Kind: chart.Bar, Points: []chart.Point{chart.At(100*s.Change.Low, y), chart.At(100*s.Change.High, y)}})
		c.Add(chart.Item{Kind: chart.Mark, Points: at, Text: tip})
		labels = append(labels, chart.Item{Kind: chart.Label, Points: at, Ink: chart.TextInk, Text: text})
	}
	c.Add(chart.Item{Kind: chart.Curve, Points: []chart.Point{chart.At(0, 0.3), chart.At(0, -float64(len(c.Y.Ticks))+0.7)}, Ink: chart.TextInk, Dashed: true})
	c.Add(labels...)
	return c
}

// change formats a difference of shares in percentage points.
func change(v float64) string {
	return strings.Replace(words.Signed(100*v), "-", "−", 1)
}

// shown returns the rows with drawn shares: ART's sampling on the last device at the interval
// nearest to 1 ms, and instrumentation on that device.
func shown(r *bench.Result) (rows []bench.Row) {
	var device string
	var sampled *bench.Row
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Mode != bench.ARTSampling.Name {
			continue
		}
		if row.Device != device {
			device, sampled = row.Device, nil
		}
		if sampled == nil || away(row) < away(sampled) {
			sampled = row
		}
	}
	if sampled != nil {
		rows = append(rows, *sampled)
	}
	for _, row := range r.Rows {
		if (row.Mode == bench.InstrumentedDual.Name || row.Mode == bench.InstrumentedWall.Name) && (device == "" || row.Device == device) {
			rows = append(rows, row)
		}
	}
	return rows
}

// away returns the factor between the row's interval and 1 ms, at least 1.
func away(row *bench.Row) float64 {
	x := inMS(row.Interval)
	return max(x, 1/x)
}

// shares shows reported against true share of each method.
func shares(r *bench.Result) (Figure, bool) {
	rows := slices.DeleteFunc(shown(r), func(row bench.Row) bool { // without CPU time there is nothing to compare
		return len(row.Shares) > 0 && math.IsNaN(row.Shares[0].Running)
	})
	var names []string
	for _, row := range rows {
		names = append(names, nameOf(row))
	}
	return Figure{
		Name:    "shares",
		Title:   "Reported against true share of each method",
		Caption: "CPU time" + clockNote(r) + " of the hottest methods, one run: " + strings.Join(names, "; ") + ". On the dashed line the reported share is correct; methods on the bottom edge were missed.",
		draw:    func() *chart.Chart { return drawShares(r, rows) },
	}, len(rows) > 0 && len(r.Methods) > 1
}

func drawShares(r *bench.Result, rows []bench.Row) *chart.Chart {
	c := &chart.Chart{X: chart.Axis{Title: "true share of CPU time", Log: true, Format: chart.Percent}, Y: chart.Axis{Title: "reported share of CPU time", Log: true, Format: chart.Percent}}
	k := keyOf(r)
	low := 1.
	for _, m := range r.Methods {
		if m.Running > 0 {
			low = min(low, m.Running/2)
		}
	}
	c.Add(chart.Item{Kind: chart.Curve, Points: []chart.Point{chart.At(low, low), chart.At(1, 1)}, Ink: chart.TextInk, Dashed: true})
	for _, row := range rows {
		colour := k.ink(row.Mode)
		for i, m := range r.Methods {
			seen := row.Shares[i].Running
			if m.Running == 0 && seen == 0 {
				continue // it only waits
			}
			text := fmt.Sprintf("%s: %.2f %%, true %.2f %% (%s)", m.Name, 100*seen, 100*m.Running, row.Mode)
			c.Add(chart.Item{Kind: chart.Mark, Points: []chart.Point{chart.At(max(low, m.Running), max(low, seen))}, Ink: colour, Shape: colour, Text: text})
		}
		c.Legend(chart.Item{Kind: chart.Mark, Ink: colour, Shape: colour, Text: row.Mode})
	}
	c.Legend(chart.Item{Kind: chart.Curve, Ink: chart.TextInk, Shape: chart.NoShape, Dashed: true, Text: "correct"})
	return c
}

// universal shows merged and missed calls of all contexts on one scale.
func universal(r *bench.Result) (Figure, bool) {
	any := false
	for _, row := range r.Rows {
		any = any || len(row.Curve) > 0 && row.Mode == bench.ARTSampling.Name
	}
	return Figure{
		Name:  "universal",
		Title: "Reported calls by interval, in units of the correlation time",
		Caption: "Each mark is a calling context with many calls, at one interval: reported per true calls, over the interval in units of the correlation time of the context (the time after which it no longer matters whether it was on the stack). " +
			"Line: (1 − e^−x)/x, exact for calls and gaps of random (exponential) length. Periodic apps deviate, strongly when they are aliased with the sampling interval.",
		draw: func() *chart.Chart { return drawUniversal(r) },
	}, any
}

func drawUniversal(r *bench.Result) *chart.Chart {
	c := &chart.Chart{X: chart.Axis{Title: "interval / correlation time", Log: true, Format: chart.Plain}, Y: chart.Axis{Title: "reported per true call", Format: chart.Percent}}
	var devices []string
	low, high, top := math.Inf(1), 0., 0.
	for _, row := range r.Rows {
		if row.Mode != bench.ARTSampling.Name || len(row.Curve) == 0 {
			continue
		}
		if n := len(devices); n == 0 || devices[n-1] != row.Device {
			devices = append(devices, row.Device)
			c.Legend(chart.Item{Kind: chart.Mark, Ink: n, Shape: n, Text: "device " + row.Device})
		}
		i := len(devices) - 1
		for _, at := range row.Curve {
			text := fmt.Sprintf("%s: %s of the calls reported, at %s correlation times", nameOf(row), chart.Percent(at.Y), chart.Plain(at.X))
			c.Add(chart.Item{Kind: chart.Mark, Points: []chart.Point{chart.At(at.X, at.Y)}, Ink: i, Shape: i, Text: text})
			low, high, top = min(low, at.X), max(high, at.X), max(top, at.Y)
		}
	}
	var line []chart.Point
	for i := range 101 {
		x := low * math.Pow(high/low, float64(i)/100)
		line = append(line, chart.At(x, law.Universal(x)))
		top = max(top, law.Universal(x))
	}
	c.Add(chart.Item{Kind: chart.Curve, Points: line, Ink: chart.TextInk})
	c.Legend(chart.Item{Kind: chart.Curve, Ink: chart.TextInk, Shape: chart.NoShape, Text: "(1 − e^−x)/x"})
	c.Y.High = top
	return c
}
