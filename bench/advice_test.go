package bench

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/bench/score"
	"artifice/internal/words"
	"artifice/tracer/device"
)

// hottest is the goal of [AssumedGoal], stated explicitly.
var hottest = Goal{Measure: HottestInOrder, Wanted: 1}

// assumed returns a result without rows. Its goal is g, or hottest if g is empty.
func assumed(g Goal) *Result {
	if g.Wanted == 0 && g.Budget == 0 {
		g = hottest
	}
	return &Result{Goal: g}
}

// sampledAt adds a row of ART's sampling. Its cells have the given values of the goal's measure.
func (r *Result) sampledAt(interval time.Duration, slowdown, overlap float64, values ...float64) {
	r.add(ARTSampling.Name, interval, slowdown, overlap, values...)
}

func (r *Result) add(mode string, interval time.Duration, slowdown, overlap float64, values ...float64) {
	row := Row{Mode: mode, Device: "A", Interval: interval, Cells: len(values), costs: device.Measured}
	row.Mean[Slowdown], row.Mean[OverlapRunning], row.Mean[Overlap] = slowdown, overlap, overlap+0.05
	m := r.Goal.Measure
	row.Mean[m] = stat.Mean(values, nil)
	row.Low[m], row.High[m] = row.Mean[m]-0.02, 1
	r.Rows = append(r.Rows, row)
	for i, v := range values {
		c := Cell{Mode: row.Mode, Device: row.Device, Interval: interval, Index: i}
		c.Scores[m] = v
		r.Cells = append(r.Cells, c)
	}
}

const msec = time.Millisecond

// TestAdvice: all traces reach the goal at 5 ms, and none at 20 ms. In between, the share of traces
// that reach it is 95 % at a twentieth of the distance on a logarithmic scale: 5·4^0.05 = 5.36 ms.
// With identical cells the limit is certain. A result at 40 ms that reaches the goal by chance has
// no effect.
func TestAdvice(t *testing.T) {
	r := assumed(Goal{})
	r.sampledAt(5*msec, 1.1, 0.7, 1, 1)
	r.sampledAt(1*msec, 1.8, 0.9, 1, 1)
	r.sampledAt(20*msec, 1.05, 0.6, 0, 0)
	r.sampledAt(40*msec, 1.02, 0.5, 1, 1)
	r.add(InstrumentedDual.Name, 0, 1.5, 0.8, 1)
	advised(t, r, "Goal: the five methods with the most CPU time in the right order (methods with times within 10 % may swap), in 95 % of traces."+
		" → sample at 5 ms: correct order in 2 of 2 traces, 70 % of CPU time correctly attributed, slowdown 1.10; meets the goal at intervals up to 5.36 ms."+
		" instrument-dual meets the goal: correct order in every trace, 80 % of CPU time correctly attributed, slowdown 1.50."+
		" Record: adb shell am profile start --sampling 5000 PACKAGE FILE (Android 8 and later); from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE --sampling 5000")
}

// TestAdviceOfOneTrace: the advice is for a single trace, so traces must reach the goal, not their
// mean. At 1 ms, 19 of 20 traces have 85 %, which is just enough. At 4 ms the mean is 90 %, but
// half of the traces have 80 %. The share of traces that reach the goal falls from 95 to 50 %, so 1
// ms is the longest interval.
func TestAdviceOfOneTrace(t *testing.T) {
	r := assumed(Goal{Measure: OverlapRunning, Wanted: 0.85})
	nearly, half := slices.Repeat([]float64{0.9}, 20), slices.Repeat([]float64{0.8, 1}, 10)
	nearly[7] = 0.84
	r.sampledAt(1*msec, 1.8, 0.9, nearly...)
	r.sampledAt(4*msec, 1.2, 0.9, half...)
	a := r.Advise()[0]
	if a.Best != 0 || a.Modes[0].At.Interval != msec || a.Modes[0].Limit[0] != msec || a.Modes[0].At.Reaching != 0.95 {
		t.Errorf("%+v", a.Modes[0])
	}
	if s := a.Sentences()[0]; !strings.Contains(s, "→ sample at 1 ms: 89.7 % of CPU time correctly attributed (at least 85 % in 19 of 20 traces), ") {
		t.Error(s)
	}
}

