package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"artifice/bench"
	"artifice/bench/law"
	"artifice/internal/words"
)

// ladder shows what each source of error changes.
func ladder(r *bench.Result) (Figure, bool) {
	steps := r.LadderSteps(bench.OverlapRunning)
	f := Figure{
		Name:  "ladder",
		Title: "Error ladder",
		Caption: "What each source of error, added to those above it, changes in the share of running time that is attributed to the right method; left of 0 is worse. Running time is here the wall time of methods that do not wait, as most of these readers know no CPU time. " +
			"The last three are other ways to read the trace of “+ overflow”, compared with it. Error bars: 95 % confidence interval of the change, pair by pair. On the sweep's last device.",
		draw: func() *chart { return drawLadder(steps) },
	}
	return f, len(steps) > 0
}

func drawLadder(steps []bench.Step) *chart {
	device := steps[len(steps)-1].Device
	c := &chart{x: axis{title: "change, percentage points", format: plain}, y: axis{title: "source of error"}}
	var labels []item
	for _, s := range steps {
		if s.Device != device {
			continue
		}
		y := -float64(len(c.y.ticks))
		c.y.ticks = append(c.y.ticks, tick{y, s.Mode})
		at := []point{{100 * s.Change.Mean, y}}
		if s.First {
			text := fmt.Sprintf("without them: %.1f %%", 100*s.Value)
			c.add(item{kind: mark, points: at, ink: textInk, shape: 4, text: s.Description + ": " + text})
			labels = append(labels, item{kind: label, points: at, ink: textInk, text: text})
			continue
		}
		text := change(s.Change.Mean)
		tip := fmt.Sprintf("%s: %s (%s to %s) points, to %.1f %%", s.Description, text, change(s.Change.Low), change(s.Change.High), 100*s.Value)
		c.add(item{kind: bar, points: []point{{100 * s.Change.Low, y}, {100 * s.Change.High, y}}})
		c.add(item{kind: mark, points: at, text: tip})
		labels = append(labels, item{kind: label, points: at, ink: textInk, text: text})
	}
	c.add(item{kind: curve, points: []point{{0, 0.3}, {0, -float64(len(c.y.ticks)) + 0.7}}, ink: textInk, dashed: true})
	c.items = append(c.items, labels...)
	return c
}

// change writes a difference of shares in percentage points.
func change(v float64) string {
	return strings.Replace(words.Signed(100*v), "-", "−", 1)
}

// shown are the rows whose reported shares are drawn: those of ART's sampling on
// the last device at the interval nearest to 1 ms, and of instrumenting there.
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

// away is how far the row's interval is from 1 ms, as a factor.
func away(row *bench.Row) float64 {
	x := inMS(row.Interval)
	return max(x, 1/x)
}

// shares shows each method's reported share against its true one.
func shares(r *bench.Result) (Figure, bool) {
	rows := slices.DeleteFunc(shown(r), func(row bench.Row) bool { // without CPU time nothing compares
		return len(row.Shares) > 0 && math.IsNaN(row.Shares[0].Running)
	})
	var names []string
	for _, row := range rows {
		names = append(names, nameOf(row))
	}
	return Figure{
		Name:    "shares",
		Title:   "Reported against true share of each method",
		Caption: "Running time (" + r.Truth.Running.String() + ") of the hottest methods, one run: " + strings.Join(names, "; ") + ". On the dashed line a method is reported right; methods that were missed lie on the bottom edge.",
		draw:    func() *chart { return drawShares(r, rows) },
	}, len(rows) > 0 && len(r.Methods) > 1
}

func drawShares(r *bench.Result, rows []bench.Row) *chart {
	c := &chart{x: axis{title: "true share of running time", log: true, format: percent}, y: axis{title: "reported share of running time", log: true, format: percent}}
	k := keyOf(r)
	low := 1.
	for _, m := range r.Methods {
		if m.Running > 0 {
			low = min(low, m.Running/2)
		}
	}
	c.add(item{kind: curve, points: []point{{low, low}, {1, 1}}, ink: textInk, dashed: true})
	for _, row := range rows {
		colour := k.ink(row.Mode)
		for i, m := range r.Methods {
			seen := row.Shares[i].Running
			if m.Running == 0 && seen == 0 {
				continue // it only waits
			}
			text := fmt.Sprintf("%s: %.2f %%, truly %.2f %% (%s)", m.Name, 100*seen, 100*m.Running, row.Mode)
			c.add(item{kind: mark, points: []point{{max(low, m.Running), max(low, seen)}}, ink: colour, shape: colour, text: text})
		}
		c.legend(item{kind: mark, ink: colour, shape: colour, text: row.Mode})
	}
	c.legend(item{kind: curve, ink: textInk, shape: noShape, dashed: true, text: "reported as it is"})
	return c
}

// universal shows how calls merge and are missed, on one scale for all.
func universal(r *bench.Result) (Figure, bool) {
	any := false
	for _, row := range r.Rows {
		any = any || len(row.Curve) > 0 && row.Mode == bench.ARTSampling.Name
	}
	return Figure{
		Name:  "universal",
		Title: "Reported calls on the universal curve",
		Caption: "Each mark is one of the contexts with the most calls, at one interval: reported per true calls, over the interval in units of the time over which the context forgets whether it is on the stack. " +
			"Line: (1 − e^−x)/x, exact for calls and pauses of random (exponential) length. Regular apps lie off it, at resonance far off.",
		draw: func() *chart { return drawUniversal(r) },
	}, any
}

func drawUniversal(r *bench.Result) *chart {
	c := &chart{x: axis{title: "interval / correlation time", log: true, format: plain}, y: axis{title: "reported per true call", format: percent}}
	var devices []string
	low, high, top := math.Inf(1), 0., 0.
	for _, row := range r.Rows {
		if row.Mode != bench.ARTSampling.Name || len(row.Curve) == 0 {
			continue
		}
		if n := len(devices); n == 0 || devices[n-1] != row.Device {
			devices = append(devices, row.Device)
			c.legend(item{kind: mark, ink: n, shape: n, text: "device " + row.Device})
		}
		i := len(devices) - 1
		for _, at := range row.Curve {
			text := fmt.Sprintf("%s: %s of the calls reported, at %s correlation times", nameOf(row), percent(at.Y), plain(at.X))
			c.add(item{kind: mark, points: []point{{at.X, at.Y}}, ink: i, shape: i, text: text})
			low, high, top = min(low, at.X), max(high, at.X), max(top, at.Y)
		}
	}
	var line []point
	for i := range 101 {
		x := low * math.Pow(high/low, float64(i)/100)
		line = append(line, point{x, law.Universal(x)})
		top = max(top, law.Universal(x))
	}
	c.add(item{kind: curve, points: line, ink: textInk})
	c.legend(item{kind: curve, ink: textInk, shape: noShape, text: "(1 − e^−x)/x"})
	c.y.high = top
	return c
}
