package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/trace"
)

const ms = time.Millisecond

// script makes a truth from words like "1ms main +a": app time, thread, and an
// enter (+), exit (-) or unwind (!) of a method. CPU time is app time unless the
// word ends in @ and a CPU time. Threads and methods are numbered as they come.
func script(t *testing.T, technique trace.Technique, lines ...string) *trace.Recording {
	t.Helper()
	rec := &trace.Recording{Info: trace.Info{Technique: technique}, Symbols: &trace.Symbols{}}
	threads, methods := map[string]trace.ThreadID{}, map[string]trace.MethodID{}
	var events []trace.Event
	for _, line := range lines {
		var at, thread, what string
		if _, err := fmt.Sscan(line, &at, &thread, &what); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		what, cpu, hasCPU := strings.Cut(what, "@")
		e := trace.Event{Wall: duration(t, at), CPU: duration(t, at)}
		if hasCPU {
			e.CPU = duration(t, cpu)
		}
		id, ok := threads[thread]
		if !ok {
			id, _ = rec.Symbols.AddThread(trace.Thread{TID: uint32(len(threads) + 1), Name: thread})
			threads[thread] = id
		}
		method, ok := methods[what[1:]]
		if !ok {
			method = rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * len(methods)), Class: "C", Name: what[1:]})
			methods[what[1:]] = method
		}
		e.Thread, e.Method, e.Action = id, method, trace.Action(strings.Index("+-!", what[:1]))
		events = append(events, e)
		rec.Info.Elapsed = e.Wall
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