// TestAdviceAtLimit: at 4 ms, 19 of 20 traces reach the goal, which is just enough, so the limit
// exceeds all intervals tried. With 17 traces the share is 85 %, and the limit, at 95 %, is 1 ms ·
// 4^(1/3) = 1.587 ms. With 16 traces it is 1.414 ms. By the binomial distribution (20 draws, p =
// 0.95), 3.1 % of the resamples have at most 17 traces, and 0.3 % have at most 16. The 2.5 %
// quantile of the limit is therefore that of 17 traces.
func TestAdviceAtLimit(t *testing.T) {
	r := assumed(Goal{})
	all, half := make([]float64, 20), make([]float64, 20)
	for i := range all {
		all[i], half[i] = 1, 1
	}
	half[3] = 0
	r.sampledAt(1*msec, 1.8, 0.9, all...)
	r.sampledAt(4*msec, 1.2, 0.8, half...)
	limit := r.Advise()[0].Modes[0].Limit
	if limit[0] != Beyond || limit[2] != Beyond || limit[1] < 1400*us || limit[1] > 1600*us {
		t.Errorf("limit %v", limit)
	}
}

// TestAdviceAtExactShare: a share of 95 % meets a required 95 %, despite the rounding of 19/20. If
// the shortest interval has exactly this share, it is the longest that reaches the goal. If the
// longest interval has it, there is no limit.
func TestAdviceAtExactShare(t *testing.T) {
	enough := slices.Repeat([]float64{0.95}, 20)
	enough[4] = 0.9
	goal := Goal{Measure: RecallRunning, Wanted: 0.95}
	first, last := assumed(goal), assumed(goal)
	first.sampledAt(1*msec, 1.8, 0.9, enough...)
	first.sampledAt(4*msec, 1.2, 0.8, slices.Repeat([]float64{0.9}, 20)...)
	last.sampledAt(1*msec, 1.8, 0.9, slices.Repeat([]float64{1}, 20)...)
	last.sampledAt(4*msec, 1.2, 0.8, enough...)
	for want, r := range map[time.Duration]*Result{1 * msec: first, Beyond: last} {
		if limit := r.Advise()[0].Modes[0].Limit; limit[0] != want {
			t.Errorf("limit %v; want %v", limit, want)
		}
	}
}

// TestAdviceGoalNotMet: if no row reaches the goal, the advice names the methods that samples every
// 10 ms miss, with the reason. One method is on the stack for 20 ms, less than three sampling
// intervals. One is on the stack for 100 ms in calls of 0.1 ms, and one belongs to the garbage
// collector.
func TestAdviceGoalNotMet(t *testing.T) {
	r := assumed(Goal{Measure: RecallRunning, Wanted: 0.95})
	r.sampledAt(10*msec, 1.1, 0.7, 0.5)
	row := &r.Rows[0]
	row.Mean[Period] = 0.012
	row.missed = []missedMethod{
		{score.Method{Name: "a.A.rare", Calls: 2, Running: 0.02, On: 20 * msec}, 0.75},
		{score.Method{Name: "a.A.short", Calls: 1000, Running: 0.1, On: 100 * msec}, 1},
		{score.Method{Name: "a.Heap.collect", Calls: 3, Running: 0.05, On: 60 * msec, Collected: 1}, 1},
		{score.Method{Name: "a.A.more", Calls: 3, Running: 0.01, On: 60 * msec}, 1},
	}
	advised(t, r, "Goal: at least 95 % of the methods with 1 % of CPU time or more seen, in 95 % of traces. No tracer tried meets the goal."+
		" → closest to the goal: sample at 10 ms: 50 % seen (at least 95 % in 0 of 1 traces), 70 % of CPU time correctly attributed, slowdown 1.10;"+
		" misses A.rare (2 % of CPU time, in 75 % of traces: 20 ms on the stack in total, samples are 12 ms apart),"+
		" A.short (10 % of CPU time: calls of 100 µs that cluster between samples 12 ms apart),"+
		" Heap.collect (5 % of CPU time: part of the garbage collector, which delays samples) and 1 more."+
		" Record: adb shell am profile start --sampling 10000 PACKAGE FILE (Android 8 and later); from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE --sampling 10000")
}

