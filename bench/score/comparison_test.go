package score

import (
	"math"
	"slices"
	"testing"
	"time"

	"artifice/bench/measure"
	"artifice/trace"
)

// comparisonOf returns a comparison with exclusive wall times in ms. The first method waits.
func comparisonOf(truth, seen []time.Duration) *Comparison {
	waits := make([]bool, len(truth))
	waits[0] = true
	c := &Comparison{waits: waits}
	c.True.Exclusive, c.Seen.Exclusive = truth, seen
	c.True.Calls = []int64{1, 2, 3}
	return c
}

// TestRunning checks the example of the definition. The true times of wait, A and B are 60, 30 and
// 10; the reported times are 90, 5 and 5.
func TestRunning(t *testing.T) {
	c := comparisonOf([]time.Duration{60, 30, 10}, []time.Duration{90, 5, 5})
	if got := measure.Overlap(c.Running()); math.Abs(got-0.75) > 1e-12 || c.RunningByCPU() {
		t.Errorf("overlap %v, by CPU %v; want 0.75, false", got, c.RunningByCPU())
	}
	if got := measure.Overlap(c.True.Exclusive, c.Seen.Exclusive); math.Abs(got-0.7) > 1e-12 {
		t.Errorf("overlap of wall time %v, want 0.7", got)
	}
	// B has a quarter of the true running time and a tenth of the true wall time.
	if got := c.RunningAbove(0.25); got[0] != 0 || got[1] != 2 || got[2] != 3 {
		t.Errorf("calls %v", got)
	}
	if got := c.RunningAbove(0.26); got[2] != 0 {
		t.Errorf("calls %v", got)
	}
}

// TestRunningByCPU checks that CPU times are used if both sides have them. The truth has 2, 6 and
// 2, the observed trace 5, 5 and 0, so the overlap is 0.2 + 0.5 + 0. A CPU clock that never
// advances counts as missing. If a side has no CPU time, both sides use wall time.
func TestRunningByCPU(t *testing.T) {
	c := comparisonOf([]time.Duration{60, 30, 10}, []time.Duration{90, 5, 5})
	c.True.CPU = &CPUSide{Exclusive: []time.Duration{2, 6, 2}, Time: 10}
	if got := measure.Overlap(c.Running()); math.Abs(got-0.75) > 1e-12 {
		t.Errorf("without CPU time on one side: overlap %v, want 0.75", got)
	}
	c.Seen.CPU = &CPUSide{Exclusive: []time.Duration{5, 5, 0}, Time: 10}
	if got := measure.Overlap(c.Running()); math.Abs(got-0.7) > 1e-12 || !c.RunningByCPU() {
		t.Errorf("overlap %v", got)
	}
	if got := c.RunningAbove(0.2); got[0] != 1 { // the method waits, but uses CPU time
		t.Errorf("calls %v", got)
	}
	c.ByWall = true
	if got := measure.Overlap(c.Running()); math.Abs(got-0.75) > 1e-12 {
		t.Errorf("by wall time: overlap %v, want 0.75", got)
	}
	c.ByWall, c.True.CPU.Time = false, 0
	if c.RunningByCPU() {
		t.Error("RunningByCPU() = true for a CPU clock that never advances")
	}
}

// TestWaiting checks which methods wait: a synthetic truth states it, otherwise the name determines
// it.
func TestWaiting(t *testing.T) {
	for _, c := range []struct {
		method trace.Method
		want   bool
	}{
		{trace.Method{Class: "java/lang/Object", Name: "wait"}, true},
		{trace.Method{Class: "java.lang.Thread", Name: "parkFor$"}, true},
		{trace.Method{Class: "android.os.MessageQueue", Name: "nativePollOnce"}, true},
		{trace.Method{Class: "android.os.MessageQueue", Name: "next"}, false},
		{trace.Method{Class: "my.Queue", Name: "wait"}, false},
		{trace.Method{Class: "my.Queue", Name: "take", Wait: trace.Lock}, true},
	} {
		if got := c.method.Waits(); got != c.want {
			t.Errorf("%s: Waits() = %v, want %v", c.method.FullName(), got, c.want)
		}
	}
}