func duration(t *testing.T, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sample runs one sampler and returns it and its events as words like the
// script's, with "@" and the CPU stamp.
func sample(t *testing.T, rec *trace.Recording, cfg Config) (*Sampler, []string) {
	t.Helper()
	var out trace.Buffer
	s, err := New(rec, cfg, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, e := range out.Events {
		words = append(words, fmt.Sprintf("%s %s %c%s@%s", e.Wall, rec.Symbols.Thread(e.Thread).Name,
			"+-!"[e.Action], rec.Symbols.Method(e.Method).Name, e.CPU))
	}
	return s, words
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("events\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

// The first sample comes after the first sleep: what began and ended before it
// is not seen, nothing is reported at start, and none is taken at the stop.
func TestFirstSampleComesAfterTheFirstSleep(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "0.2ms main +gone", "0.8ms main -gone", "2.5ms main -a")
	s, got := sample(t, rec, Config{Interval: ms})
	expect(t, got, "1ms main +a@0s") // at 2 ms nothing new; at 3 ms the app is over
	if s.Stats().Ticks != 2 || s.Stats().Samples[0] != 2 {
		t.Errorf("stats %+v, want 2 ticks that saw main", s.Stats())
	}
	// Stop waits for the sampling thread, which is asleep until 3 ms.
	if got := s.Recording().Info.Elapsed; got != 3*ms {
		t.Errorf("elapsed %s, want 3ms", got)
	}
}

// Dalvik samples first and sleeps then; it walks main, then the newest thread.
func TestDalvik(t *testing.T) {
	lines := []string{"0s main +a@5ms", "0s one +b@5ms", "0s two +c@5ms", "3ms main -a@8ms"}
	_, got := sample(t, script(t, trace.Truth, lines...), Config{Interval: 2 * ms, Runtime: Dalvik, Cost: Cost{PerThread: 10 * us}})
	expect(t, got, "10µs main +a@0s", "20µs two +c@0s", "30µs one +b@0s")
	_, got = sample(t, script(t, trace.Truth, lines...), Config{Interval: 2 * ms, Cost: Cost{PerThread: 10 * us}})
	expect(t, got, "2.01ms main +a@0s", "2.02ms one +b@0s", "2.03ms two +c@0s")
}

// An event at the instant of a sample is seen by it.
func TestSampleSeesTheStateAfterItsInstant(t *testing.T) {
	_, got := sample(t, script(t, trace.Truth, "0s main +a", "1ms main +b", "1ms main -b", "1ms main +c", "2ms main -c"), Config{})
	expect(t, got, "1ms main +a@0s", "1ms main +c@0s", "2ms main -c@1ms")
}

// Two calls of a method seen in two samples are one; an exception shows as an
// exit; frames open at the end stay open.
func TestCallsMergeAndUnwindsAreExits(t *testing.T) {
	_, got := sample(t, script(t, trace.Truth, "0s main +a", "0.5ms main +b", "1.2ms main -b", "1.4ms main +b", "2.5ms main !b", "4ms main +c"),
		Config{})
	expect(t, got, "1ms main +a@0s", "1ms main +b@0s", "3ms main -b@2ms", "4ms main +c@3ms")
	_, got = sample(t, script(t, trace.Truth, "0s main +a", "0.5ms main +b", "1.2ms main -b", "1.4ms main +b", "2.5ms main -b", "4ms main +c"),
		Config{Identity: ByCall})
	expect(t, got, "1ms main +a@0s", "1ms main +b@0s", "2ms main -b@1ms", "2ms main +b@1ms", "3ms main -b@2ms", "4ms main +c@3ms")
}

// Wall time is app time plus the pauses so far, the stamps of one sample grow
// along the list, CPU time is not inflated. The pause here is 100 + 2*10 us plus
// 1 us for each of two or three frames.
func TestPausesStretchWallTimeOnly(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@7ms", "0s other +b@9ms", "1.5ms other +c@10.5ms", "3ms main -a@10ms", "3ms other -c@12ms")
	s, got := sample(t, rec, Config{Cost: Cost{PerTick: 100 * us, PerThread: 10 * us, PerFrame: us}})
	expect(t, got,
		"1.111ms main +a@0s", "1.122ms other +b@0s", // 1 ms + 100 + 10 + 1; + 10 + 1
		"2.245ms other +c@1ms",                        // 2 ms + 122 (first pause) + 100 + 2*10 + 3
		"3.355ms main -a@2ms", "3.366ms other -c@2ms") // 3 ms + 245 + 100 + 10; + 10 + 1
	if got := s.Stats(); got.Paused != 122*us+123*us+121*us || got.LongestPause != 123*us || got.MeanPause() != 122*us {
		t.Errorf("stats %+v, want pauses of 122, 123 and 121 us", got)
	}
}

// A thread's CPU time counts from its first sample, also when it has no frames
// then. A reading of 0 is not taken for a zero: the next one is.
func TestCPUZeroIsTheFirstSample(t *testing.T) {
	idle := []string{"0s main +a@2ms", "0s idle +x@3ms", "0s idle -x@3ms", "2.5ms idle +b@3ms", "3ms main -a@5ms"}
	_, got := sample(t, script(t, trace.Truth, idle...), Config{})
	expect(t, got, "1ms main +a@0s", "3ms main -a@2ms", "3ms idle +b@500µs")

	fresh := []string{"0s main +a@2ms", "0s new +x@0ms", "0s new -x@0ms", "2.5ms new +b@0ms", "3ms main -a@5ms", "4ms new -b@1.5ms"}
	_, got = sample(t, script(t, trace.Truth, fresh...), Config{})
	expect(t, got, "1ms main +a@0s", "3ms main -a@2ms", "3ms new +b@0s", "4ms new -b@1ms") // zero at 500 us
}

// A thread that waits in a method uses no CPU, one that runs does, when a truth
// says which.
func TestWaitingUsesNoCPU(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@1ms", "1.2ms main +sleep@2.2ms", "5.2ms main -sleep@2.2ms", "6ms main -a@3ms")
	rec.Symbols.Methods[1].Wait = trace.Sleep
	_, got := sample(t, rec, Config{})
	expect(t, got, "1ms main +a@0s", "2ms main +sleep@200µs", "6ms main -sleep@1ms", "6ms main -a@1ms")
}

// In a recorded trace a thread runs until it has used what its next event says.
func TestRecordedThreadsRunThenWait(t *testing.T) {
	_, got := sample(t, script(t, trace.Instrumented,
		"0s main +a@0ms", "1.5ms main +b@1ms", "3.7ms main +c@1.2ms", "3.9ms main +d@1.4ms", "5ms main -d@1.6ms"), Config{})
	expect(t, got, "1ms main +a@0s", "2ms main +b@200µs", "4ms main +c@500µs", "4ms main +d@500µs", "5ms main -d@600µs")
}

// A compiled leaf without a loop has no suspend check: its time goes to its
// caller, when asked for.
func TestLeavesHidden(t *testing.T) {
	lines := []string{"0s main +a", "0.5ms main +leaf", "1.5ms main -leaf", "1.6ms main +b", "1.7ms main +leaf", "3ms main -leaf"}
	for _, test := range []struct {
		leaves Leaves
		want   []string
	}{
		{LeavesSeen, []string{"1ms main +a@0s", "1ms main +leaf@0s", "2ms main -leaf@1ms", "2ms main +b@1ms", "2ms main +leaf@1ms", "3ms main -leaf@2ms"}},
		{LeavesHidden, []string{"1ms main +a@0s", "2ms main +b@1ms"}},
	} {
		rec := script(t, trace.Truth, lines...)
		rec.Symbols.Methods[1].Flags = trace.LeafNoPoll
		_, got := sample(t, rec, Config{Leaves: test.leaves})
		expect(t, got, test.want...)
	}
}

// Frames of ART's own are never in a sample, but the thread waits or runs in
// them all the same.
func TestRuntimeMethodsAreSkipped(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@1ms", "0.5ms main +rt@1.5ms", "0.6ms main +b@1.6ms", "1.5ms main -b@2.5ms", "1.6ms main -rt@2.6ms", "3ms main -a@4ms")
	rec.Symbols.Methods[1].Flags = trace.Runtime
	_, got := sample(t, rec, Config{})
	expect(t, got, "1ms main +a@0s", "1ms main +b@0s", "2ms main -b@1ms", "3ms main -a@2ms")
}

// No sample while the garbage collector runs; then one at once, and the sleep
// begins anew.
func TestSamplesWaitForTheCollector(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "0.9ms gc +collect", "1.7ms gc -collect", "1.8ms main +b", "2.7ms main +c", "3ms main -c")
	rec.Symbols.Methods[1].Flags = trace.Collector
	s, got := sample(t, rec, Config{})
	expect(t, got, "1.7ms main +a@0s", "2.7ms main +b@1ms", "2.7ms main +c@1ms")
	if s.Stats().Ticks != 2 {
		t.Errorf("%d ticks, want 2", s.Stats().Ticks)
	}
}

// A thread that has ended keeps its frames; a later one with the same tid
// enters on top of nothing of its own.
func TestEndedThreadsKeepTheirFrames(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "0s old +b", "1.5ms old +c", "1.6ms old -c", "2.5ms new +b", "4ms main -a")
	rec.Symbols.Threads[1].End = 1700 * us
	rec.Symbols.Threads[2].Start, rec.Symbols.Threads[2].TID = 2*ms, rec.Symbols.Threads[1].TID
	s, got := sample(t, rec, Config{Cost: Cost{PerThread: 10 * us}})
	expect(t, got,
		"1.01ms main +a@0s", "1.02ms old +b@0s", // two threads walked
		"3.06ms new +b@500µs", // 2 ms: main and new walked; its zero is the sample at 2 ms
		"4.07ms main -a@3ms")
	if got := s.Stats().Samples; !slices.Equal(got, []int64{4, 1, 3}) {
		t.Errorf("samples per thread %v, want 4, 1, 3", got)
	}
}

// A recorded trace does not tell when threads came and went: all that are
// listed are walked each time, each has a stack from its first to its last
// event only.
func TestRecordedThreadsAreAllWalked(t *testing.T) {
	rec := script(t, trace.Instrumented, "0s main +a", "1.2ms other +b", "1.5ms other -b", "3ms main -a")
	rec.Symbols.Threads[0].End, rec.Symbols.Threads[1].End = 3*ms, 1500*us
	s, got := sample(t, rec, Config{Cost: Cost{PerThread: 10 * us}})
	expect(t, got, "1.01ms main +a@0s", "3.05ms main -a@2ms")
	if got := s.Stats(); got.Paused != 60*us || !slices.Equal(got.Samples, []int64{3, 0}) {
		t.Errorf("stats %+v, want 3 pauses of 20 us, the second thread not sampled", got)
	}
}

// Readings are cut to the clock's step.
func TestGranularity(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@1ms", "1.2ms main +b@2.2ms", "3ms main -b@4ms")
	_, got := sample(t, rec, Config{Interval: 1499 * us, Cost: Cost{Granularity: 100 * us}})
	expect(t, got, "1.4ms main +a@0s", "1.4ms main +b@0s") // the CPU zero is 2.4 ms
	rec = script(t, trace.Truth, "0s main +a@1ms", "1.6ms main +b@2.6ms", "3ms main -b@4ms")
	_, got = sample(t, rec, Config{Interval: 1499 * us, Cost: Cost{Granularity: 100 * us}})
	expect(t, got, "1.4ms main +a@0s", "2.9ms main +b@1.5ms") // 2.998 ms; CPU 3.9 - 2.4 ms
}

// A full buffer drops events, not what is remembered: 1024 bytes hold the
// 32-byte header and 70 records of 14 bytes (or 99 of 10).
func TestBufferOverflow(t *testing.T) {
	for _, test := range []struct {
		clock trace.Clock
		holds int
	}{{trace.Dual, 70}, {trace.Wall, 99}} {
		lines := []string{"0s main +a"}
		for i := range 60 {
			lines = append(lines, fmt.Sprintf("%dms main +b", 2*i+1), fmt.Sprintf("%dms main -b", 2*i+2))
		}
		s, got := sample(t, script(t, trace.Truth, lines...), Config{Clock: test.clock, Buffer: 1024})
		_, all := sample(t, script(t, trace.Truth, lines...), Config{Clock: test.clock})
		expect(t, got, all[:test.holds]...)
		if len(all) != 121 || s.Stats().Dropped != int64(121-test.holds) || !s.Recording().Info.Overflow {
			t.Errorf("%d events in all, stats %+v", len(all), s.Stats())
		}
	}
}

// One clock is recorded where one is asked for, or the source has only one.
func TestClocks(t *testing.T) {
	lines := []string{"1ms main +a@5ms", "2ms main -a@6ms"}
	_, got := sample(t, script(t, trace.Truth, lines...), Config{Clock: trace.ThreadCPU})
	expect(t, got, "0s main +a@0s", "0s main -a@1ms")
	_, got = sample(t, script(t, trace.Truth, lines...), Config{Clock: trace.Wall})
	expect(t, got, "1ms main +a@0s", "2ms main -a@0s")
	rec := script(t, trace.Truth, "1ms main +a@0s", "2ms main -a@0s")
	rec.Info.Clock = trace.Wall
	s, got := sample(t, rec, Config{})
	expect(t, got, "1ms main +a@0s", "2ms main -a@0s")
	if r := s.Recording(); r.Info.Clock != trace.Wall || len(r.Warnings) != 1 {
		t.Errorf("clock %s, warnings %q, want the wall clock and a warning", r.Info.Clock, r.Warnings)
	}
}

// Slice ends move the exits only. Expected times are the policies' definitions,
// with samples at 1, 2, … ms; at 4 ms the frames of 3 ms are gone.
func TestSliceEnds(t *testing.T) {
	lines := []string{"0s main +a", "0.5ms main +b", "3.2ms main -b", "3.4ms main +c", "6ms main -c"}
	for end, want := range map[diffstack.SliceEnd]string{
		diffstack.EndNext: "4ms main -b@3ms", diffstack.EndLast: "3.00001ms main -b@2.00001ms",
		diffstack.EndCapped: "4ms main -b@3ms", diffstack.EndMid: "3.5ms main -b@2.5ms",
	} {
		_, got := sample(t, script(t, trace.Truth, lines...), Config{SliceEnd: end})
		if len(got) != 5 || got[2] != want || got[3] != "4ms main +c@3ms" {
			t.Errorf("%s: events %q, want third %q and the enters where they were", end, got, want)
		}
	}
	_, got := sample(t, script(t, trace.Truth, lines...), Config{Interval: 2 * ms, SliceEnd: diffstack.EndCapped})
	expect(t, got, "2ms main +a@0s", "2ms main +b@0s", "3ms main -b@1ms", "4ms main +c@2ms", "5ms main -c@3ms")
}

// The table of sampling periods and slowdowns of real devices: nominal interval,
// period and slowdown 1 + P/X for the pauses and overshoots measured on them.
func TestDeviceTable(t *testing.T) {
	tests := []struct {
		name             string
		cost             Cost
		threads          int
		interval, period time.Duration
		slowdown         float64
	}{
		{"Phone61", Phone61, 61, 100 * us, 1350 * us, 3.86},
		{"Phone61", Phone61, 61, ms, 2250 * us, 1.80},
		{"Phone61", Phone61, 61, 5 * ms, 6250 * us, 1.19},
		{"Phone61", Phone61, 61, 10 * ms, 11250 * us, 1.098},
		{"Phone27", Phone27, 27, ms, 1330 * us, 1.18},
		{"Host14", Host14, 14, ms, 1100 * us, 1.028},
	}
	for _, test := range tests {
		rec := script(t, trace.Truth, "0s main +a@1ms", "20s main -a@20s")
		for len(rec.Symbols.Threads) < test.threads {
			rec.Symbols.AddThread(trace.Thread{})
		}
		s, _ := sample(t, rec, Config{Interval: test.interval, Cost: test.cost})
		if got := s.Stats().MeanPeriod(); got != test.period {
			t.Errorf("%s at %s: period %s, want %s", test.name, test.interval, got, test.period)
		}
		digits := 0.005 // of a figure with two places
		if test.slowdown < 1.1 {
			digits = 0.0005
		}
		if got := s.Stats().Slowdown(); math.Abs(got-test.slowdown) > digits {
			t.Errorf("%s at %s: slowdown %.4f, want %.3f", test.name, test.interval, got, test.slowdown)
		}
	}
}

// A spread of the overshoot is normal around it; Poisson gaps have the interval
// as mean and as standard deviation. Tolerances are 4 standard errors.
func TestGaps(t *testing.T) {
	const n = 20000
	for _, test := range []struct {
		cfg      Config
		mean, sd float64 // in us
	}{
		{Config{Interval: ms, Cost: Cost{Overshoot: 80 * us}}, 1080, 0},
		{Config{Interval: ms, Cost: Cost{Overshoot: 80 * us, OvershootSpread: 10 * us}}, 1080, 10},
		{Config{Interval: ms, Schedule: Poisson}, 1000, 1000},
	} {
		sched := newSchedule(&test.cfg)
		var sum, squares float64
		for range n {
			gap := float64(sched.gap()) / 1000
			sum += gap
			squares += (gap - test.mean) * (gap - test.mean)
		}
		if got := sum / n; math.Abs(got-test.mean) > 4*test.sd/math.Sqrt(n)+1e-3 {
			t.Errorf("%+v: mean gap %.3f us, want %.0f", test.cfg, got, test.mean)
		}
		// The variance of a variance: sd^2 * sqrt(2/n) for normal, sqrt(8/n) for
		// exponential gaps.
		if got := squares / n; math.Abs(got-test.sd*test.sd) > 4*test.sd*test.sd*math.Sqrt(8.0/n)+1e-3 {
			t.Errorf("%+v: variance %.2f us^2, want %.0f", test.cfg, got, test.sd*test.sd)
		}
	}
	never := newSchedule(&Config{Interval: ms, Cost: Cost{Overshoot: us, OvershootSpread: 100 * us}})
	for range n {
		if gap := never.gap(); gap < ms {
			t.Fatalf("a sleep of 1 ms took %s", gap)
		}
	}
}

// The same seed gives the same events, another one gives others.
func TestSeeds(t *testing.T) {
	run := func(seed uint64) []string {
		lines := []string{"0s main +a"}
		for i := range 200 {
			lines = append(lines, fmt.Sprintf("%dus main +b", 100*i+50), fmt.Sprintf("%dus main -b", 100*i+80))
		}
		_, got := sample(t, script(t, trace.Truth, lines...), Config{Seed: seed, Schedule: Poisson, Interval: 100 * us})
		return got
	}
	if !slices.Equal(run(3), run(3)) {
		t.Error("one seed gave two results")
	}
	if slices.Equal(run(3), run(4)) {
		t.Error("two seeds gave one result")
	}
}

// A long time without events costs no work: an hour of ticks a microsecond
// apart is counted, not run one by one.
func TestQuietTicksAreCountedOnly(t *testing.T) {
	s, got := sample(t, script(t, trace.Truth, "0s main +a@1s", "1000h main +b@1001h", "1000h main -b@1001h"),
		Config{Interval: us, Cost: Cost{PerThread: us}})
	expect(t, got, "2µs main +a@0s")
	const n = 1000 * 3600 * 1000000
	if st := s.Stats(); st.Ticks != n || st.Paused != n*us || st.Samples[0] != n || st.MeanPeriod() != 2*us {
		t.Errorf("stats %+v, want %d ticks and as many us of pauses", st, int64(n))
	}
	rec := script(t, trace.Truth, "0s main +a", "1000000h main -a")
	s, _ = New(rec, Config{Interval: us, Cost: Cost{PerTick: time.Second}}, nil)
	if err := Run(rec, s); err == nil || !strings.Contains(err.Error(), "longer than times can say") {
		t.Errorf("error %v, want one on the length", err)
	}
}

func TestConfigErrors(t *testing.T) {
	good := func() *trace.Recording { return script(t, trace.Truth, "0s main +a") }
	cpu := good()
	cpu.Info.Clock = trace.ThreadCPU
	wall := good()
	wall.Info.Clock = trace.Wall
	tests := []struct {
		rec  *trace.Recording
		cfg  Config
		want string
	}{
		{good(), Config{Interval: -1}, "sampling interval -1ns"},
		{good(), Config{Interval: 999}, "sampling interval 999ns"},
		{good(), Config{Phase: -us}, "phase -1µs"},
		{good(), Config{Schedule: 9}, "schedule"},
		{good(), Config{Runtime: 9}, "runtime"},
		{good(), Config{Leaves: 9}, "leaves"},
		{good(), Config{Identity: 9}, "identity"},
		{good(), Config{SliceEnd: 9}, "slice end"},
		{good(), Config{Buffer: 1023}, "buffer of 1023 bytes"},
		{good(), Config{Cost: Cost{PerFrame: -1}}, "cost per frame"},
		{good(), Config{Cost: Cost{PerTick: time.Hour}}, "cost per tick"},
		{cpu, Config{}, "without wall clock"},
		{wall, Config{Clock: trace.ThreadCPU}, "clock thread-cpu"},
	}
	for _, test := range tests {
		if _, err := New(test.rec, test.cfg, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want one on %q", test.cfg, err, test.want)
		}
	}
}

func TestRunErrors(t *testing.T) {
	run := func(rec *trace.Recording) error {
		s, err := New(rec, Config{}, &trace.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		return Run(rec, s)
	}
	backward := script(t, trace.Truth, "2ms main +a", "1ms other +b")
	stranger := script(t, trace.Truth, "1ms main +a")
	stranger.Symbols.Threads = nil
	nameless := script(t, trace.Truth, "1ms main +a")
	nameless.Symbols.Methods = nil
	late := script(t, trace.Truth, "1ms main +a", "5ms main -a")
	late.Symbols.Threads[0].End = 2 * ms
	early := script(t, trace.Truth, "1ms main +a")
	early.Symbols.Threads[0].Start = 2 * ms
	for want, rec := range map[string]*trace.Recording{
		"must be in time order": backward, "thread index 0": stranger, "method index 0": nameless,
		"event at 5ms of thread main, which lives from 0s to 2ms": late, "lives from 2ms": early,
	} {
		if err := run(rec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one on %q", err, want)
		}
	}
	rec := script(t, trace.Truth, "1ms main +a")
	s, _ := New(rec, Config{}, nil)
	if err := Run(script(t, trace.Truth), s); err == nil || !strings.Contains(err.Error(), "another truth") {
		t.Errorf("error %v, want one on another truth", err)
	}
	if err := Run(rec, s); err != nil {
		t.Error(err)
	}
	if err := Run(rec, s); err == nil || !strings.Contains(err.Error(), "has run already") {
		t.Errorf("error %v, want one on a second run", err)
	}
}

// failing fails as a full disk does, or a damaged source.
type failing struct{ trace.Reader }

var errDisk = errors.New("disk full")

func (failing) WriteEvents([]trace.Event) error           { return errDisk }
func (f failing) ReadEvents(p []trace.Event) (int, error) { return 0, errDisk }

func TestRunPassesErrorsOn(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a", "2ms main -a")
	s, _ := New(rec, Config{}, failing{})
	if err := Run(rec, s); !errors.Is(err, errDisk) {
		t.Errorf("error %v, want that of the output", err)
	}
	rec.Events = failing{}
	s, _ = New(rec, Config{}, nil)
	if err := Run(rec, s); !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "reading what is to be sampled") {
		t.Errorf("error %v, want that of the source", err)
	}
}
