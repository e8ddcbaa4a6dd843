package estimate

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestUnsampled checks a sampler that takes a sample only when a thread begins to wait, because it
// waits for a core. Every 4 ms, main works for 3 ms without a sample, and then two samples observe
// it in a wait. Its CPU clock advances by 3 ms each time, 300 of 400 ms in total. A second thread
// works half of the time, which samples observe.
func TestUnsampled(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{
		Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "worker"}},
		Methods: []trace.Method{{Class: "java.lang.Thread", Name: "sleep", Signature: "(J)V"}, {Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "work", Signature: "()V"}},
	}
	var events []trace.Event
	at := func(thread trace.ThreadID, wall, cpu time.Duration, from, to trace.MethodID, first bool) {
		if !first {
			events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: from, Thread: thread, Action: trace.Exit})
		}
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: to, Thread: thread})
	}
	for i := range 100 {
		now := time.Duration(4*i) * ms
		at(0, now, time.Duration(3*i)*ms, 1, 0, i == 0)
		at(1, now, time.Duration(2*i)*ms, 0, 2, i == 0)
		at(0, now+ms, time.Duration(3*i)*ms, 0, 1, false)
		at(1, now+2*ms, time.Duration(2*i+2)*ms, 2, 0, false)
	}
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 400 * ms}, Events: trace.NewSliceReader(events)}
	p, err := Read(rec, Config{Interval: ms})
	if err != nil {
		t.Fatal(err)
	}
	if want := 297 * ms; p.Unsampled != want { // up to the last event of main, at 397 ms
		t.Errorf("unsampled %s, want %s", p.Unsampled, want)
	}
	for m := range p.Methods() {
		switch wall := m.Exclusive.Wall; m.ID {
		case 0: // both threads wait in it: main for 101 ms, and the worker for 199 ms, without CPU time
			if wall.Low > 0 || wall.High < 297*ms {
				t.Errorf("sleep: %+v", wall)
			}
		case 2: // no sample observes main in it, so main's other methods do not limit it
			if wall.Value != 200*ms || wall.High >= 200*ms+297*ms {
				t.Errorf("work: %+v", wall)
			}
		}
	}
}

// TestUnsampledUnnamed checks a wait that only the CPU clock reveals. Every 12 ms, eight consecutive
// samples observe main in idle, while they observe a worker at work. A sample is due in each of the
// next 4 ms, but the sampler waits for main, which works for 3 of them. Then the sampler observes
// main in Object.wait. If main uses the CPU between the samples that observe it in idle, it may have
// run in idle at each of them, and waited in Object.wait in between.
func TestUnsampledUnnamed(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		idle, waiting time.Duration // CPU time of main while samples observe it in idle, and in Object.wait
		want          time.Duration
	}{
		{0, 3 * ms, 147 * ms}, // 49 times 3 ms, up to the last event of main
		{2 * ms, 3 * ms, 0},
	} {
		rec := &trace.Recording{
			Symbols: &trace.Symbols{
				Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "worker"}},
				Methods: []trace.Method{{Class: "a.A", Name: "idle", Signature: "()V"}, {Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "odd", Signature: "()V"}, {Class: "a.A", Name: "even", Signature: "()V"}},
			},
			Info:   trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 600 * ms},
			Events: trace.NewSliceReader(idleAndWaiting(c.idle, c.waiting)),
		}
		p, err := Read(rec, Config{Interval: ms})
		if err != nil {
			t.Fatal(err)
		}
		if p.Unsampled != c.want {
			t.Errorf("CPU time of %s in idle, %s in Object.wait: unsampled %s, want %s", c.idle, c.waiting, p.Unsampled, c.want)
		}
	}
}

// idleAndWaiting returns 50 times 12 ms: thread 0 is 8 ms in method 0 and 4 ms in method 1, and uses
// the given CPU times in them. Thread 1 runs for 8 ms, in methods 2 and 3.
func idleAndWaiting(idle, waiting time.Duration) (events []trace.Event) {
	const ms = time.Millisecond
	in := map[trace.ThreadID]trace.MethodID{}
	at := func(thread trace.ThreadID, wall, cpu time.Duration, to trace.MethodID) {
		if from, open := in[thread]; open {
			events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: from, Thread: thread, Action: trace.Exit})
		}
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: to, Thread: thread})
		in[thread] = to
	}
	for i := range time.Duration(50) {
		now, used := 12*i*ms, i*(idle+waiting)
		at(0, now, used, 0)
		for k := range time.Duration(8) {
			at(1, now+k*ms, (8*i+k)*ms, trace.MethodID(2+k%2))
		}
		at(0, now+8*ms, used+idle, 1)
		at(1, now+8*ms, 8*(i+1)*ms, 1)
	}
	return events
}