// TestNoGoal: without a goal, a row is recommended only if it is the most accurate and the cheapest
// one. The advice names a mode that a row of another mode dominates.
func TestNoGoal(t *testing.T) {
	r := assumed(AssumedGoal)
	r.sampledAt(5*msec, 1.008, 0.945, 1)
	r.add(InstrumentedDual.Name, 0, 1.484, 0.837, 1)
	advised(t, r, "No goal is set (--goal). One tracer is at least as accurate as every other and costs no more:"+
		" → sample at 5 ms: 94.5 % of CPU time correctly attributed, slowdown 1.008."+
		" instrument-dual: 83.7 % of CPU time correctly attributed, slowdown 1.48; sample at 5 ms is at least as accurate and costs no more."+
		" Record: adb shell am profile start --sampling 5000 PACKAGE FILE (Android 8 and later); from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE --sampling 5000")
	r.sampledAt(1*msec, 1.04, 0.97, 1)
	advised(t, r, "No recommendation without a goal: every cheaper tracer is less accurate."+
		" sample at 1 ms to 5 ms: 97 % to 94.5 % of CPU time correctly attributed, slowdown 1.040 to 1.008."+
		" instrument-dual: 83.7 % of CPU time correctly attributed, slowdown 1.48; sample at 5 ms is at least as accurate and costs no more."+
		" For a recommendation, set --goal hottest, overlap=90, recall=95 or methods=NAME; --budget 5% limits the slowdown.")
	r.Rows[1].costs = device.Unknown
	r.Rows = r.Rows[:2]
	advised(t, r, "No recommendation without a goal."+
		" sample at 5 ms: 94.5 % of CPU time correctly attributed, slowdown 1.008."+
		" instrument-dual (not recommended: its cost on this device is unknown): 83.7 % of CPU time correctly attributed, slowdown 1.48."+
		" For a recommendation, set --goal hottest, overlap=90, recall=95 or methods=NAME; --budget 5% limits the slowdown.")
}

// TestAdviceMissedMethods: the advice names the missed methods that the goal requires. If none is
// missed, it states that their order is wrong.
func TestAdviceMissedMethods(t *testing.T) {
	r := assumed(Goal{})
	for _, name := range []string{"a.A.first", "a.A.second", "a.A.third", "a.A.fourth", "a.A.fifth", "a.A.sixth"} {
		r.Methods = append(r.Methods, score.MethodShare{Name: name, Running: 0.1})
	}
	r.sampledAt(10*msec, 1.1, 0.7, 1, 0, 0, 1)
	row := &r.Rows[0]
	row.running = []float64{0.1, 0.1, 0.3, 0.1, 0.1, 0.1}
	row.missed = []missedMethod{{score.Method{Name: "a.A.sixth", Running: 0.1}, 1}, {score.Method{Name: "a.A.fifth", Running: 0.1, On: 5 * time.Second, Calls: 1}, 0.5}}
	const does = "→ closest to the goal: sample at 10 ms: correct order in 2 of 4 traces, 70 % of CPU time correctly attributed, slowdown 1.10; "
	if got := r.Advise()[0].Sentences()[0]; !strings.HasPrefix(got, does+"misses A.fifth (10 % of CPU time, in 50 % of traces).") || strings.Contains(got, "sixth") {
		t.Error(got)
	}
	row.missed = row.missed[:1]
	if got := r.Advise()[0].Sentences()[0]; !strings.HasPrefix(got, does+"largest errors in shares of the time: A.third 30 % instead of 10 %, ") {
		t.Error(got)
	}
	if got := r.Advise()[0].Answer(); !strings.HasSuffix(got, "No tracer tried meets the goal.") {
		t.Error(got)
	}
}

