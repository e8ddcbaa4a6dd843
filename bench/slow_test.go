package bench

import (
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/bench/score"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// TestLine: Anscombe's first set of points, with the line y = 3.00009 + 0.50009 x, residuals of
// 1.23660 and 9 degrees of freedom (F. J. Anscombe, Graphs in Statistical Analysis, The American
// Statistician 27, 1973; help page anscombe of R). The first point is at x = 10 and the last at 5,
// so the change is 0.50009 · (-5)/(3.00009 + 5.0009). Half of its interval is t(9, .975) = 2.262157
// times the standard error, computed with the delta method by another program.
func TestLine(t *testing.T) {
	l := line{
		x: []float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5},
		y: []float64{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68},
	}
	var got ChangeRow
	l.fill(&got)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"shown", got.Shown, -0.312517}, {"half of the interval", (got.High - got.Low) / 2, 0.159696}, {"pair", got.Pair, 0.218575},
	} {
		if math.Abs(c.got-c.want) > 1e-4 {
			t.Errorf("%s: %.6f, want %.6f", c.what, c.got, c.want)
		}
	}
	if got.Low > got.Shown || got.Shown > got.High {
		t.Errorf("%.4f is not within %.4f and %.4f", got.Shown, got.Low, got.High)
	}
	few := line{x: []float64{1, 1, 1, 2, 2, 2}, y: []float64{0, 3, 0, 0, 4, 1}} // sampled in some traces only
	if few.fill(&got); !math.IsNaN(got.Shown) {
		t.Errorf("a method with few samples shows a change of %.2f, want none", got.Shown)
	}
}

// three has methods of 1, 20 and 400 µs; all calls of a method have the same length.
const three = `
name: three
description: calls of 1, 20 and 400 µs
duration: 2s
methods:
  Three.run()V: {}
  Three.short()V: {do: [{self: 1us}]}
  Three.medium()V: {do: [{self: 20us}]}
  Three.long()V: {do: [{self: 400us}]}
  Three.caller()V: {do: [{self: 400us}, {loop: 4, do: [{call: Three.short}]}]}
threads:
  - name: main
    stack: [Three.run]
    do: [{loop: 1000, do: [{self: 50us}, {call: Three.short}, {call: Three.medium}, {call: Three.long}, {call: Three.caller}]}]
`

func slowed(t *testing.T, program, method string) TruthAt {
	t.Helper()
	app, err := workload.ReadYAML(strings.NewReader(program), "test")
	if err != nil {
		t.Fatal(err)
	}
	return func(factor float64) (truth *trace.Recording, live func(int, time.Duration) (*trace.Recording, error), err error) {
		slow, err := app.Slowed(func(m *trace.Method) bool { return score.NameMatches(method, m) }, factor)
		if err != nil {
			return nil, nil, err
		}
		if slow.Interacts() {
			live = slow.Runs(1)
		}
		truth, err = slow.Truth(workload.Config{Seed: 1})
		return truth, live, err
	}
}

// TestInstrumented checks the measured change of a method if its self time t increases by 20 % and
// every call is recorded. On device A an event takes 3,298 ns for the CPU clock, 50 ns for the wall
// clock and 1,500 ns for the hook. The timestamps of a method's enter and exit include the cost of
// one event, and of one more for each call that it makes. So its time is t + (1 + calls) · 4.848
// µs. The measured change is 3.4 and 16.1 % for calls of 1 and 20 µs, and for 400 µs 19.8 %, or
// 18.9 % with four calls.
func TestInstrumented(t *testing.T) {
	phone, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	const event = 4.848
	for _, c := range []struct {
		method     string
		own, calls float64
		low, high  float64
	}{
		{"Three.short", 1, 0, 0.034, 0.0345},
		{"Three.medium", 20, 0, 0.1605, 0.1615},
		{"Three.long", 400, 0, 0.1970, 0.1980},
		{"Three.caller", 400, 4, 0.1880, 0.1890},
	} {
		want := 0.2 * c.own / (c.own + (1+c.calls)*event)
		for _, cpu := range []bool{true, false} {
			r, err := MeasureChange(t.Context(), slowed(t, three, c.method), Config{Devices: []device.Device{phone}, Modes: []Mode{InstrumentedDual}, CPU: cpu, Seed: 1}, c.method, 1.2)
			if err != nil {
				t.Fatal(err)
			}
			row := r.Rows[0]
			if math.Abs(row.Shown-want) > 0.0005 || want < c.low || want > c.high {
				t.Errorf("%s, CPU %t: measured change %.4f, want %.4f by the formula", c.method, cpu, row.Shown, want)
			}
			if math.Abs(r.True-0.2) > 1e-6 || row.ByCPU != cpu || !(row.Low <= row.Shown && row.Shown <= row.High) || !math.IsNaN(row.Pair) {
				t.Errorf("%s, CPU %t: true change %.4f, row %+v", c.method, cpu, r.True, row)
			}
		}
	}
}

