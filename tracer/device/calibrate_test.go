package device

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/art"
	"artifice/instrument"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"

	"artifice/internal/testdata"
	"artifice/trace"
)

const ms = time.Millisecond

func calibrated(t *testing.T, name string) *Calibration {
	t.Helper()
	r, err := Calibrate(&tracetest.Real(t, name).Recording)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRealSampledTraces: another program computed medians of single-period intervals of 6.19, 3.57
// and 2.25 ms; they agree within 5 %. Bounds of the pause and of the cost per thread were read off
// these traces by hand: pauses of 0.6 to 1.1, 0.01 to 0.06 and up to 0.65 ms (a median includes
// waiting, so that is a lower bound here), 15 to 20 µs per thread on the phones. The inferred
// intervals were 5, 3 and 1 ms.
func TestRealSampledTraces(t *testing.T) {
	tests := []struct {
		name                string
		period              time.Duration
		pauseLow, pauseHigh time.Duration
		perThread           time.Duration
		interval            time.Duration
	}{
		{"sampled-art-file.trace", 6190 * us, 600 * us, 1100 * us, 15 * us, 5 * ms},
		{"sampled-host-file.trace", 3570 * us, 10 * us, 60 * us, 0, 3 * ms},
		{"sampled-streaming.trace", 2250 * us, 400 * us, 800 * us, 15 * us, 1 * ms},
	}
	for _, test := range tests {
		s := calibrated(t, test.name).Sampled
		if s == nil {
			t.Errorf("%s: not recognized as a sampled trace", test.name)
			continue
		}
		if !near(s.Period.Value, test.period, 0.05) || s.Period.Low > s.Period.Value || s.Period.High < s.Period.Value {
			t.Errorf("%s: period %v, want %s", test.name, s.Period, test.period)
		}
		if s.Pause.Value < test.pauseLow || s.Pause.Value > test.pauseHigh || s.Pause.Low > s.Pause.Value || s.Pause.High < s.Pause.Value {
			t.Errorf("%s: pause %v, want %s to %s", test.name, s.Pause, test.pauseLow, test.pauseHigh)
		}
		if s.PerThread.Value < test.perThread || s.PerThread.Value > 20*us {
			t.Errorf("%s: %v per thread, want %s to 20us", test.name, s.PerThread, test.perThread)
		}
		if got := s.AppRun.Value + s.Pause.Value; got != s.Period.Value {
			t.Errorf("%s: run and pause add up to %s, want the period %s", test.name, got, s.Period.Value)
		}
		if got := s.Interval(); got != test.interval {
			t.Errorf("%s: interval %s, want %s", test.name, got, test.interval)
		}
		if s.Reversed > s.Ordered/100 {
			t.Errorf("%s: %d pairs of timestamps in list order, %d reversed", test.name, s.Ordered, s.Reversed)
		}
	}
}

func near(got, want time.Duration, share float64) bool {
	return math.Abs(float64(got-want)) <= share*float64(want)
}

// TestDeviceReproducesTheTrace samples a synthetic app on the device calibrated from a real trace,
// with the same numbers of threads and frames and the same CPU share of the main thread, and
// calibrates the result. Period p1 and p50, CPU share, order of timestamps and skew are those of
// the real trace within 10 %.
func TestDeviceReproducesTheTrace(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, name := range []string{"sampled-art-file.trace", "sampled-host-file.trace", "sampled-streaming.trace"} {
		want := calibrated(t, name).Sampled
		interval := want.Interval()
		cost := want.cost(interval)
		app := app{
			threads: want.Threads,
			busy:    want.CPUShare * want.periodMean / float64(interval+cost.Overshoot), // share of the time between pauses
			length:  4000 * want.AppRun.Value,
			change:  want.AppRun.Value,
			depth:   func(int) int { return int(want.Frames/float64(want.Threads)) - 1 }, // plus at most 2
		}
		rec := app.truth()
		var out trace.Buffer
		s, err := sampler.New(rec, sampler.Config{Interval: interval, Seed: 1, Cost: cost}, &out)
		if err != nil {
			t.Fatal(err)
		}
		if err := sampler.Run(rec, s); err != nil {
			t.Fatal(err)
		}
		again := *s.Recording()
		again.Events = trace.NewSliceReader(out.Events)
		r, err := Calibrate(&again)
		if err != nil || r.Sampled == nil {
			t.Fatalf("%s: calibrating the emulated trace: %+v, %v", name, r, err)
		}
		copied := r.Sampled
		for _, c := range []struct {
			what      string
			got, want time.Duration
		}{
			{"period p50", copied.Period.Value, want.Period.Value},
			{"period p1", copied.ShortPeriod.Value, want.ShortPeriod.Value},
			{"CPU share in millionths", time.Duration(copied.CPUShare * 1e6), time.Duration(want.CPUShare * 1e6)},
		} {
			t.Logf("%s: %s %s, real %s", name, c.what, c.got, c.want)
			if !near(c.got, c.want, 0.10) {
				t.Errorf("%s: %s is %s, want %s as in the real trace", name, c.what, c.got, c.want)
			}
		}
		if copied.Reversed != 0 || copied.Ordered < 100 {
			t.Errorf("%s: %d pairs of timestamps in list order, %d reversed", name, copied.Ordered, copied.Reversed)
		}
		checkSkew(t, name, want, out.Events)
	}
}

// checkSkew compares the skew between two threads with that of the real trace, at the same distance
// in the list.
func checkSkew(t *testing.T, name string, want *SampledTiming, events []trace.Event) {
	t.Helper()
	if want.Skew.N == 0 {
		t.Logf("%s: no pair of threads changed in enough common samples to determine a skew", name)
		return
	}
	var skews []time.Duration
	var main time.Duration // timestamp of main in the tick
	for _, e := range events {
		switch {
		case e.Thread == 0:
			main = e.Wall
		case int(e.Thread) == want.SkewPlaces && e.Wall-main < want.Pause.Value:
			skews = append(skews, e.Wall-main)
		}
	}
	slices.Sort(skews)
	if len(skews) < 100 {
		t.Fatalf("%s: only %d pairs of timestamps", name, len(skews))
	}
	got := skews[len(skews)/2]
	t.Logf("%s: skew over %d places %s, real %v", name, want.SkewPlaces, got, want.Skew)
	if !near(got, want.Skew.Value, 0.10) {
		t.Errorf("%s: skew %s, want %s as in the real trace", name, got, want.Skew.Value)
	}
}

// app is a synthetic app. Its main thread changes its stack often and uses the CPU for a share of
// the time. Other threads change occasionally. All changes are above frames that never end.
type app struct {
	threads int
	busy    float64
	length  time.Duration
	change  time.Duration
	depth   func(thread int) int
}

func (a app) truth() *trace.Recording {
	rec := &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, PID: 1, Elapsed: a.length},
		Symbols: &trace.Symbols{},
	}
	for m := range 100 {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * m), Class: "C", Name: string(rune('a' + m))})
	}
	const wait = 99
	rec.Symbols.Methods[wait].Wait = trace.Sleep
	var events []trace.Event
	for id := range a.threads {
		rec.Symbols.AddThread(trace.Thread{TID: uint32(id + 1)})
		rng := rand.New(rand.NewPCG(uint64(id), 3))
		mean := 3 * a.change
		if id == 0 {
			mean = a.change / 4
		}
		at, cpu := time.Duration(0), ms
		call := func(action trace.Action, m int) {
			events = append(events, trace.Event{Wall: at, CPU: cpu, Thread: trace.ThreadID(id), Method: trace.MethodID(m), Action: action})
		}
		for m := range a.depth(id) {
			call(trace.Enter, m)
		}
		for at < a.length-mean*2 {
			run := time.Duration(float64(mean) * a.busy * (0.5 + rng.Float64()))
			m := 4 + rng.IntN(90)
			call(trace.Enter, m)
			at, cpu = at+run, cpu+run
			call(trace.Enter, wait)
			at += time.Duration(float64(mean) * (1 - a.busy) * (0.5 + rng.Float64()))
			call(trace.Exit, wait)
			call(trace.Exit, m)
		}
	}
	slices.SortStableFunc(events, func(x, y trace.Event) int { return cmp.Compare(x.Wall, y.Wall) })
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// TestKnownCosts: calibrating a trace sampled at known costs yields these costs. The cost per
// thread and frame is exact, because timestamps are exact. The pause is p0 + n*a + frames*b,
// because main always uses the CPU.
func TestKnownCosts(t *testing.T) {
	cost := sampler.Cost{Overshoot: 100 * us, PerTick: 50 * us, PerThread: 12 * us, PerFrame: 2 * us}
	depth := func(id int) int { return 2 + id*7%11 } // different depths, to separate the cost of frames from that of threads
	rec := app{threads: 20, busy: 1, length: 5 * time.Second, change: ms, depth: depth}.truth()
	var out trace.Buffer
	s, err := sampler.New(rec, sampler.Config{Interval: ms, Cost: cost}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := sampler.Run(rec, s); err != nil {
		t.Fatal(err)
	}
	again := *s.Recording()
	again.Events = trace.NewSliceReader(out.Events)
	r, err := Calibrate(&again)
	if err != nil {
		t.Fatal(err)
	}
	got := r.Sampled
	if !near(got.PerThread.Value, cost.PerThread, 0.01) || !near(got.PerFrame.Value, cost.PerFrame, 0.01) {
		t.Errorf("%v per thread, %v per frame, want %s and %s", got.PerThread, got.PerFrame, cost.PerThread, cost.PerFrame)
	}
	pause := s.Stats().MeanPause()
	if !near(got.Pause.Value, pause, 0.02) || got.Pause.Low > pause || got.Pause.High < pause {
		t.Errorf("pause %v, want %s", got.Pause, pause)
	}
	if !near(got.AppRun.Value, 1100*us, 0.02) || got.Interval() != ms {
		t.Errorf("the app runs %v, interval %s, want 1.1ms and 1ms", got.AppRun, got.Interval())
	}
	// The time until threads resume is part of the sleep, so its upper bound is the overshoot of
	// 100 µs.
	if most := got.PauseAt(ms).High; most < pause+cost.Overshoot || !near(most, pause+cost.Overshoot, 0.05) {
		t.Errorf("maximum pause %s, want %s", most, pause+cost.Overshoot)
	}
	if c := got.cost(0); !near(c.PerTick, cost.PerTick, 0.1) || !near(c.Overshoot, cost.Overshoot, 0.1) {
		t.Errorf("cost %+v, want %+v", c, cost)
	}
}

// TestRealInstrumentedTrace checks the cost of an event against an independent program. It finds
// 31699 gaps of kinds with at least 80 gaps. The shortest kinds, a hundredth of these gaps, take
// 5.02 µs of CPU time on average (149 of 4.84, 88 of 5.09, 149 of 5.15).
func TestRealInstrumentedTrace(t *testing.T) {
	r := calibrated(t, "instrumented-art-file.trace").Instrumented
	if r == nil {
		t.Fatal("not recognized as an instrumented trace")
	}
	if e := r.Event; !near(e.Value, 5018, 0.1) || e.Low > 5018 || e.High < 5018 || r.ClockOverhead != 1371 || r.Granularity != us {
		t.Errorf("%+v, want an event of 5.018us, clock 1.371us, step 1us", r)
	}
}

// TestEventsOfApps: the estimated event cost of two apps is within 10 % of the true one, although
// ART 12 writes whole microseconds.
func TestEventsOfApps(t *testing.T) {
	testdata.Seldom(t, 4)
	runtime, err := art.ByName("art12")
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range []string{"cold-start", "network-client"} {
		for _, cost := range []instrument.Cost{
			{CPURead: 400, WallRead: 50, Hook: 150, Granularity: us},
			{CPURead: 3300, WallRead: 53, Hook: 1511, Granularity: us},
		} {
			for _, clock := range []trace.Clock{trace.Dual, trace.Wall} {
				rec, err := instrument.Record(tracetest.Workload(t, app, time.Second), instrument.Config{Runtime: runtime, Clock: clock, Cost: cost})
				if err != nil {
					t.Fatal(err)
				}
				r, err := Calibrate(rec)
				if err != nil || r.Instrumented == nil {
					t.Fatalf("%s: %+v, %v", app, r, err)
				}
				want := cost.Hook + cost.WallRead
				if clock.HasCPU() {
					want += cost.CPURead
				}
				if got := r.Instrumented.Event; !near(got.Value, want, 0.1) || r.Instrumented.UpperBound {
					t.Errorf("%s, clock %s: event cost %v (upper bound: %t), want %s", app, clock, got, r.Instrumented.UpperBound, want)
				}
			}
		}
	}
}

// TestEventsOfLongCalls: all gaps between events of these apps exceed the cost of an event, so the
// estimate is an upper bound. Its interval contains the event cost of eastern.
func TestEventsOfLongCalls(t *testing.T) {
	eastern, err := Open("eastern")
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range []string{"w6-random-tree", "w9-rare-bursts"} {
		rec, err := instrument.Record(tracetest.Workload(t, app, time.Second), instrument.Config{Clock: trace.Dual, Cost: eastern.Instrumented})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Calibrate(rec)
		if err != nil || r.Instrumented == nil {
			t.Fatalf("%s: %+v, %v", app, r, err)
		}
		i := r.Instrumented
		if !i.UpperBound || i.Event.Low > 1100 || i.Event.High < 1100 || i.Event.Value < 5*1100 {
			t.Errorf("%s: event cost %v (upper bound: %t), want an upper bound of a few times 1.1us", app, i.Event, i.UpperBound)
		}
		if d := r.Device("x", "x.trace", 0); d.KindOf("hook") != Unknown || d.Instrumented.Hook != 0 {
			t.Errorf("%s: the device's hook is %v and %s, want 0 and unknown", app, d.Instrumented.Hook, d.KindOf("hook"))
		}
	}
}

// TestGranularity checks the granularity of clocks: 32768 Hz (steps of 30 and 31 us), microseconds
// as in most traces, and nanoseconds as in recent ones.
func TestGranularity(t *testing.T) {
	for _, test := range []struct {
		at   func(i int) time.Duration
		want time.Duration
	}{
		{func(i int) time.Duration { return time.Duration(i*4) * us / 30518 * 30518 }, 30518},
		{func(i int) time.Duration { return time.Duration(i*4) * us }, us},
		{func(i int) time.Duration { return time.Duration(i * 4321) }, 0},
	} {
		r, err := Calibrate(instrumentedTrace(test.at))
		if err != nil || r.Instrumented == nil || !near(r.Instrumented.Granularity, test.want, 0.02) {
			t.Errorf("%+v, %v, want a step of %s", r, err, test.want)
		}
	}
}

// instrumentedTrace returns a trace of consecutive calls with the times at.
func instrumentedTrace(at func(i int) time.Duration) *trace.Recording {
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1})
	rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "a"})
	events := []trace.Event{{Action: trace.Exit}} // a call from before the trace
	for i := range 4000 {
		events = append(events, trace.Event{Wall: at(i) + time.Duration(i), CPU: at(i), Action: trace.Action(i % 2)})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// TestEventsShorterThanAStep checks event costs of 2, 0.7 and 1.3 µs on clocks with steps of 30.5
// µs and 1 µs. The exit of a leaf follows its enter after the cost of an event, so most gaps of the
// leaf read as 0. Three other kinds of gaps contain 5, 20 and 60 µs of work. Of 20 intervals with
// 95 % coverage, fewer than 16 contain the true value with a probability of 1/390.
func TestEventsShorterThanAStep(t *testing.T) {
	for _, test := range []struct{ event, step time.Duration }{{2 * us, 30518}, {700, us}, {1300, us}} {
		holds := 0
		for seed := range uint64(20) {
			r, err := Calibrate(leaves(test.event, test.step, seed))
			if err != nil || r.Instrumented == nil {
				t.Fatalf("%+v, %v", r, err)
			}
			i := r.Instrumented
			if i.ByQuantile || !near(i.Event.Value, test.event, 0.15) {
				t.Errorf("step %s: event cost %v (by quantile: %t), want %s", test.step, i.Event, i.ByQuantile, test.event)
			}
			if i.Event.Low <= test.event && test.event <= i.Event.High {
				holds++
			}
		}
		if holds < 16 {
			t.Errorf("step %s: %d of 20 intervals contain the event cost %s, want at least 16", test.step, holds, test.event)
		}
	}
}

// leaves returns a trace of 4000 calls of a, each of which calls a leaf.
func leaves(event, step time.Duration, seed uint64) *trace.Recording {
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1})
	for _, name := range []string{"a", "leaf"} {
		rec.Symbols.AddMethod(trace.Method{Class: "C", Name: name})
	}
	events := []trace.Event{{Action: trace.Exit}} // a call from before the trace
	at := time.Duration(0)
	rng := rand.New(rand.NewPCG(4, seed))
	add := func(work time.Duration, m trace.MethodID, a trace.Action) {
		at += work + event
		if work > 0 {
			at += time.Duration(rng.IntN(1000))
		}
		read := at / step * step / us * us
		events = append(events, trace.Event{Wall: read, CPU: read, Method: m, Action: a})
	}
	for range 4000 {
		add(20*us, 0, trace.Enter)
		add(5*us, 1, trace.Enter)
		add(0, 1, trace.Exit)
		add(60*us, 0, trace.Exit)
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

func TestErrors(t *testing.T) {
	truth := instrumentedTrace(func(i int) time.Duration { return 0 })
	truth.Info.Technique = trace.Truth
	cpu := instrumentedTrace(func(i int) time.Duration { return 0 })
	cpu.Info.Clock = trace.ThreadCPU
	empty := &trace.Recording{Symbols: &trace.Symbols{}, Events: trace.NewSliceReader(nil)}
	stranger := &trace.Recording{Symbols: &trace.Symbols{}, Events: trace.NewSliceReader([]trace.Event{{Thread: 7}})}
	damaged := &trace.Recording{Symbols: &trace.Symbols{}, Events: failing{}}
	for want, rec := range map[string]*trace.Recording{
		"a ground truth was not recorded on a device": truth, "clock thread-cpu": cpu,
		"cannot determine whether": empty, "thread index 7": stranger, "disk": damaged,
	} {
		if r, err := Calibrate(rec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, error %v, want one on %q", r, err, want)
		}
	}
}

type failing struct{}

func (failing) ReadEvents([]trace.Event) (int, error) { return 0, errors.New("disk") }

// TestQuantile checks quantiles of 10 values: the smallest value that a share q of them does not
// exceed. The bounds are the quantiles at q ± 1.96*sqrt(q*(1-q)/10), limited to the minimum and the
// maximum.
func TestQuantile(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for q, want := range map[float64]Estimate{
		0.5:  {Value: 5, Low: 2, High: 9, N: 10},   // 0.5 -+ 0.31
		0.95: {Value: 10, Low: 9, High: 10, N: 10}, // 0.95 -+ 0.14
		0.05: {Value: 1, Low: 1, High: 2, N: 10},
		1:    {Value: 10, Low: 10, High: 10, N: 10},
	} {
		if got := quantile(values, q); got != want {
			t.Errorf("%g: %+v, want %+v", q, got, want)
		}
	}
}
