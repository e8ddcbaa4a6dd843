package report

import (
	"fmt"
	"math"
	"testing"
	"time"

	"artifice/bench"
	"artifice/internal/chart"
)

// threeSteps returns a sweep with coordinates computed by hand. At 1, 10 and 100 ms, all measures
// are 0.9, 0.6 and 0.3, ± 0.1, and the slowdown is 1.9, 1.3 and 1.1. Closed forms are 0.05 higher.
func threeSteps() *bench.Result {
	r := &bench.Result{Phases: 1}
	for i, v := range []float64{0.9, 0.6, 0.3} {
		row := bench.Row{Mode: bench.ARTSampling.Name, Device: "A", Interval: time.Duration(math.Pow10(i)) * time.Millisecond, Cells: 2}
		for m := range row.Mean {
			row.Mean[m], row.Low[m], row.High[m], row.Law[m] = v, v-0.1, v+0.1, v+0.05
		}
		row.Mean[bench.Slowdown], row.Mean[bench.FloorRunning] = 1+[]float64{0.9, 0.3, 0.1}[i], v+0.05
		r.Rows = append(r.Rows, row)
	}
	return r
}

// near reports whether two lengths are equal within the two decimals of the SVG.
func near(a, b float64) bool { return math.Abs(a-b) < 0.03 }

func close(a, b point) bool { return near(a.x, b.x) && near(a.y, b.y) }

func hasNear(list []float64, v float64) bool {
	for _, other := range list {
		if near(other, v) {
			return true
		}
	}
	return false
}

// evenSteps checks that three points lie on a line at equal distances, and returns the distance.
func evenSteps(t *testing.T, what string, p []point) point {
	t.Helper()
	step := point{p[1].x - p[0].x, p[1].y - p[0].y}
	if !near(p[2].x-p[1].x, step.x) || !near(p[2].y-p[1].y, step.y) {
		t.Errorf("%s: uneven steps: %v", what, p)
	}
	return step
}

// TestPlaces checks the coordinates of a figure. On the logarithmic axis of intervals, 1, 10 and
// 100 ms are equidistant, and so are 0.9, 0.6 and 0.3 on the other axis. Closed forms, 0.05 higher,
// are a sixth of a step above. Bars of ± 0.1 are two thirds of a step long. Grid lines, at every 20
// %, are two thirds of a step apart, and one is at 60 %. Axis labels are at their grid lines.
func TestPlaces(t *testing.T) {
	for _, name := range []string{"accuracy", "calls"} {
		_, p := figure(t, threeSteps(), name)
		curve, theory := p.curve(t, "measured", measured), p.curve(t, "theory", func(c polyline) bool { return c.dashed })
		step := evenSteps(t, name, curve)
		if step.x <= 100 || step.y <= 30 { // of a figure 340 wide and about 270 high
			t.Errorf("%s: steps of %v", name, step)
		}
		evenSteps(t, name+", theory", theory)
		if !near(theory[0].x, curve[0].x) || !near(theory[0].y-curve[0].y, -step.y/6) {
			t.Errorf("%s: closed form at %v, want a sixth of the step %v above the curve at %v", name, theory, step, curve)
		}
		checkBars(t, name, p, curve, step)
		for i, label := range []string{"80 %", "60 %", "40 %"} {
			y := curve[1].y + float64(i-1)*step.y*2/3
			if !hasNear(p.across, y) || !near(p.words[label].y, y+4) { // the baseline
				t.Errorf("%s: grid at %v and %s at %v, want %v", name, p.across, label, p.words[label], y)
			}
		}
		for i, label := range []string{"1", "10", "100"} {
			if x := curve[i].x; !hasNear(p.upward, x) || !near(p.words[label].x, x) {
				t.Errorf("%s: grid at %v and %s at %v, want %v", name, p.upward, label, p.words[label], x)
			}
		}
		checkMarks(t, name, p, curve)
	}
}

// checkBars checks that each point has a bar of ± 0.1.
func checkBars(t *testing.T, name string, p picture, points []point, step point) {
	t.Helper()
	if len(p.bars) != len(points) {
		t.Fatalf("%s: %d bars, want %d", name, len(p.bars), len(points))
	}
	for i, at := range points {
		if b := p.bars[i]; !close(b[0], point{at.x, at.y + step.y/3}) || !close(b[1], point{at.x, at.y - step.y/3}) {
			t.Errorf("%s: bar %v at point %v, with a step of %v", name, b, at, step)
		}
	}
}