// TestFrames checks late frames, counted by hand. A thread waits for a timer of 10 ms, and the
// waits end at 10, 20, 50, 60 and 70 ms, so one of four frames is late. Waits with AtOnce, a sleep,
// and the single wait of the other thread do not count.
func TestFrames(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{}
	symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	symbols.AddThread(trace.Thread{TID: 2, Name: "worker"})
	symbols.AddMethod(trace.Method{Name: "vsync", Wait: trace.IO, Period: 10 * ms})
	symbols.AddMethod(trace.Method{Name: "sound", Wait: trace.IO, Period: 10 * ms, AtOnce: true})
	symbols.AddMethod(trace.Method{Name: "sleep", Wait: trace.IO})
	var events []trace.Event
	wait := func(id trace.ThreadID, m trace.MethodID, from, to time.Duration) {
		events = append(events, trace.Event{Wall: from * ms, Thread: id, Method: m}, trace.Event{Wall: to * ms, Thread: id, Method: m, Action: trace.Exit})
	}
	wait(0, 0, 2, 10)
	wait(0, 1, 11, 12)
	wait(0, 0, 13, 20)
	wait(1, 0, 20, 30)
	wait(0, 2, 31, 45)
	wait(0, 0, 46, 50)
	wait(0, 0, 50, 60)
	wait(0, 0, 69, 70)
	truth := &trace.Recording{Symbols: symbols, Info: trace.Info{Technique: trace.Truth, Elapsed: 80 * ms}, Events: trace.NewSliceReader(events)}
	state := NewTrueState(truth)
	if err := state.ReadAll(truth); err != nil {
		t.Fatal(err)
	}
	if got := NewReference(state).Truth(); got.Frames != 4 || got.FramesLate != 1 {
		t.Errorf("%d of %d frames are late, want 1 of 4", got.FramesLate, got.Frames)
	}
}

// TestMissed: of wait, A and B with 60, 30 and 10 ms, the trace has calls of wait only. A has three
// quarters of the true running time and B one quarter. A named method is missed whatever its time.
func TestMissed(t *testing.T) {
	c := comparisonOf([]time.Duration{60, 30, 10}, []time.Duration{90, 0, 0})
	c.Seen.Calls = []int64{1, 0, 0}
	for _, x := range []struct {
		share float64
		named [][]trace.MethodID
		want  []trace.MethodID
	}{
		{0.25, nil, []trace.MethodID{1, 2}},
		{0.26, nil, []trace.MethodID{1}},
		{0.76, nil, nil},
		{0.76, [][]trace.MethodID{{2}, {0}, {}}, []trace.MethodID{2}},
		{0.76, [][]trace.MethodID{{0, 2}}, nil}, // one of two methods with this name has a call
	} {
		c.Named = x.named
		if got := c.Missed(x.share); !slices.Equal(got, x.want) {
			t.Errorf("share %v, named %v: %v, want %v", x.share, x.named, got, x.want)
		}
	}
}

// TestCollected: of the time of a method on stacks, the part in calls by a garbage collector counts as
// collected: that of the collector itself, and 1 of the 4 ms of mark.
func TestCollected(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{}
	symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	symbols.AddMethod(trace.Method{Class: "a.A", Name: "run"})
	symbols.AddMethod(trace.Method{Class: "a.A", Name: "collect", Flags: trace.Collector})
	symbols.AddMethod(trace.Method{Class: "a.A", Name: "mark"})
	event := func(at time.Duration, m trace.MethodID, a trace.Action) trace.Event {
		return trace.Event{Wall: at * ms, CPU: at * ms, Method: m, Action: a}
	}
	events := []trace.Event{
		event(0, 0, trace.Enter), event(1, 0, trace.Enter), event(2, 2, trace.Enter), event(5, 2, trace.Exit),
		event(5, 1, trace.Enter), event(6, 2, trace.Enter), event(7, 2, trace.Exit), event(7, 1, trace.Exit),
		event(8, 0, trace.Exit), event(10, 0, trace.Exit),
	}
	truth := &trace.Recording{Symbols: symbols, Info: trace.Info{Technique: trace.Truth, Elapsed: 10 * ms}, Events: trace.NewSliceReader(events)}
	state := NewTrueState(truth)
	if err := state.ReadAll(truth); err != nil {
		t.Fatal(err)
	}
	r := NewReference(state)
	for id, want := range []Method{
		{Name: "a.A.run", Calls: 2, On: 10 * ms}, {Name: "a.A.collect", Calls: 1, On: 2 * ms, Collected: 1}, {Name: "a.A.mark", Calls: 2, On: 4 * ms, Collected: 0.25},
	} {
		got := r.Method(trace.MethodID(id))
		got.Running = 0
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if r.HasMethod(3) || !r.HasMethod(2) {
		t.Error("the truth has methods 0 to 2")
	}
}