// TestSlowClosedLoop checks the measured change of CPU time if two threads share a core and each
// trace has its own run. CPU time excludes the time in which the other thread has the core.
func TestSlowClosedLoop(t *testing.T) {
	testdata.Seldom(t, 4)
	phone, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	program := strings.Replace(three, "duration: 2s\n", "duration: 2500ms\ncores: [{count: 1}]\n", 1) + "  - {name: other, stack: [Three.run], do: [{loop: forever, do: [{call: Three.medium}]}]}\n"
	const event = 4.848
	want := 0.2 * 400 / (400 + event)
	r, err := MeasureChange(t.Context(), slowed(t, program, "Three.long"), Config{Devices: []device.Device{phone}, Modes: []Mode{InstrumentedDual}, CPU: true, Seed: 1}, "Three.long", 1.2)
	if err != nil {
		t.Fatal(err)
	}
	if row := r.Rows[0]; !r.Live || math.Abs(row.Shown-want) > 0.0005 || math.Abs(r.True-0.2) > 1e-6 {
		t.Errorf("closed loop: %t; measured change %.4f, want %.4f by the formula", r.Live, row.Shown, want)
	}
}

// TestSampled: the intervals of samples without cost contain the true change in 95 % of the cases.
func TestSampled(t *testing.T) {
	testdata.Seldom(t, 4)
	const program = `
name: busy
description: exponential calls of three methods
duration: 4s
methods:
  Busy.run()V: {}
  Busy.a()V: {do: [{self: exp 300us}]}
  Busy.b()V: {do: [{self: exp 2ms}]}
  Busy.c()V: {do: [{self: exp 5ms}]}
threads:
  - name: main
    stack: [Busy.run]
    do: [{loop: 400, do: [{call: Busy.a}, {call: Busy.b}, {call: Busy.c}]}]
`
	intervals := []time.Duration{200 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond}
	held, of := 0, 0
	for _, method := range []string{"Busy.a", "Busy.b", "Busy.c"} {
		for _, factor := range []float64{0.7, 1.2, 2} {
			r, err := MeasureChange(t.Context(), slowed(t, program, method), Config{Intervals: intervals, Modes: []Mode{PoissonSampling}, Phases: 8, Seed: 1}, method, factor)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range r.Rows {
				if math.IsNaN(row.Shown) {
					continue
				}
				of++
				if row.Low <= r.True && r.True <= row.High {
					held++
				}
			}
		}
	}
	if of < 40 || held < of*88/100 {
		t.Errorf("%d of %d intervals contain the true change, want at least 88 %% of at least 40", held, of)
	}
}

// TestSlowByHand computes a change by hand. A thread is in a for 10 ms, and then in b, called by a,
// for 4 ms. b takes twice its time. Another thread is unchanged, and the events are in time order.
func TestSlowByHand(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{
		Methods: []trace.Method{{ID: 4, Class: "A", Name: "a"}, {ID: 8, Class: "B", Name: "b"}},
		Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "other", End: 15 * ms}},
	}
	event := func(thread trace.ThreadID, wall, cpu time.Duration, m trace.MethodID, a trace.Action) trace.Event {
		return trace.Event{Thread: thread, Wall: wall, CPU: cpu, Method: m, Action: a}
	}
	s := &Stretched{
		Method: "b",
		Open: func() (*trace.Recording, error) {
			return &trace.Recording{Info: trace.Info{Clock: trace.Dual, Elapsed: 20 * ms}, Symbols: symbols, Events: trace.NewSliceReader([]trace.Event{
				event(0, 0, 1*ms, 0, trace.Enter),
				event(0, 10*ms, 9*ms, 1, trace.Enter),
				event(1, 12*ms, 1*ms, 0, trace.Enter),
				event(0, 14*ms, 12*ms, 1, trace.Exit),
				event(1, 15*ms, 2*ms, 0, trace.Exit),
				event(0, 16*ms, 13*ms, 1, trace.Enter), // to the end
			})}, nil
		},
	}
	defer s.Close()
	for range 2 { // Truth can be called again
		rec, err := s.Truth(2)
		if err != nil {
			t.Fatal(err)
		}
		var got []trace.Event
		for {
			batch := make([]trace.Event, 4)
			n, err := rec.Events.ReadEvents(batch)
			got = append(got, batch[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		want := []trace.Event{
			event(0, 0, 1*ms, 0, trace.Enter),
			event(0, 10*ms, 9*ms, 1, trace.Enter),
			event(1, 12*ms, 1*ms, 0, trace.Enter),
			event(1, 15*ms, 2*ms, 0, trace.Exit),
			event(0, 18*ms, 15*ms, 1, trace.Exit),
			event(0, 20*ms, 16*ms, 1, trace.Enter),
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
		if rec.Info.Elapsed != 28*ms { // longer by 4 ms of b up to 14 ms, and 4 ms from 16 to 20
			t.Errorf("ends at %v, want 28ms", rec.Info.Elapsed)
		}
		if end := rec.Symbols.Threads[1].End; end != 15*ms || symbols.Threads[1].End != 15*ms {
			t.Errorf("the other thread ends at %v", end)
		}
	}
}
