package thread

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// busy returns a truth of threads that run in one method from 0 to length.
func busy(threads int, length time.Duration) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: length}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "run"})
	var enters, exits []trace.Event
	for i := range threads {
		rec.Symbols.AddThread(trace.Thread{TID: uint32(i + 1)})
		enters = append(enters, trace.Event{Thread: trace.ThreadID(i)})
		exits = append(exits, trace.Event{Thread: trace.ThreadID(i), Action: trace.Exit, Wall: length, CPU: length})
	}
	rec.Events = trace.NewSliceReader(append(enters, exits...))
	return rec
}

// record reads a recording to its end.
func record(t *testing.T, truth *trace.Recording, cfg Config) (*trace.Recording, []trace.Event, *Stats) {
	t.Helper()
	rec, err := Record(truth, cfg)
	if err != nil {
		t.Fatal(err)
	}
	stats := rec.Events.(*Reader).Stats()
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		t.Fatal(err)
	}
	return rec, all.Events, stats
}

// TestTimer checks a thread that runs for L. It is sampled every T of its CPU time, of which a
// sample takes c. If the first sample is after T, there are (L - 1)/(T - c) samples, rounded down,
// and the slowdown is 1 + c/(T - c). For L = 1 s, T = 1 ms and c = 0.2 ms, the number is 1 + (1000
// - 1)/0.8 = 1249.
func TestTimer(t *testing.T) {
	rec, _, stats := record(t, busy(1, time.Second), Config{Interval: ms, Cost: Cost{Sample: 200 * us}})
	if stats.Samples != 1249 {
		t.Errorf("%d samples, want 1249", stats.Samples)
	}
	if want := time.Second + 1249*200*us; rec.Info.Elapsed != want {
		t.Errorf("elapsed %s, want %s", rec.Info.Elapsed, want)
	}
}

// TestUntil checks a core's timer of 1 ms, which also counts the 0.1 ms of each sample. Samples are
// at 1, 1.9, 2.8, 3.7 and 4.6 ms of app time in a recording that ends after 5 ms of app time. After
// that, the thread has no overhead.
func TestUntil(t *testing.T) {
	rec, _, stats := record(t, busy(1, 10*ms), Config{Interval: ms, Until: 5 * ms, Timer: CoreTimer, Cost: Cost{Sample: 100 * us}})
	if want := 10*ms + 5*100*us; stats.Samples != 5 || rec.Info.Elapsed != want {
		t.Errorf("%d samples in %s, want 5 in %s", stats.Samples, rec.Info.Elapsed, want)
	}
}

// TestSlowdownOfRecorded checks a recorded trace that continues after the last event of a thread:
// samples lengthen the whole run.
func TestSlowdownOfRecorded(t *testing.T) {
	truth := busy(1, 10*ms)
	truth.Info.Technique, truth.Info.Elapsed = trace.Instrumented, 20*ms
	truth.Symbols.Threads[0].End = 10 * ms
	rec, _, _ := record(t, truth, Config{Interval: ms, Cost: Cost{Sample: 500 * us}})
	// Samples are at 1, 1.5 ... 9.5 ms.
	if want := 20*ms + 18*500*us; rec.Info.Elapsed != want {
		t.Errorf("elapsed %s, want %s", rec.Info.Elapsed, want)
	}
}

// TestLongSample checks samples that are longer than the interval. With a sample of 2.5 ms, the
// timer of 1 ms misses two multiples, so the app runs for 0.5 ms between two samples: in 10 ms,
// samples are at 1, 1.5 ... 9.5 ms. With a sample of exactly 1 ms, it misses one (hrtimer_forward:
// the next expiration is after now), and samples are at 1, 2 ... 9 ms.
func TestLongSample(t *testing.T) {
	for cost, want := range map[time.Duration]int64{2500 * us: 18, ms: 9} {
		_, _, stats := record(t, busy(1, 10*ms), Config{Interval: ms, Cost: Cost{Sample: cost}})
		if stats.Samples != want {
			t.Errorf("%s: %d samples, want %d", cost, stats.Samples, want)
		}
	}
}

// TestWaits checks that a thread has no samples while it waits, although the wall clock advances.
// CPU time in the record is the number of earlier samples times the interval. All 14 samples have
// one stack, which has one enter. The exit at the thread's end has the CPU time of all samples.
func TestWaits(t *testing.T) {
	truth := busy(1, 0)
	truth.Symbols.AddMethod(trace.Method{Class: "java.lang.Thread", Name: "sleep"})
	truth.Info.Elapsed = 0
	truth.Events = trace.NewSliceReader([]trace.Event{
		{}, {Method: 1, Wall: 10*ms - us, CPU: 10*ms - us}, {Method: 1, Action: trace.Exit, Wall: time.Second, CPU: 10*ms - us},
		{Action: trace.Exit, Wall: time.Second + 5*ms, CPU: 15*ms - us},
	})
	_, events, stats := record(t, truth, Config{Interval: ms})
	want := []trace.Event{{Wall: ms}, {Action: trace.Exit, Wall: time.Second + 5*ms, CPU: 14 * ms}}
	if stats.Samples != 14 || !slices.Equal(events, want) {
		t.Errorf("%d samples, %+v, want 14, %+v", stats.Samples, events, want)
	}
}