// checkMarks checks that there is one mark at each point and no other.
func checkMarks(t *testing.T, name string, p picture, points []point) {
	t.Helper()
	if len(p.marks) != len(points) {
		t.Fatalf("%s: %d marks, want %d", name, len(p.marks), len(points))
	}
	for i, m := range p.marks {
		if !close(m.at, points[i]) {
			t.Errorf("%s: a mark at %v, want %v", name, m.at, points[i])
		}
		want := fmt.Sprintf("sample on A at %d ms: %d %% (95 %% CI %d %% to %d %%), slowdown %s",
			[]int{1, 10, 100}[i], 90-30*i, 80-30*i, 100-30*i, []string{"1.900", "1.300", "1.100"}[i])
		if m.tip != want {
			t.Errorf("%s: tooltip %q, want %q", name, m.tip, want)
		}
	}
}

// TestFrontierPlaces: slowdowns − 1 of 90, 30 and 10 % are equidistant on a logarithmic axis, and
// all three are on the frontier, which rises at each.
func TestFrontierPlaces(t *testing.T) {
	_, p := figure(t, threeSteps(), "frontier")
	curve := p.curve(t, "measured", measured)
	step := evenSteps(t, "frontier", curve)
	if step.x >= -100 || step.y <= 30 {
		t.Errorf("steps of %v", step)
	}
	frontier := p.curve(t, "the frontier", func(c polyline) bool { return c.broad })
	want := []point{curve[2], {curve[1].x, curve[2].y}, curve[1], {curve[0].x, curve[1].y}, curve[0], curve[0]}
	if len(frontier) != len(want) {
		t.Fatalf("frontier %v, want %v", frontier, want)
	}
	for i := range want {
		if !close(frontier[i], want[i]) {
			t.Errorf("the frontier has the points %v, want %v", frontier, want)
		}
	}
	checkBars(t, "frontier", p, curve, step)
	checkMarks(t, "frontier", p, curve)
	for i, label := range []string{"1 ms", "10 ms", "100 ms"} {
		if w := p.words[label]; math.Abs(w.x-curve[i].x) > 40 || math.Abs(w.y-curve[i].y) > 20 {
			t.Errorf("%s is at %v, its mark at %v", label, w, curve[i])
		}
	}
}

// TestDominatedTracers: a tracer that is less accurate and more expensive than another is not on
// the frontier; one that is more accurate and more expensive is.
func TestDominatedTracers(t *testing.T) {
	best := undominated([]chart.Point{chart.At(3, 0.8), chart.At(2, 0.9), chart.At(1, 0.5), chart.At(4, 0.95), chart.At(4, 0.94)})
	if want := []point{{1, 0.5}, {2, 0.9}, {4, 0.95}}; fmt.Sprint(best) != fmt.Sprint(want) {
		t.Errorf("frontier %v, want %v", best, want)
	}
}

// TestOverviewPlaces: on an axis from 0 to 100 % or more, 90, 60 and 30 % have the positions that
// follow from the grid lines at 0, 20 and 40 %.
func TestOverviewPlaces(t *testing.T) {
	_, p := figure(t, threeSteps(), "overview")
	zero, forty := p.words["0 %"].y-4, p.words["40 %"].y-4
	at := func(v float64) float64 { return zero + v/0.4*(forty-zero) }
	want := [][]float64{{0.9, 0.6, 0.3}, {0.9, 0.6, 0.3}, {0.9, 0.6, 0.3}, {0.9, 0.3, 0.1}}
	k := 0
	for _, c := range p.curves {
		if len(c.points) == 3 {
			for i, q := range c.points {
				if !near(q.y, at(want[k][i])) {
					t.Errorf("curve %d at %v, want y %v", k, q, at(want[k][i]))
				}
			}
			k++
		}
	}
	if k != 4 || len(p.marks) != 12 {
		t.Errorf("%d curves and %d marks, want 4 and 12", k, len(p.marks))
	}
}

