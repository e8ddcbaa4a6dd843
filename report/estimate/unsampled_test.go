package estimate

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestUnsampled: a thread waits for a core, and samples come when it begins to wait. Each 4 ms it
// works for 3 ms, which no sample shows, and then two samples find it in a wait: its CPU clock
// advances by 3 ms each time, 300 ms of the 400 in all. A second thread works half of the time and
// shows it.
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
		case 0: // it waits on both threads: 101 ms of main, and 199 of the worker, which used no CPU time in it
			if wall.Low > 0 || wall.High < 297*ms {
				t.Errorf("sleep: %+v", wall)
			}
		case 2: // no sample shows main in it, so it has no upper limit from main's other methods
			if wall.Value != 200*ms || wall.High >= 200*ms+297*ms {
				t.Errorf("work: %+v", wall)
			}
		}
	}
}

// TestUnsampledUnnamed: only the CPU clock shows that a thread waits in idle, where four samples in
// a row find it every 8 ms, while they show a worker at work. A sample is due in each of the next
// 4 ms, but the sampler has to wait for main, which works for 3 of them, and then finds it in
// Object.wait.
func TestUnsampledUnnamed(t *testing.T) {
	const ms = time.Millisecond
	symbols := &trace.Symbols{
		Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "worker"}},
		Methods: []trace.Method{{Class: "a.A", Name: "idle", Signature: "()V"}, {Class: "java.lang.Object", Name: "wait", Signature: "()V"}, {Class: "a.A", Name: "odd", Signature: "()V"}, {Class: "a.A", Name: "even", Signature: "()V"}},
	}
	var events []trace.Event
	in := map[trace.ThreadID]trace.MethodID{}
	at := func(thread trace.ThreadID, wall, cpu time.Duration, to trace.MethodID) {
		if from, open := in[thread]; open {
			events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: from, Thread: thread, Action: trace.Exit})
		}
		events = append(events, trace.Event{Wall: wall, CPU: cpu, Method: to, Thread: thread})
		in[thread] = to
	}
	for i := range 50 {
		now, used := time.Duration(8*i)*ms, time.Duration(3*i)*ms
		for k := range time.Duration(5) {
			switch k {
			case 0:
				at(0, now, used, 0)
			case 4:
				at(0, now+4*ms, used, 1)
			}
			to := trace.MethodID(2 + k%2)
			if k == 4 {
				to = 1
			}
			at(1, now+k*ms, (time.Duration(4*i)+k)*ms, to)
		}
	}
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, Elapsed: 400 * ms}, Events: trace.NewSliceReader(events)}
	p, err := Read(rec, Config{Interval: ms})
	if err != nil {
		t.Fatal(err)
	}
	if want := 147 * ms; p.Unsampled != want { // 49 times 3 ms, up to the last event of main
		t.Errorf("unsampled %s, want %s", p.Unsampled, want)
	}
}

// TestBalance: the CPU time that a thread used while samples show it waiting, minus the CPU time
// missing while they show it running, in tenths of a period. Computed by hand.
func TestBalance(t *testing.T) {
	type stretch struct {
		kind
		cpu     time.Duration
		samples int64
	}
	for name, c := range map[string]struct {
		stretches []stretch
		want      time.Duration
	}{
		"the wait begins half a period after the last sample that shows it running, and ends half a period before the first that does": {
			[]stretch{{runningKind, 25, 3}, {waitingKind, 5, 2}, {runningKind, 15, 2}, {waitingKind, 5, 4}}, 0},
		"a burst that no sample shows": {[]stretch{{waitingKind, 30, 4}}, 30},
		"a burst that no sample shows, and one that is shown by a sample more than it took": {[]stretch{{waitingKind, 5, 4}, {runningKind, 5, 1}, {waitingKind, 0, 2}}, 0},
		"a thread that had no core for two periods while samples show it running makes up for one": {
			[]stretch{{runningKind, 10, 3}, {waitingKind, 20, 2}}, 10},
		"for two where a single sample has met a wait": {
			[]stretch{{runningKind, 10, 3}, {waitingKind, 20, 1}, {runningKind, 10, 1}}, 0},
		"a stretch of two stacks is one":                        {[]stretch{{runningKind, 5, 2}, {runningKind, 5, 2}, {waitingKind, 20, 2}}, 10},
		"what may run or wait makes up for a period if it runs": {[]stretch{{unknownKind, 40, 8}, {waitingKind, 15, 2}, {unknownKind, 0, 3}}, 5},
		"what no samples were taken of is neither":              {[]stretch{{silentKind, 40, 8}, {waitingKind, 3, 2}}, 3},
	} {
		var b balance
		for _, s := range c.stretches {
			b.add(s.kind, s.cpu, time.Duration(s.samples)*10, s.samples, 10)
		}
		b.close(10)
		if got := b.unsampled(10); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestUnsampledTogether: each of 100 threads works for 1 ms that no sample shows, and for 1 ms at
// which one finds it. So samples show 100 ms of running for 200 ms of CPU time: of each thread that
// is 1 ms more, as chance makes, and of all it is not.
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

// TestWalkTime: threads are stamped 10 us one after another, and samples come every millisecond:
// the longest walk of a hundred threads is 990 us shorter than that to the next sample. One sample
// in twenty that takes half a millisecond more does not count.
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