// TestNoCPUClock checks that, without a CPU clock, a thread runs in methods that do not wait.
func TestNoCPUClock(t *testing.T) {
	truth := busy(1, 0)
	truth.Symbols.AddMethod(trace.Method{Class: "java.lang.Thread", Name: "sleep"})
	truth.Info = trace.Info{Clock: trace.Wall}
	truth.Events = trace.NewSliceReader([]trace.Event{
		{}, {Method: 1, Wall: 10 * ms}, {Method: 1, Action: trace.Exit, Wall: time.Second}, {Action: trace.Exit, Wall: time.Second + 5*ms},
	})
	rec, _, stats := record(t, truth, Config{Interval: ms})
	if stats.Samples != 14 || rec.Info.Clock != trace.Wall {
		t.Errorf("%d samples, want 14; clock %s", stats.Samples, rec.Info.Clock)
	}
}

// TestRandomCost checks the mean of an exponential time clipped at M, which is m(1 - exp(-M/m)):
// for 23 and 103 µs, 22.74 µs.
func TestRandomCost(t *testing.T) {
	_, _, stats := record(t, busy(1, 100*time.Second), Config{Interval: ms, Seed: 1, Cost: Cost{Sample: 23 * us, SampleMax: 103 * us}})
	mean := float64(stats.Taken[0]) / float64(stats.Samples)
	// The standard deviation is at most the mean; 4 standard errors of 100000 samples are allowed.
	if want := 23e3 * (1 - math.Exp(-103./23)); math.Abs(mean-want) > 4*23e3/math.Sqrt(1e5) {
		t.Errorf("mean %v ns, want %v", mean, want)
	}
	if stats.Longest != 103*us {
		t.Errorf("longest %s, want 103us", stats.Longest)
	}
}

// TestBuffer checks four threads that each deliver one sample per ms, while each sample takes 0.4
// ms of processing. Of 4 n samples, 2.5 n are kept, plus the contents of the buffer.
func TestBuffer(t *testing.T) {
	const slots, length = 100, 10_000
	truth := busy(4, 0)
	var events []trace.Event
	for i := range 4 {
		events = append(events, trace.Event{Thread: trace.ThreadID(i)})
	}
	truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "step"})
	for at := range length { // so samples reach the buffer when they are taken
		for i := range 4 {
			for _, action := range []trace.Action{trace.Enter, trace.Exit} {
				now := time.Duration(at+1)*ms + us*time.Duration(1+int(action))
				events = append(events, trace.Event{Thread: trace.ThreadID(i), Method: 1, Action: action, Wall: now, CPU: now})
			}
		}
	}
	sortByTime(events)
	truth.Info.Elapsed = events[len(events)-1].Wall
	truth.Events = trace.NewSliceReader(events)
	rec, _, stats := record(t, truth, Config{Interval: ms, Buffer: Buffer{slots, 400 * us}})
	if all := stats.Samples + stats.Lost; all != 4*length {
		t.Errorf("%d samples, want %d", all, 4*length)
	}
	if want := int64(length*5/2 + slots); stats.Samples < want-4 || stats.Samples > want+4 {
		t.Errorf("%d kept, want %d", stats.Samples, want)
	}
	if !rec.Info.Overflow || len(rec.Warnings) != 1 || rec.Warnings[0].Code != trace.WarnOverflow {
		t.Errorf("overflow %v, warnings %v", rec.Info.Overflow, rec.Warnings)
	}
}

func sortByTime(events []trace.Event) {
	for i := range events { // insertion sort, because events are nearly sorted
		for k := i; k > 0 && events[k].Wall < events[k-1].Wall; k-- {
			events[k], events[k-1] = events[k-1], events[k]
		}
	}
}

// TestInlinedMethods checks that the time of an inlined method is attributed to its caller.
func TestInlinedMethods(t *testing.T) {
	truth := busy(1, 0)
	truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "inlined", Flags: trace.Inlined})
	truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "seen"})
	truth.Info.Elapsed = 0
	truth.Events = trace.NewSliceReader([]trace.Event{
		{}, {Method: 1, Wall: us, CPU: us}, {Method: 2, Wall: 3 * ms, CPU: 3 * ms},
		{Method: 2, Action: trace.Exit, Wall: 5 * ms, CPU: 5 * ms}, {Method: 1, Action: trace.Exit, Wall: 7 * ms, CPU: 7 * ms},
	})
	_, events, _ := record(t, truth, Config{Interval: ms, Unseen: trace.Inlined})
	want := []trace.Event{
		{Wall: ms}, {Wall: 3 * ms, CPU: 2 * ms, Method: 2}, {Wall: 5 * ms, CPU: 4 * ms, Method: 2, Action: trace.Exit},
		{Wall: 7 * ms, CPU: 6 * ms, Action: trace.Exit},
	}
	if len(events) != len(want) {
		t.Fatalf("%+v", events)
	}
	for i := range want {
		if events[i] != want[i] {
			t.Errorf("%+v, want %+v", events[i], want[i])
		}
	}
}

