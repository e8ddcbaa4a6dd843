package reference

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
)

const ms = time.Millisecond

// times returns the times of methods 0, 1, 2 … in ms.
func times(list ...time.Duration) map[trace.MethodID]time.Duration {
	m := map[trace.MethodID]time.Duration{}
	for i, d := range list {
		m[trace.MethodID(i)] = d * ms
	}
	return m
}

// edges returns the times of edges in the same way.
func edges(list ...time.Duration) map[edge]time.Duration {
	m := map[edge]time.Duration{}
	for i, d := range list {
		m[edge{-1, i}] = d * ms
	}
	return m
}

// TestByHand compares small cases with results computed by hand.
func TestByHand(t *testing.T) {
	coverage, precision := hot(edges(100, 50, 9, 12), edges(80, 0, 20, 4))
	wmape, bias, _ := errors(times(60, 30, 10), times(50, 50, 0), times(60, 30, 10), times(50, 50, 0))
	// 10 ms in A/B for 6 ms, then in A; reported is A/B for 8 ms, then nothing. Correct for 6 ms;
	// of frames 6·2 + 2·1 are common, of 6·2 + 4 true and 8·2 reported.
	root := newContexts(1)[0]
	a := root.call(0)
	stacks, frames := moments([][]span{{{0, a.call(1)}, {6 * ms, a}}}, [][]span{{{0, a.call(1)}, {8 * ms, root}}}, 10*ms)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"overlap: 0.5 + 0.3", overlap(times(60, 30, 10), times(50, 50, 0)), 0.8},
		{"hot are 100, 50 and 12, seen two of them", coverage, 2. / 3},
		{"80 and 20 look hot, 80 is", precision, 0.5},
		{"10 + 20 + 10 off of 100", wmape, 0.4},
		{"as much gained as lost", bias, 0},
		{"one of the first two, and a third of one place of three", hottest(times(9, 5, 4, 1), times(7, 3, 3, 3), 2), 2. / 3},
		{"4 of 6 pairs agree, 1 does not, 1 is tied", kendall(times(4, 3, 2, 1), times(9, 9, 2, 5)), 3 / math.Sqrt(30)},
		{"at 1 ms 3 of 4 have ended, reported none", farthest([]time.Duration{ms, ms, ms, 8 * ms}, []time.Duration{4 * ms, 8 * ms}), 0.75},
		{"right for 6 of 10 ms", stacks, 0.6},
		{"14 of 16 + 16 − 14", frames, 14. / 18},
		// E|K − 1| = 2·0.9¹⁰ of ten shares of 0.1 and ten samples.
		{"floor", Floor([]float64{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}, 10), 1 - math.Pow(0.9, 10)},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}

// TestSampleByHand: A calls B at 2 and 4 ms for 1 ms each. Ticks at 2.5 and 4.5 ms take 10 + 2·5
// µs, including the walk of the sampling thread. Both find B in A: one call of each is reported,
// three are sampled. The next tick would be at 6.5 ms.
func TestSampleByHand(t *testing.T) {
	symbols := &trace.Symbols{Threads: make([]trace.Thread, 1), Methods: make([]trace.Method, 2)}
	events := []trace.Event{
		{}, {Wall: 2 * ms, CPU: 2 * ms, Method: 1}, {Wall: 3 * ms, CPU: 3 * ms, Method: 1, Action: trace.Exit},
		{Wall: 4 * ms, CPU: 4 * ms, Method: 1}, {Wall: 5 * ms, CPU: 5 * ms, Method: 1, Action: trace.Exit},
	}
	truth := NewTruth(symbols, events, 6*ms)
	us := time.Microsecond
	c := &Sampler{Ticks: SleepTicks(2500*us, 2*ms, 0, 0, 0, 0), PerTick: 10 * us, PerThread: 5 * us}
	r := truth.Sample(c)
	want := []trace.Event{{Wall: 2515 * us}, {Wall: 2515 * us, Method: 1}}
	if len(r.Events) != 2 || r.Events[0].Event != want[0] || r.Events[1].Event != want[1] || r.CallsSeen != 3 || r.Samples != 2 || r.Ticks != 2 {
		t.Errorf("%+v", r)
	}
	if r.Delay != 40*us || r.Period != 2020*us || r.Stop != 6540*us || r.Tails[0].End != 6555*us {
		t.Errorf("delay %v, period %v, stopped at %v, the record ends at %v", r.Delay, r.Period, r.Stop, r.Tails[0].End)
	}
	c.Ticks, c.Call = SleepTicks(2500*us, 2*ms, 0, 0, 0, 0), true
	if r := truth.Sample(c); len(r.Events) != 4 {
		t.Errorf("with calls distinguished: %+v, want one more exit and enter", r.Events)
	}
}

// TestInstrumentByHand: an event of 3 µs that reads the clocks after 1 and 2 µs. A is on the stack
// when tracing starts; B is called at 10 µs and returns at 20.
func TestInstrumentByHand(t *testing.T) {
	us := time.Microsecond
	symbols := &trace.Symbols{Threads: []trace.Thread{{Open: 1}}, Methods: make([]trace.Method, 2)}
	events := []trace.Event{{}, {Wall: 10 * us, CPU: 10 * us, Method: 1}, {Wall: 20 * us, CPU: 20 * us, Method: 1, Action: trace.Exit}}
	r := NewTruth(symbols, events, 30*us).Instrument(&Instrument{CPURead: us, WallRead: 2 * us, Event: 3 * us})
	want := []trace.Event{
		{Wall: 2 * us}, {Wall: 15 * us, CPU: 13 * us, Method: 1}, {Wall: 28 * us, CPU: 26 * us, Method: 1, Action: trace.Exit},
	}
	for i := range want {
		if i >= len(r.Events) || r.Events[i].Event != want[i] {
			t.Errorf("%+v, want %+v", r.Events, want)
			break
		}
	}
	if r.Delay != 9*us || r.CPU != 9*us {
		t.Errorf("delay %v, CPU %v, want 9 µs", r.Delay, r.CPU)
	}
}

// TestLongRunningByHand: a call open at the start contains calls of 5 and 1 ms. With a threshold of
// 2 ms, that of 1 ms is dropped.
func TestLongRunningByHand(t *testing.T) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{Open: 1}}, Methods: make([]trace.Method, 3)}
	events := []trace.Event{
		{}, {Wall: ms, Method: 1}, {Wall: 2 * ms, Method: 2}, {Wall: 3 * ms, Method: 2, Action: trace.Exit}, {Wall: 6 * ms, Method: 1, Action: trace.Exit},
	}
	r := NewTruth(symbols, events, 10*ms).LongRunning(2*ms, 0)
	if len(r.Events) != 3 || r.Events[1].Event != events[1] || r.Events[2].Event != events[4] {
		t.Errorf("%+v", r.Events)
	}
}