// TestLadderPlaces: overlap is 90 % in both cells, and 80 and 60 % with overshoot: a change of -20
// points with an interval from -30 to -10.
func TestLadderPlaces(t *testing.T) {
	r := &bench.Result{Phases: 2}
	for _, s := range []struct {
		mode  string
		cells []float64
	}{{"ideal", []float64{0.9, 0.9}}, {"+ overshoot", []float64{0.8, 0.6}}} {
		row := bench.Row{Mode: s.mode, Device: "A", Interval: time.Millisecond, Cells: 2}
		row.Mean[bench.OverlapRunning] = (s.cells[0] + s.cells[1]) / 2
		for i, v := range s.cells {
			c := bench.Cell{Mode: s.mode, Device: "A", Interval: time.Millisecond, Index: i}
			c.Scores[bench.OverlapRunning] = v
			r.Cells = append(r.Cells, c)
		}
		r.Rows = append(r.Rows, row)
	}
	_, p := figure(t, r, "ladder")
	if len(p.marks) != 2 || len(p.bars) != 1 {
		t.Fatalf("%d marks and %d bars, want 2 and 1", len(p.marks), len(p.bars))
	}
	zero, changed, bar := p.marks[0].at, p.marks[1].at, p.bars[0]
	ten := (zero.x - changed.x) / 2
	if ten < 20 || !close(bar[0], point{zero.x - 3*ten, changed.y}) || !close(bar[1], point{zero.x - ten, changed.y}) {
		t.Errorf("bar %v, marks at %v and %v", bar, zero, changed)
	}
	if !near(p.words["ideal"].y, zero.y+4) || !near(p.words["+ overshoot"].y, changed.y+4) || !near(p.words["-10"].x, zero.x-ten) {
		t.Errorf("names and numbers are at %v", p.words)
	}
	if tip := p.marks[1].tip; tip != "sleeps take longer than asked: −20.0 (−30.0 to −10.0) points, to 70.0 %" {
		t.Errorf("tooltip %q", tip)
	}
}

// TestEveryCall: a mode that records every call is on the figure of accuracy, in a column of its own
// at half the shortest interval, and not on that of reported calls, which are all.
func TestEveryCall(t *testing.T) {
	r := threeSteps()
	row := r.Rows[0]
	row.Mode, row.Interval = bench.InstrumentedDual.Name, 0
	r.Rows = append(r.Rows, row)
	for name, want := range map[string]bool{"accuracy": true, "calls": false} {
		_, p := figure(t, r, name)
		all, hasColumn := p.words["all"]
		if _, hasMode := p.words[bench.InstrumentedDual.Name]; hasColumn != want || hasMode != want {
			t.Errorf("%s: column %t, mode in the legend %t, want %t", name, hasColumn, hasMode, want)
		}
		one, ten := p.words["1"], p.words["10"]
		if step := ten.x - one.x; want && !near(one.x-all.x, step*math.Log10(2)) {
			t.Errorf("%s: the column is at %g, want %g, as 1 ms is at %g and 10 ms at %g", name, all.x, one.x-step*math.Log10(2), one.x, ten.x)
		}
	}
}

// TestDevices: the legend of a result of several devices names them, with a mark each.
func TestDevices(t *testing.T) {
	r := threeSteps()
	for _, row := range threeSteps().Rows {
		row.Device = "B"
		r.Rows = append(r.Rows, row)
	}
	for _, name := range []string{"accuracy", "calls"} {
		_, one := figure(t, threeSteps(), name)
		_, two := figure(t, r, name)
		for _, device := range []string{"device A", "device B"} {
			_, alone := one.words[device]
			if _, ok := two.words[device]; !ok || alone {
				t.Errorf("%s: %s in the legend of two devices: %t, of one: %t", name, device, ok, alone)
			}
		}
	}
}

// TestOverviewHigh: the axis of the overview reaches to the end of the highest error bar, and at least
// to 100 %.
func TestOverviewHigh(t *testing.T) {
	r := threeSteps()
	series := rowSeries{device: "A", rows: r.Rows}
	if c := drawOverview(r, series); c.Y.High != 1 {
		t.Errorf("shares up to 100 %%: the axis ends at %v", c.Y.High)
	}
	r.Rows[0].High[bench.Slowdown] = 3.5 // minus 1
	if c := drawOverview(r, series); c.Y.High != 2.5 {
		t.Errorf("an error bar up to 250 %%: the axis ends at %v", c.Y.High)
	}
}