// TestBalance checks the CPU time that a thread uses while samples observe it waiting, minus the
// CPU time that is missing while they observe it running. It is in tenths of a period and computed
// by hand.
func TestBalance(t *testing.T) {
	type segment struct {
		kind
		cpu     time.Duration
		samples int64
	}
	for name, c := range map[string]struct {
		segments []segment
		want     time.Duration
	}{
		"the wait begins half a period after the last sample that shows it running, and ends half a period before the first that does": {
			[]segment{{runningKind, 25, 3}, {waitingKind, 5, 2}, {runningKind, 15, 2}, {waitingKind, 5, 4}}, 0},
		"an unsampled burst": {[]segment{{waitingKind, 30, 4}}, 30},
		"an unsampled burst, and one with a sample more than its length": {[]segment{{waitingKind, 5, 4}, {runningKind, 5, 1}, {waitingKind, 0, 2}}, 0},
		"a thread that had no core for two periods while samples show it running makes up for one": {
			[]segment{{runningKind, 10, 3}, {waitingKind, 20, 2}}, 10},
		"for two where a single sample has met a wait": {
			[]segment{{runningKind, 10, 3}, {waitingKind, 20, 1}, {runningKind, 10, 1}}, 0},
		"a stretch of two stacks is one":                  {[]segment{{runningKind, 5, 2}, {runningKind, 5, 2}, {waitingKind, 20, 2}}, 10},
		"an unknown segment counts as running if it runs": {[]segment{{unknownKind, 40, 8}, {waitingKind, 15, 2}, {unknownKind, 0, 3}}, 5},
		"a segment without samples is neither":            {[]segment{{silentKind, 40, 8}, {waitingKind, 3, 2}}, 3},
	} {
		var b balance
		for _, s := range c.segments {
			b.add(s.kind, s.cpu, time.Duration(s.samples)*10, s.samples, 10)
		}
		b.close(10)
		if got := b.unsampled(10); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestSeparateCalls checks a method that two samples in a row observe in separate calls, with a
// wait in between that no sample observes. After each of 400 samples that observe work, main runs
// for 0.4 of 1 ms, and after each of 300 that observe a wait for 0.8 ms. So the 240 ms of running
// time while samples observe waits equal the 240 ms that are missing while they observe work, and
// no time is unsampled. The interval is at most that of 700 independent samples, 400 ± 26 ms, and
// 1 ms at the end of the trace.
func TestSeparateCalls(t *testing.T) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{Name: "main"}}, Methods: []trace.Method{{Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "work", Signature: "()V"}}}
	blocks := make([]int, 200) // samples of the wait after two of work
	for i := range blocks {
		blocks[i] = 1 + i%2
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	events := []trace.Event{{Method: 1}}
	var wall, cpu time.Duration
	for _, waits := range blocks {
		wall, cpu = wall+2*ms, cpu+2*ms*4/10
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: 1, Action: trace.Exit}, trace.Event{Wall: wall, CPU: cpu, Method: 0})
		wall, cpu = wall+time.Duration(waits)*ms, cpu+time.Duration(waits)*ms*8/10
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: 0, Action: trace.Exit}, trace.Event{Wall: wall, CPU: cpu, Method: 1})
	}
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: wall}, Events: trace.NewSliceReader(events)}
	p, err := Read(rec, Config{Interval: ms})
	if err != nil {
		t.Fatal(err)
	}
	if work := method(t, p, symbols, "work").Exclusive.Wall; work.Value != 400*ms || work.Low < 373*ms || work.High > 428*ms {
		t.Errorf("work: %+v", work)
	}
}

// TestUnsampledTogether checks 100 threads that each work for 1 ms without a sample, and for 1 ms
// with one. So samples observe 100 ms of running for 200 ms of CPU time. For a single thread, the
// excess of 1 ms is within chance; for all threads together, it is not.
func TestUnsampledTogether(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{Methods: []trace.Method{{Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "work", Signature: "()V"}}}
	var events []trace.Event
	const threads = 100
	for id := range threads {
		symbols.Threads = append(symbols.Threads, trace.Thread{TID: uint32(id + 1)})
		events = append(events, trace.Event{Thread: trace.ThreadID(id)})
	}
	for id := range threads {
		at, thread := time.Duration(id+1)*ms, trace.ThreadID(id)
		for _, e := range []trace.Event{
			{Wall: at, CPU: ms, Action: trace.Exit, Method: 0}, {Wall: at, CPU: ms, Method: 1},
			{Wall: at + ms, CPU: 2 * ms, Action: trace.Exit, Method: 1}, {Wall: at + ms, CPU: 2 * ms, Method: 0},
		} {
			e.Thread = thread
			events = append(events, e)
		}
	}
	slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 101 * ms}, Events: trace.NewSliceReader(events)}
	p, err := Read(rec, Config{Interval: ms})
	if err != nil {
		t.Fatal(err)
	}
	if want := 100 * ms; p.Unsampled != want {
		t.Errorf("unsampled %s, want %s", p.Unsampled, want)
	}
	if work := method(t, p, symbols, "work").Exclusive.Wall; work.Value != 100*ms || work.High < 200*ms || work.Low > 0 {
		t.Errorf("work: %+v", work)
	}
}

// TestWalkTime checks the time of a walk. Threads have timestamps 10 us apart, and samples are
// taken every millisecond. The longest walk of a hundred threads is 990 us shorter than the time to
// the next sample. One of twenty samples takes half a millisecond longer, and does not count.
func TestWalkTime(t *testing.T) {
	const us = time.Microsecond
	var events []trace.Event
	for i := range 200 {
		for id := range trace.ThreadID(31) {
			at := time.Duration(i)*1000*us + time.Duration(id)*10*us
			if i%20 == 7 && id > 15 {
				at += 150 * us
			}
			events = append(events, trace.Event{Wall: at, Thread: id})
		}
	}
	if got, want := walkTime(events, 1000*us), 300*us; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := walkTime(events[:31*5], 1000*us); got != 0 {
		t.Errorf("of five samples: %s, want 0", got)
	}
}
