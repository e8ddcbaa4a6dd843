package recorder

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// The methods of the truth in TestRecordedWaits.
const (
	sleep trace.MethodID = iota
	poll
	work
)

// calls returns n calls of a method on a thread, of the given length each. The first begins at
// from, and one begins every period.
func calls(thread trace.ThreadID, m trace.MethodID, from, length, period time.Duration, n int) (events []trace.Event) {
	for i := range n {
		at := from + time.Duration(i)*period
		events = append(events, trace.Event{Thread: thread, Method: m, Wall: at}, trace.Event{Thread: thread, Method: m, Action: trace.Exit, Wall: at + length})
	}
	return events
}

// TestRecordedWaits checks waits by hand, on the wall clock. A sleep is recognized by name, even if
// its ends coincide with ticks of a timer. Waits for messages that end at ticks end by a timer. A
// method with another name does not wait. A wait remains unclassified if there are too few calls
// for a timer (one less than needed), if the calls are shorter than 50 us, or if its end is off by
// half a period.
func TestRecordedWaits(t *testing.T) {
	s := &trace.Symbols{}
	for _, name := range [][2]string{{"java.lang.Thread", "sleep"}, {"android.os.MessageQueue", "nativePollOnce"}, {"a.B", "work"}} {
		s.AddMethod(trace.Method{Class: name[0], Name: name[1]})
	}
	for range 6 {
		s.AddThread(trace.Thread{})
	}
	const period, long = 20 * ms, 5 * ms
	w := NewRecordedWaits(&trace.Recording{Symbols: s, Info: trace.Info{Clock: trace.Wall}})
	for _, events := range [][]trace.Event{
		calls(0, sleep, ms, long, period, 40),
		calls(1, poll, ms, long, period, 40),
		calls(2, work, ms, long, period, 40),
		calls(3, poll, ms, long, period, minEnds-1),
		calls(4, poll, ms, 49*us, period, 40),
		calls(5, poll, ms, 50*us, period, 40),
	} {
		w.Learn(events)
	}
	for _, c := range []struct {
		name   string
		thread trace.ThreadID
		method trace.MethodID
		end    time.Duration
		period time.Duration // of the timer that ends it; 0: none
	}{
		{"a sleep", 0, sleep, 6 * ms, 0},
		{"a timer", 1, poll, 6*ms + 7*period, period},
		{"off the ticks", 1, poll, 16 * ms, 0},
		{"no wait", 2, work, 6 * ms, 0},
		{"too few", 3, poll, 6 * ms, 0},
		{"too short", 4, poll, ms + 49*us, 0},
		{"long enough", 5, poll, ms + 50*us, period},
	} {
		if got := w.Classify(WakeEvent{c.thread, c.method, trace.Exit}, c.end-long, c.end); got != (WaitRule{Period: c.period}) {
			t.Errorf("%s: %+v, want a period of %v", c.name, got, c.period)
		}
	}
	if got, want := w.Totals(), (WaitTotals{Timeout: long, Deadline: 2 * long, Unclassified: 4 * long}); got != want || got.UnclassifiedShare() != 4./7 {
		t.Errorf("%+v, unclassified share %v, want %+v and 4/7", got, got.UnclassifiedShare(), want)
	}
	if got := (WaitTotals{}).UnclassifiedShare(); got != 0 {
		t.Errorf("unclassified share of no waits = %v, want 0", got)
	}
}

// TestRecordedWaitsByCPU checks that, with both clocks, a wait is a time in which a thread uses no
// CPU time, in any method and also before a call.
func TestRecordedWaitsByCPU(t *testing.T) {
	s := &trace.Symbols{}
	s.AddMethod(trace.Method{Class: "a.B", Name: "work"})
	s.AddThread(trace.Thread{})
	s.AddThread(trace.Thread{})
	w := NewRecordedWaits(&trace.Recording{Symbols: s, Info: trace.Info{Clock: trace.Dual}})
	busy, idle := calls(0, 0, 0, 5*ms, 20*ms, 40), calls(1, 0, 0, 5*ms, 20*ms, 40)
	for i := range busy { // the first thread waits between its calls, the second in its calls
		busy[i].CPU = time.Duration(i+1) / 2 * 5 * ms
		idle[i].CPU = time.Duration(i) / 2 * 15 * ms
	}
	w.Learn(busy)
	w.Learn(idle)
	for _, c := range []struct {
		by   WakeEvent
		end  time.Duration
		want time.Duration
	}{
		{WakeEvent{0, 0, trace.Enter}, 40 * ms, 20 * ms}, {WakeEvent{0, 0, trace.Exit}, 45 * ms, 0},
		{WakeEvent{1, 0, trace.Enter}, 40 * ms, 0}, {WakeEvent{1, 0, trace.Exit}, 45 * ms, 20 * ms},
	} {
		if got := w.Classify(c.by, c.end-ms, c.end); got.Period != c.want {
			t.Errorf("%+v: period %v, want %v", c.by, got.Period, c.want)
		}
	}
}

// TestTimerWithOneEarlyEnd checks the least-squares fit of 20 ends, of which the first is early by
// d. The period is longer by 6d/(n(n+1)): d times the first number's distance from the mean,
// (n−1)/2, divided by the sum of squares, n(n²−1)/12.
func TestTimerWithOneEarlyEnd(t *testing.T) {
	const n, d = 20, ms
	ends := make([]time.Duration, n)
	for i := range ends {
		ends[i] = ms + time.Duration(i+1)*frame
	}
	ends[0] -= d
	l, ok := findTimer(ends)
	want := float64(frame) + 6*float64(d)/(n*(n+1))
	if !ok || math.Abs(float64(l.Period)-want) > 1 {
		t.Errorf("period %v (%t), want %v", l.Period, ok, time.Duration(want))
	}
}

// TestStateOfMethod checks the state of a thread by its innermost method.
func TestStateOfMethod(t *testing.T) {
	for _, c := range []struct {
		m     trace.Method
		doing State
		wait  WaitRule
	}{
		{trace.Method{}, Managed, WaitRule{}},
		{trace.Method{Flags: trace.Native}, Native, WaitRule{}},
		{trace.Method{Flags: trace.Native, Wait: trace.IO}, Waiting, WaitRule{}},
		{trace.Method{Wait: trace.IO, Period: frame}, Waiting, WaitRule{Period: frame}},
		{trace.Method{Wait: trace.Sleep, Period: frame, AtOnce: true}, Waiting, WaitRule{Period: frame, AtOnce: true}},
		{trace.Method{Wait: trace.Lock, Link: trace.Link{Does: trace.Awaits}}, Waiting, WaitRule{Other: true}},
	} {
		if doing, wait := StateOf(&c.m); doing != c.doing || wait != c.wait {
			t.Errorf("%+v: doing %d, %+v, want %d, %+v", c.m, doing, wait, c.doing, c.wait)
		}
	}
}

// TestOverheadWithoutFrames checks that, without frames, the share of late frames is NaN and the
// mean delay is 0.
func TestOverheadWithoutFrames(t *testing.T) {
	var o Overhead
	if share := o.LateShare(); !math.IsNaN(share) || o.MeanLate() != 0 {
		t.Errorf("late: %v, by %v", share, o.MeanLate())
	}
	o = Overhead{Frames: 8, Late: 2, LateBy: 3 * ms}
	if o.LateShare() != 0.25 || o.MeanLate() != 1500*us {
		t.Errorf("late: %v, by %v, want 0.25 and 1.5ms", o.LateShare(), o.MeanLate())
	}
}
