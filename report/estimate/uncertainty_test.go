package estimate

import (
	"slices"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// TestUncertainty checks two threads, by hand. Thread 0 was in A and ran 4 ms, up to 3 of them in
// B, and in B and ran 2 ms, up to 2 of them in A. It may have been running in A for 1 ms before its
// first sample. One uncertain ms of each method is in stacks that did not end then. Thread 1 was in
// A and ran 1 ms, which is certain.
func TestUncertainty(t *testing.T) {
	const methodA, methodB = trace.MethodID(0), trace.MethodID(1)
	f := newFollower(true)
	add := func(id trace.ThreadID, m trace.MethodID, cpu, misattributed time.Duration) calltree.Node {
		n := f.tree.Child(f.thread(id).at, m)
		f.grow()
		f.tree.At(n).Self, f.misattributed[n] = calltree.Times{Wall: 10 * ms, CPU: cpu}, misattributed
		f.misattributedOnExit[n] = max(0, misattributed-ms)
		return n
	}
	a, b, other := add(0, methodA, 4*ms, 3*ms), add(0, methodB, 2*ms, 2*ms), add(1, methodA, ms, 0)
	f.begins = []openEnd{{at: a, left: ms, after: ms}}
	d := newUncertainty(f, nil, false)
	check := func(what string, u margins, most, misattributed, others time.Duration) {
		t.Helper()
		if u.maxCPU != most || u.misattributed != misattributed || u.others != others {
			t.Errorf("%s: at most %v, %v may be misattributed to it, %v to others; want %v, %v, %v", what, u.maxCPU, u.misattributed, u.others, most, misattributed, others)
		}
	}
	for _, c := range []struct {
		what                        string
		at                          calltree.Node
		most, misattributed, others time.Duration
	}{
		{"A on thread 0", a, 7 * ms, 3 * ms, 2 * ms},
		{"B on thread 0", b, 7 * ms, 2 * ms, 3 * ms},
		{"A on thread 1", other, ms, 0, 0},
	} {
		exclusive, inclusive := d.context(c.at)
		check(c.what, exclusive, c.most, c.misattributed, c.others)
		check(c.what+", inclusive", inclusive, c.most, c.misattributed, c.others)
		if want := max(0, c.misattributed-ms); inclusive.onExit != want || exclusive.onExit != 0 {
			t.Errorf("%s: %v at the exit, want %v", c.what, inclusive.onExit, want)
		}
	}
	methods := d.methods([]int32{methodA: 0, methodB: 1}, 2)
	check("A", methods[0].exclusive, 8*ms, 3*ms, 2*ms)
	check("A, inclusive", methods[0].inclusive, 8*ms, 3*ms, 2*ms)
	check("B", methods[1].exclusive, 7*ms, 2*ms, 3*ms)
	if a, b := methods[0].exclusive.edge, methods[1].exclusive.edge; a != 0 || b != ms {
		t.Errorf("%v and %v at the ends of threads in other methods, want 0s and 1ms", a, b)
	}
}

// TestHeldByPauses checks samples every 10 ms with a pause of 2 ms, by hand. The first wait ends in
// a pause: the thread runs for all of the 8 ms to the next sample. The second one ends 3 ms before
// the next sample. The trace has 10 ms for each sample. One of work and two of next after the first
// wait represent 2 ms each, and one of work after the second represents 12 ms. So next may have
// 16 ms too much, and work 6 ms. Work is first after both waits, which may take 4 ms more or less.
func TestHeldByPauses(t *testing.T) {
	const wait, work, next = trace.MethodID(0), trace.MethodID(1), trace.MethodID(2)
	f := newFollower(false)
	f.period, f.stopped = 10*ms, 2*ms
	f.waiting = &waitingMethods{symbols: &trace.Symbols{Methods: []trace.Method{{Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "work"}, {Class: "a.A", Name: "next"}}}}
	th := f.thread(0)
	root, node := th.at, map[trace.MethodID]calltree.Node{}
	for _, s := range []struct {
		method trace.MethodID
		sample int64
		cpu    time.Duration
	}{{wait, 1, 0}, {work, 2, 8}, {next, 3, 16}, {wait, 5, 32}, {work, 6, 35}, {wait, 7, 43}} {
		node[s.method] = f.tree.Child(root, s.method)
		f.change(th, node[s.method], stamp{point: point{wall: time.Duration(s.sample) * 10 * ms, cpu: s.cpu * ms, sample: s.sample}})
	}
	held, kept := f.heldByPauses()
	for method, want := range map[trace.MethodID][2]time.Duration{wait: {0, 4 * ms}, work: {4 * ms, 6 * ms}, next: {0, 16 * ms}} {
		if n := node[method]; held[n] != want[0] || kept[n] != want[1] {
			t.Errorf("method %d: %s less and %s more, want %s and %s", method, held[n], kept[n], want[0], want[1])
		}
	}
}

// TestIdleTime checks the pause of a sample in periods of 1.4 ms. The most common usual interval
// below that is 1 ms, so a pause takes at most 400 µs.
func TestIdleTime(t *testing.T) {
	const us = time.Microsecond
	repeat := func(n int, values ...time.Duration) []time.Duration { return slices.Repeat(values, n) }
	for name, c := range map[string]struct {
		idle []time.Duration // in successive periods
		want time.Duration
	}{
		"managed code":                {repeat(10, 270*us, 280*us, 290*us, 300*us), 280 * us},
		"some native code":            {append(repeat(10, 0), repeat(10, 270*us, 280*us, 290*us, 300*us)...), 270 * us},
		"mostly native code":          {append(repeat(90, 1*us), repeat(10, 270*us, 280*us, 290*us, 300*us)...), 290 * us},
		"native code, and long waits": {append(repeat(90, 0), append(repeat(20, 280*us), repeat(10, 900*us)...)...), 280 * us},
		"no pauses, and short waits":  {append(repeat(90, 0), repeat(10, 50*us, 150*us, 250*us, 350*us)...), 0},
		"no pauses":                   {repeat(90, 0), 0},
	} {
		events := []trace.Event{{}}
		for _, idle := range c.idle {
			e := events[len(events)-1]
			e.Wall, e.CPU = e.Wall+1400*us, e.CPU+1400*us-idle
			events = append(events, e)
		}
		if got := idleTime(idleTimes(events, trace.Dual, 2000*us), beyondUsual(1400*us)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestEqualPause checks pauses that show as equal idle times.
func TestEqualPause(t *testing.T) {
	const us = time.Microsecond
	repeat := func(n int, values ...time.Duration) []time.Duration { return slices.Repeat(values, n) }
	for name, c := range map[string]struct {
		idle []time.Duration
		want time.Duration // 0: none
	}{
		"managed code only":             {repeat(12, 838*us, 840*us), 0},
		"some native code":              {slices.Concat(repeat(12, 0), repeat(12, 838*us, 840*us)), 838 * us},
		"native code ends in pauses":    {slices.Concat(repeat(20, 0, 1*us), repeat(3, 100*us, 300*us, 500*us, 700*us), repeat(14, 840*us), repeat(1, 3000*us)), 840 * us},
		"fewer than half are equal":     {slices.Concat(repeat(3, 100*us, 300*us, 500*us, 700*us), repeat(11, 840*us)), 0},
		"waits of many lengths":         {[]time.Duration{100 * us, 200 * us, 300 * us, 400 * us, 500 * us, 600 * us, 700 * us, 800 * us, 900 * us, 1000 * us, 1100 * us, 1200 * us, 1300 * us, 1400 * us, 1500 * us, 1600 * us, 1700 * us, 1800 * us, 1900 * us, 2000 * us, 2100 * us, 2200 * us, 2300 * us, 2400 * us}, 0},
		"too few":                       {slices.Concat(repeat(12, 0), repeat(11, 838*us, 840*us)), 0},
		"no pauses":                     {repeat(90, 0), 0},
		"within a tenth of the pause":   {slices.Concat(repeat(12, 0), repeat(12, 1000*us, 1099*us)), 1000 * us},
		"not within a tenth of a pause": {slices.Concat(repeat(12, 0), repeat(8, 1000*us, 1150*us, 1300*us)), 0},
	} {
		slices.Sort(c.idle)
		got, ok := equalPause(c.idle)
		if ok != (c.want > 0) || ok && (got < c.want || got > c.want*11/10) {
			t.Errorf("%s: %s, %t, want %s", name, got, ok, c.want)
		}
	}
}

// TestPauseOfWaitingThread: a sampler with an interval of 10 ms and pauses of 0.4 ms has periods of
// 10.4 ms. A thread that waits for 9.5 ms of each has nearly equal idle times, which are no pauses:
// the pause is at most what the period leaves besides the interval.
func TestPauseOfWaitingThread(t *testing.T) {
	const us = time.Microsecond
	idle := slices.Concat(slices.Repeat([]time.Duration{7000 * us}, 12), slices.Repeat([]time.Duration{9500 * us, 9600 * us}, 20))
	f := &follower{period: 10400 * us}
	f.setPause(idle, 16*us, 10200*us)
	if f.paused > 200*us || f.stopped > 200*us {
		t.Errorf("pause %s, stopped %s, want at most 200 us: the shortest period less the interval", f.paused, f.stopped)
	}
}

// TestCPUOfSample: a sample of CPU time represents the period. Without a period, it represents its
// share of the total CPU time: a quarter of 10 ms.
func TestCPUOfSample(t *testing.T) {
	f := newFollower(false)
	n := f.tree.Child(f.thread(0).at, 0)
	f.grow()
	f.tree.At(n).Self, f.samples = calltree.Times{Wall: 20 * ms, CPU: 10 * ms}, 4
	if got := f.cpuEach(); got != 2500*time.Microsecond {
		t.Errorf("without a period: %v, want 2.5ms", got)
	}
	if f.period = 3 * ms; f.cpuEach() != 3*ms {
		t.Errorf("with a period of 3 ms: %v", f.cpuEach())
	}
}