// TestRefused checks that configurations are rejected that would never end.
func TestRefused(t *testing.T) {
	read := func(truth *trace.Recording, cfg Config) error {
		rec, err := Record(truth, cfg)
		if err == nil {
			_, err = trace.Copy(trace.Discard, rec.Events)
		}
		return err
	}
	backwards := busy(2, 0)
	backwards.Events = trace.NewSliceReader([]trace.Event{{Wall: ms}, {Thread: 1}})
	nameless := busy(1, 0)
	nameless.Events = trace.NewSliceReader([]trace.Event{{Method: 7}})
	cut := busy(1, ms)
	cut.Events = broken{}
	cpuOnly := busy(1, ms)
	cpuOnly.Info.Clock = trace.ThreadCPU
	for want, err := range map[string]error{
		"10µs":           read(busy(1, ms), Config{Interval: us}),
		"negative":       read(busy(1, ms), Config{Interval: ms, Cost: Cost{Sample: -1}}),
		"more than 1s":   read(busy(1, ms), Config{Interval: ms, Cost: Cost{PerFrame: time.Hour}}),
		"a buffer of -1": read(busy(1, ms), Config{Interval: ms, Buffer: Buffer{Slots: -1}}),
		"can be traced":  read(busy(1, math.MaxInt64), Config{Interval: ms}),
		"time order":     read(backwards, Config{Interval: ms}),
		"the truth has":  read(nameless, Config{Interval: ms}),
		"unexpected EOF": read(cut, Config{Interval: ms}),
		"thread-cpu":     read(cpuOnly, Config{Interval: ms}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// TestTooManySamples checks that a truth that is too long for its interval is rejected after the
// maximum number of samples.
func TestTooManySamples(t *testing.T) {
	testdata.Seldom(t, 6)
	rec, err := Record(busy(1, 1<<60), Config{Interval: ms})
	if err == nil {
		_, err = trace.Copy(trace.Discard, rec.Events)
	}
	if err == nil || !strings.Contains(err.Error(), "samples by") || !strings.Contains(err.Error(), "use a longer interval than 1ms") {
		t.Errorf("error %v", err)
	}
}

type broken struct{}

func (broken) ReadEvents([]trace.Event) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestCoreTimer checks a thread that runs in the first 4 ms of every 10 ms. All expirations at 3,
// 13, 23 ... ms sample it, and none at 7, 17, 27 ... ms. Each sample represents 10 ms.
func TestCoreTimer(t *testing.T) {
	for phase, want := range map[time.Duration]int64{3 * ms: 100, 7 * ms: 0} {
		truth := busy(1, 0)
		truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "idle", Wait: trace.IO})
		events := []trace.Event{{}}
		for i := range time.Duration(100) {
			wall, cpu := 10*i*ms, 4*i*ms
			events = append(events, trace.Event{Method: 1, Wall: wall + 4*ms, CPU: cpu + 4*ms}, trace.Event{Method: 1, Action: trace.Exit, Wall: wall + 10*ms, CPU: cpu + 4*ms})
		}
		truth.Info.Elapsed = time.Second
		truth.Events = trace.NewSliceReader(events)
		_, _, stats := record(t, truth, Config{Interval: 10 * ms, Phase: phase, Timer: CoreTimer})
		if stats.Samples != want {
			t.Errorf("phase %s: %d samples, want %d", phase, stats.Samples, want)
		}
	}
}

// TestRandomFirst checks that the first samples of 2000 threads are uniform over one interval.
// Their mean is half of it, with a standard error of 1/sqrt(12 n).
func TestRandomFirst(t *testing.T) {
	_, events, _ := record(t, busy(2000, 23*ms+us), Config{Interval: 23 * ms, RandomFirst: true, Seed: 1})
	var sum float64
	enters := 0
	for _, e := range events {
		if e.Action == trace.Enter {
			sum += float64(e.Wall) / float64(23*ms)
			enters++
		}
	}
	if mean := sum / 2000; enters != 2000 || math.Abs(mean-0.5) > 4/math.Sqrt(12*2000) {
		t.Errorf("%d threads, mean %v of an interval, want 2000 and 0.5", enters, mean)
	}
}

// TestTooDeep checks that a stack with more frames than the tool's maximum is not recorded, but has
// a cost.
func TestTooDeep(t *testing.T) {
	truth := busy(1, 10*ms)
	truth.Events = trace.NewSliceReader([]trace.Event{{}, {Wall: 5*ms + us, CPU: 5*ms + us}})
	rec, _, stats := record(t, truth, Config{Interval: ms, Deepest: 1, Cost: Cost{PerFrame: us}})
	// With one frame, samples are at 1 to 5 ms of the timer; the others have two frames.
	if stats.Samples != 5 || stats.TooDeep != 5 || stats.Taken[0] != 5*us+5*2*us {
		t.Errorf("%+v", stats)
	}
	if len(rec.Warnings) != 1 || rec.Warnings[0].Code != warnTooDeep {
		t.Errorf("warnings %v", rec.Warnings)
	}
}