// TestAdviceByTracer: each tracer has its own intervals. A tracer with a single interval has no
// longest one. The advice gives no reasons for methods missed by thread samplers, which have no
// common period.
func TestAdviceByTracer(t *testing.T) {
	r := assumed(Goal{Measure: RecallRunning, Wanted: 0.95})
	r.sampledAt(1*msec, 1.3, 1, 1)
	r.sampledAt(4*msec, 1.1, 0.9, 1)
	r.add("perfetto", 10*msec, 1.2, 0.9, 1)
	r.add("btrace3", 20*msec, 1.2, 0.1, 0.5)
	row := &r.Rows[len(r.Rows)-1]
	row.Mean[Period], row.missed = math.NaN(), []missedMethod{{score.Method{Name: "a.A.b", Calls: 1, Running: 0.5, On: time.Second}, 1}}
	a := r.Advise()[0]
	for i, want := range []string{"→ sample at 4 ms: 100 % seen (at least 95 % in 1 of 1 traces), 90 % of CPU time correctly attributed, slowdown 1.10; meets the goal at every interval tried, up to 4 ms.", "perfetto at 10 ms meets the goal: ", "btrace3 at 20 ms does not meet the goal: 50 % seen (at least 95 % in 0 of 1 traces), 10 % of CPU time correctly attributed, slowdown 1.20; misses A.b (50 % of CPU time)."} {
		if got := a.Sentences()[i]; !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAdviceWithin: samples every 1 ms reach the goal, but exceed the budget, as instrumentation
// does. Only samples every 5 ms are within the budget.
func TestAdviceWithin(t *testing.T) {
	r := assumed(Goal{Measure: OverlapRunning, Wanted: 0.9, Budget: 0.1})
	r.sampledAt(1*msec, 1.8, 0.92, 0.92, 0.92)
	r.sampledAt(5*msec, 1.1, 0.7, 0.7, 0.7)
	r.add(InstrumentedDual.Name, 0, 1.5, 0.95, 0.95)
	a := r.Advise()[0]
	if a.Best != -1 || a.Near != 0 || a.Modes[0].Within == nil || a.Modes[0].Within.Interval != 5*msec || !a.Modes[1].Reached || a.Modes[1].Fits {
		t.Errorf("%+v", a)
	}
	const want = "Goal: at least 90 % of CPU time correctly attributed, in 95 % of traces, at a slowdown of at most 1.10. No tracer tried meets the goal within the budget."
	if got := a.Answer(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if s := a.Sentences()[0]; s != "→ closest to the goal: sample at 5 ms: 70 % of CPU time correctly attributed (at least 90 % in 0 of 2 traces), slowdown 1.10." {
		t.Error(s)
	}
	if limit := a.Modes[0].Limit[0]; words.Duration(limit) != "1.08 ms" { // 1 ms · 5^(1/20) = 1.084 ms
		t.Errorf("limit %v", limit)
	}
}

// TestAdviceBudget: samples every 5 ms are the most accurate tracer within a budget of 20 %.
// Samples every 1 ms exceed it, and instrumentation is less accurate.
func TestAdviceBudget(t *testing.T) {
	r := assumed(Goal{Measure: OverlapRunning, Budget: 0.2})
	r.sampledAt(1*msec, 1.8, 0.92, 0.92)
	r.sampledAt(5*msec, 1.1, 0.7, 0.7)
	r.sampledAt(20*msec, 1.05, 0.5, 0.5)
	r.add(InstrumentedDual.Name, 0, 1.15, 0.6, 0.6)
	advised(t, r, "Goal: best accuracy at a slowdown of at most 1.20."+
		" → sample at 5 ms: 70 % of CPU time correctly attributed, slowdown 1.10."+
		" instrument-dual is within the budget: 60 % of CPU time correctly attributed, slowdown 1.15."+
		" Record: adb shell am profile start --sampling 5000 PACKAGE FILE (Android 8 and later); from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE --sampling 5000")
}

// TestAdviceOmitsBaselines checks that tracers that exist only in emulation are described, but not
// recommended.
func TestAdviceOmitsBaselines(t *testing.T) {
	r := assumed(Goal{})
	r.sampledAt(1*msec, 1.8, 0.9, 1)
	r.add(PoissonSampling.Name, 1*msec, 1, 0.9, 1)
	a := r.Advise()[0]
	if a.Best != 0 || !slices.ContainsFunc(a.Sentences(), func(s string) bool {
		return strings.HasPrefix(s, "poisson at 1 ms (emulation-only baseline) meets the goal: ")
	}) {
		t.Errorf("best %d: %s", a.Best, a)
	}
}

// TestAdviceOmitsUnavailableTools: a discontinued tool and a tool of unknown cost have little
// overhead, but are not recommended.
func TestAdviceOmitsUnavailableTools(t *testing.T) {
	r := assumed(Goal{})
	r.sampledAt(1*msec, 1.8, 0.9, 1)
	r.add("nanoscope", 0, 1.01, 1, 1)
	r.add(InstrumentedDual.Name, 0, 1, 1, 1)
	r.Rows[2].costs = device.Unknown
	r.add("simpleperf", 1*msec, 1.9, 0.9, 1)
	r.Rows[3].costs = device.Published
	a := r.Advise()[0]
	text := a.String()
	for _, want := range []string{
		" → sample at 1 ms: correct order in 1 of 1 traces, 90 % of CPU time correctly attributed, slowdown 1.80. nanoscope", // no note on the cost, which was measured
		"nanoscope (not recommended: it is a ROM of 2018 for one phone, the Nexus 6P) meets the goal: ",
		"instrument-dual (not recommended: its cost on this device is unknown) meets the goal: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\ndoes not contain %q", text, want)
		}
	}
	r.Rows = r.Rows[1:]
	r.Cells = r.Cells[1:]
	if got := r.Advise()[0].Sentences()[0]; !strings.HasPrefix(got, "→ simpleperf at 1 ms: ") || !strings.HasSuffix(got, " The tracer's cost is a published figure, measured on another device.") {
		t.Error(got)
	}
	if got := r.Advise()[0].String(); !strings.Contains(got, "simpleperf record") || strings.Contains(got, "calibrate") { // which traces of simpleperf do not determine
		t.Error(got)
	}
	r.Rows[1].costs = device.Assumed
	if got := r.Advise()[0].String(); !strings.HasSuffix(got, " Record: adb shell am profile start PACKAGE FILE; from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE") || !strings.Contains(got, " Part of the tracer's cost is assumed, not measured; artifice calibrate measures it on your phone.") {
		t.Error(got)
	}
	r.Rows[1].costs = device.Unknown
	r.Rows, r.Cells = r.Rows[:2], r.Cells[:2]
	if got := r.Advise()[0]; got.Best >= 0 || got.Near >= 0 || !strings.HasSuffix(got.Answer(), " No tracer tried can be recommended.") {
		t.Error(got.Answer())
	}
}

// TestAdviceWithoutCPU: a tracer without a CPU clock meets no goal of CPU time, whatever its
// scores. It meets goals of methods.
func TestAdviceWithoutCPU(t *testing.T) {
	for _, c := range []struct {
		measure Measure
		best    int
	}{{OverlapRunning, 0}, {RecallRunning, 1}} {
		r := assumed(Goal{Measure: c.measure, Wanted: 0.9})
		r.Truth.Running.ByCPU = true
		r.sampledAt(1*msec, 1.8, 0.92, 0.92)
		r.add(InstrumentedWall.Name, 0, 1.1, 0.99, 0.99)
		r.Rows[0].ByCPU = true
		if a := r.Advise()[0]; a.Best != c.best || a.Modes[1].blind != (c.best == 0) {
			t.Errorf("%s: best %d, %+v", c.measure.Key(), a.Best, a.Modes[1])
		}
	}
	r := assumed(Goal{Measure: OverlapRunning, Wanted: 0.9})
	r.Truth.Running.ByCPU = true
	r.add(InstrumentedWall.Name, 0, 1.1, 0.99, 0.99)
	if a := r.Advise()[0]; a.Best >= 0 || !strings.HasSuffix(a.Answer(), " No tracer tried can be recommended.") {
		t.Errorf("%s", a.Answer())
	}
}

// TestGoals checks that invalid goals are rejected.
func TestGoals(t *testing.T) {
	for _, g := range []Goal{
		{Measure: Period, Wanted: 0.5}, {Measure: OverlapRunning, Wanted: 1.1}, {Measure: OverlapRunning, Wanted: 0.9, Budget: -1},
		{Measure: NamedSeen, Wanted: 0.9}, {Measure: RecallRunning, Wanted: 0.9, Methods: []string{"a"}},
	} {
		if err := g.check(); err == nil {
			t.Errorf("%+v: no error", g)
		}
	}
	for _, g := range []Goal{
		{Measure: HottestInOrder, Wanted: 1}, {Measure: RecallRunning, Wanted: 0}, {Measure: OverlapRunning, Wanted: 0.9, Budget: 0.05}, {Measure: OverlapRunning, Wanted: 1, Budget: 100},
		{Measure: NamedSeen, Wanted: 1, Methods: []string{"a"}},
	} {
		if err := g.check(); err != nil {
			t.Errorf("%+v: %v", g, err)
		}
	}
	for want, g := range map[string]Goal{
		"a goal of -0.1 is not from 0 to 1": {Measure: OverlapRunning, Wanted: -0.1}, "a goal of NaN is not from 0 to 1": {Measure: OverlapRunning, Wanted: math.NaN()},
		"a budget of +Inf: must be a share of at least 0": {Measure: OverlapRunning, Budget: math.Inf(1)}, "a budget of NaN: must be a share of at least 0": {Measure: OverlapRunning, Budget: math.NaN()},
		"a budget of -0.1: must be a share of at least 0": {Measure: OverlapRunning, Budget: -0.1},
	} {
		if err := g.check(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", g, err, want)
		}
	}
}

// TestGoalText describes goals in words.
func TestGoalText(t *testing.T) {
	for want, g := range map[string]Goal{
		"best accuracy at a slowdown of at most 1.050": {Measure: OverlapRunning, Budget: 0.05},
		"the five methods with the most CPU time in the right order (methods with times within 10 % may swap), in 95 % of traces": {Measure: HottestInOrder, Wanted: 1},
		"at least 90 % of CPU time correctly attributed, in 95 % of traces, at a slowdown of at most 1.050":                       {Measure: OverlapRunning, Wanted: 0.9, Budget: 0.05},
		"a.B.c and d.E.f seen, in 95 % of traces":                                             {Measure: NamedSeen, Wanted: 1, Methods: []string{"a.B.c", "d.E.f"}},
		"at least 99.9 % of the methods with 1 % of CPU time or more seen, in 95 % of traces": {Measure: RecallRunning, Wanted: 0.9999},
	} {
		if got := g.String(); got != want {
			t.Errorf("%+v: %s, want %s", g, got, want)
		}
	}
}

// advised checks that a result has this advice only.
func advised(t *testing.T, r *Result, want string) {
	t.Helper()
	got := r.Advise()
	if len(got) != 1 || got[0].String() != want {
		t.Errorf("advice:\n%s\nwant:\n%s", got, want)
	}
}
