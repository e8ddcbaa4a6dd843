package waiting

import (
	"testing"
	"time"

	"artifice/trace"
)

const ms = time.Millisecond

// TestHandover, by hand: one thread gives at 10 ms; the other has waited since 4 ms and gets a core
// at 12. The second time it comes at 25 ms for an item given at 20, and does not wait.
func TestHandover(t *testing.T) {
	call := func(m trace.MethodID, at time.Duration) []trace.Event {
		return []trace.Event{{Method: m, Wall: at}, {Method: m, Wall: at, Action: trace.Exit}}
	}
	giver := &thread{log: append(call(gives, 10*ms), call(gives, 20*ms)...)}
	taker := &thread{}
	for _, at := range [][2]time.Duration{{4 * ms, 12 * ms}, {25 * ms, 25 * ms}} {
		taker.log = append(taker.log, trace.Event{Method: take, Wall: at[0]})
		taker.log = append(append(taker.log, call(takes, at[1])...), trace.Event{Method: take, Wall: at[1], Action: trace.Exit})
	}
	handOver([]*thread{giver, taker})
	if m := measured([]*thread{giver, taker}); m.waiting != 6*ms+1 || m.end != 25*ms {
		t.Errorf("waits for %v of %v, want 6 ms and 1 ns of 25 ms", m.waiting, m.end)
	}
}

// TestMeasure, by hand: frames end with the tick of each 20 ms: one in time, one that comes at 45
// ms, late for 40, and one in time for the tick after that.
func TestMeasure(t *testing.T) {
	frames := &thread{}
	for _, at := range [][2]time.Duration{{8 * ms, 20 * ms}, {45 * ms, 60 * ms}, {70 * ms, 80 * ms}} {
		frames.log = append(frames.log, trace.Event{Method: capture, Wall: at[0]}, trace.Event{Method: capture, Wall: at[1], Action: trace.Exit})
	}
	if m := measured([]*thread{frames}); m != (measures{end: 80 * ms, waiting: 37 * ms, frames: 3, late: 1}) {
		t.Errorf("%+v", m)
	}
}

// TestPredictions: a sleeper with a log written by hand, 2 ms of work and 2 ms of sleep, stopped
// for 1 ms after each ms of its running. The closed form of a sleeper is 1 + u·P/X, plus the rest
// of a pause when it wakes. Here waits and pauses are occasionally aliased, so the tolerance is a
// tenth of the addition. With one clock for all, the factor is 2.
func TestPredictions(t *testing.T) {
	one := &thread{name: "sleeper"}
	now := time.Duration(0)
	mark := func(m trace.MethodID, a trace.Action) {
		one.log = append(one.log, trace.Event{Method: m, Wall: now, Action: a})
	}
	mark(loop, trace.Enter)
	for i := range 400 {
		now += 2*ms + time.Duration(i%7)*100*time.Microsecond
		mark(sleep, trace.Enter)
		now += 2*ms + time.Duration(i%11)*70*time.Microsecond
		mark(sleep, trace.Exit)
	}
	mark(loop, trace.Exit)
	samples := []span{}
	for at := time.Duration(0); at < 100*ms; at += 2 * ms {
		samples = append(samples, span{at, at + ms})
	}
	c, every := cost(samples, 0)
	if c.PerTick != ms || every+c.Overshoot != ms {
		t.Fatalf("a sample takes %v, %v after the one before", c.PerTick, every+c.Overshoot)
	}
	threads := []*thread{one}
	u := 2300. / (2300 + 2350) // of 2.3 and 2.35 ms on average
	wakes := 0.5 * 0.5 / 4.65  // P/2 in P/(P + X), of each repetition
	list, err := sampled(threads, samples, []time.Duration{0}, false)
	if err != nil {
		t.Fatal(err)
	}
	mean, _ := moments(list, quantities[0])
	bursts := 2.3 - 0.5*0.5 // a burst that begins at the end of a pause overlaps with half a pause less, X/2, than one anywhere
	if want := 1 + u*bursts/2.3 + wakes; mean < want-0.1*(want-1) || mean > want+0.1*(want-1) {
		t.Errorf("slowdown %.4f, want %.4f", mean, want)
	}
	list, err = sampled(threads, samples, []time.Duration{0}, true)
	if err != nil {
		t.Fatal(err)
	}
	if mean, _ := moments(list, quantities[0]); mean < 1.99 || mean > 2.01 {
		t.Errorf("slowdown by one clock %.4f, want 2", mean)
	}
	v, err := instrumented(threads, burned, false)
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + 801*burned.Seconds()/now.Seconds(); v.slowdown < want-1e-6 || v.slowdown > want+1e-6 { // all events before the last; it counts microseconds
		t.Errorf("slowdown %.6f with instrumentation, want %.6f", v.slowdown, want)
	}
}
