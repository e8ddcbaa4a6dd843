package sampler

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"

	"artifice/trace"
)

// TestPausesExtendWallTimeOnly checks timestamps. Wall time is app time plus the pauses so far,
// the timestamps of one sample increase along the list, and CPU time is not inflated. The pause is
// 100 us, 3*10 us for both threads and the sampling thread, and 1 us for each of two or three
// frames. The sampling thread is walked last (RunSamplingThread attaches it, ForEach(GetSample)
// iterates over all threads).
func TestPausesExtendWallTimeOnly(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@7ms", "0s other +b@9ms", "1.5ms other +c@10.5ms", "3ms main -a@10ms", "3ms other -c@12ms")
	s, got := sample(t, rec, Config{Cost: Cost{PerTick: 100 * us, PerThread: 10 * us, PerFrame: us}})
	expect(t, got,
		"1.111ms main +a@0s", "1.122ms other +b@0s", // 1 ms + 100 + 10 + 1; + 10 + 1
		"2.255ms other +c@1ms",                        // 2 ms + 132 (first pause) + 100 + 2*10 + 3
		"3.375ms main -a@2ms", "3.386ms other -c@2ms") // 3 ms + 265 + 100 + 10; + 10 + 1
	if got := s.Stats(); got.Paused != 132*us+133*us+131*us || got.LongestPause != 133*us || got.MeanPause() != 132*us {
		t.Errorf("stats %+v, want pauses of 132, 133 and 131 us", got)
	}
}

// TestResumeIsPartOfTheSleep checks that the app loses 10 µs of each sleep of 1.05 ms until it
// resumes, except for the first sleep. The period is 1.05 ms plus the 100 µs of a pause, as for a
// device without Resume.
func TestResumeIsPartOfTheSleep(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@5ms", "5ms main -a@5ms")
	s, got := sample(t, rec, Config{Cost: Cost{Overshoot: 50 * us, PerTick: 100 * us, Resume: 10 * us}})
	expect(t, got, "1.15ms main +a@0s")
	// Samples are at 1.05, 2.09, 3.13 and 4.17 ms of app time.
	if got := s.Stats(); got.Ticks != 4 || got.MeanPeriod() != 1150*us || got.Paused != 4*110*us || got.LongestPause != 110*us {
		t.Errorf("stats %+v, want 4 samples every 1.15 ms with pauses of 110 us", got)
	}
	rec = script(t, trace.Truth, "0s main +a@5ms", "5ms main -a@5ms")
	s, _ = sample(t, rec, Config{Schedule: Poisson, Interval: ms, Cost: Cost{Resume: 2 * ms}})
	if got := s.Stats(); got.Paused != time.Duration(got.Ticks)*2*ms {
		t.Errorf("%d samples at random with pauses of %s, want 2 ms each", got.Ticks, got.Paused)
	}
}

// TestCPUZeroIsTheFirstSample checks that a thread's CPU time starts at its first sample, even if
// it has no frames then. If the reading is 0, the next reading is the zero.
func TestCPUZeroIsTheFirstSample(t *testing.T) {
	idle := []string{"0s main +a@2ms", "0s idle +x@3ms", "0s idle -x@3ms", "2.5ms idle +b@3ms", "3ms main -a@5ms"}
	_, got := sample(t, script(t, trace.Truth, idle...), Config{})
	expect(t, got, "1ms main +a@0s", "3ms main -a@2ms", "3ms idle +b@500µs")

	fresh := []string{"0s main +a@2ms", "0s new +x@0ms", "0s new -x@0ms", "2.5ms new +b@0ms", "3ms main -a@5ms", "4ms new -b@1.5ms"}
	_, got = sample(t, script(t, trace.Truth, fresh...), Config{})
	expect(t, got, "1ms main +a@0s", "3ms main -a@2ms", "3ms new +b@0s", "4ms new -b@1ms") // zero at 500 µs
}

// TestAgain checks a sampled trace of a process in which an instrumented one came first. It set the
// zero of each thread that exists at the start, here at 1 µs of CPU time. ART clears zeros after a
// sampled trace only (11: trace.cc, 480; 16: trace.cc, 769).
func TestAgain(t *testing.T) {
	lines := []string{"0s main +a@2ms", "0s idle +x@3ms", "0s idle -x@3ms", "2.5ms idle +b@3ms", "2.6ms late +c@1ms", "3ms main -a@5ms", "4ms late -c@1.4ms"}
	rec := script(t, trace.Truth, lines...)
	rec.Symbols.Threads[2].Start = 5 * ms / 2
	_, got := sample(t, rec, Config{Again: true})
	expect(t, got, "1ms main +a@2.999ms", "3ms main -a@4.999ms", "3ms idle +b@3.499ms", "3ms late +c@0s", "4ms late -c@0s")
	if _, err := Record(script(t, trace.Instrumented, lines...), Config{Again: true}); err == nil {
		t.Error("a recorded trace is accepted with Again")
	}
}

// TestDalvikCountsFromZero checks that Dalvik, which has a flag for a thread's zero
// (cpuClockBaseSet), accepts a reading of 0 as the zero.
func TestDalvikCountsFromZero(t *testing.T) {
	lines := []string{"0s main +a@0ms", "1.5ms main -a@1.5ms"}
	_, got := sample(t, script(t, trace.Truth, lines...), Config{Runtime: dalvik})
	expect(t, got, "0s main +a@0s") // the app ends before the sample at 2 ms
	lines = append(lines, "1.6ms main +b@1.6ms", "3ms main -b@3ms")
	_, got = sample(t, script(t, trace.Truth, lines...), Config{Runtime: dalvik})
	expect(t, got, "0s main +a@0s", "2ms main -a@2ms", "2ms main +b@2ms", "3ms main -b@3ms")
}

// TestThreadsWithoutFramesUseCPU checks that a thread without frames runs until it has used the CPU
// time of its next event.
func TestThreadsWithoutFramesUseCPU(t *testing.T) {
	_, got := sample(t, script(t, trace.Truth, "0s main +a@1ms", "1.5ms main -a@2.5ms", "3.5ms main +b@4.5ms", "4.5ms main -b@5.5ms"), Config{})
	expect(t, got, "1ms main +a@0s", "2ms main -a@1ms", "4ms main +b@3ms")
	// The 0.2 ms of CPU time before b are used up at 1.7 ms.
	_, got = sample(t, script(t, trace.Truth, "0s main +a@1ms", "1.5ms main -a@2.5ms", "3.5ms main +b@2.7ms", "4.5ms main -b@3.7ms"), Config{})
	expect(t, got, "1ms main +a@0s", "2ms main -a@700µs", "4ms main +b@1.2ms")
}

// TestWaitingUsesNoCPU checks that a thread of a truth uses CPU time except in methods that wait.
func TestWaitingUsesNoCPU(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@1ms", "1.2ms main +sleep@2.2ms", "5.2ms main -sleep@2.2ms", "6ms main -a@3ms")
	rec.Symbols.Methods[1].Wait = trace.Sleep
	_, got := sample(t, rec, Config{})
	expect(t, got, "1ms main +a@0s", "2ms main +sleep@200µs", "6ms main -sleep@1ms", "6ms main -a@1ms")
}

// TestRecordedThreadsRunThenWait checks that a thread of a recorded trace runs until it has used
// the CPU time of its next event.
func TestRecordedThreadsRunThenWait(t *testing.T) {
	_, got := sample(t, script(t, trace.Instrumented,
		"0s main +a@0ms", "1.5ms main +b@1ms", "3.7ms main +c@1.2ms", "3.9ms main +d@1.4ms", "5ms main -d@1.6ms"), Config{})
	expect(t, got, "1ms main +a@0s", "2ms main +b@200µs", "4ms main +c@500µs", "4ms main +d@500µs", "5ms main -d@600µs")
}

// TestGranularity checks that readings are rounded down to the clock's step.
func TestGranularity(t *testing.T) {
	rec := script(t, trace.Truth, "0s main +a@1ms", "1.2ms main +b@2.2ms", "3ms main -b@4ms")
	_, got := sample(t, rec, Config{Interval: 1499 * us, Cost: Cost{Granularity: 100 * us}})
	expect(t, got, "1.4ms main +a@0s", "1.4ms main +b@0s") // the CPU zero is 2.4 ms
	rec = script(t, trace.Truth, "0s main +a@1ms", "1.6ms main +b@2.6ms", "3ms main -b@4ms")
	_, got = sample(t, rec, Config{Interval: 1499 * us, Cost: Cost{Granularity: 100 * us}})
	expect(t, got, "1.4ms main +a@0s", "2.9ms main +b@1.5ms") // 2.998 ms; CPU 3.9 - 2.4 ms
}

// TestClocks checks that a single clock is recorded if it is requested, or if the source has no
// other.
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

// TestSliceEnds checks that slice ends affect only the exits. The expected times follow from the
// definitions of the policies, with samples at 1, 2, … ms. At 4 ms the frames of 3 ms have ended.
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

// TestGaps checks that the overshoot is normal with its spread, and that Poisson gaps have the
// interval as mean and standard deviation. Tolerances are 4 standard errors.
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
		sched := newTicker(&test.cfg)
		var sum, squares float64
		for range n {
			gap := float64(sched.Gap()) / 1000
			sum += gap
			squares += (gap - test.mean) * (gap - test.mean)
		}
		if got := sum / n; math.Abs(got-test.mean) > 4*test.sd/math.Sqrt(n)+1e-3 {
			t.Errorf("%+v: mean gap %.3f us, want %.0f", test.cfg, got, test.mean)
		}
		// The standard error of a variance is sd^2 * sqrt(2/n) for normal and sd^2 * sqrt(8/n) for
		// exponential gaps.
		if got := squares / n; math.Abs(got-test.sd*test.sd) > 4*test.sd*test.sd*math.Sqrt(8.0/n)+1e-3 {
			t.Errorf("%+v: variance %.2f us^2, want %.0f", test.cfg, got, test.sd*test.sd)
		}
	}
	never := newTicker(&Config{Interval: ms, Cost: Cost{Overshoot: us, OvershootSpread: 100 * us}})
	for range n {
		if gap := never.Gap(); gap < ms {
			t.Fatalf("gap %s, want at least 1 ms", gap)
		}
	}
}

// TestSeeds checks that equal seeds yield equal events, and different seeds different ones.
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
		t.Error("equal seeds yield different events")
	}
	if slices.Equal(run(3), run(4)) {
		t.Error("different seeds yield equal events")
	}
}

// TestIdleTicksAreCountedOnly checks that a long time without events costs no work: the ticks of
// an hour, a microsecond apart, are counted and not executed.
func TestIdleTicksAreCountedOnly(t *testing.T) {
	for _, oneClock := range []bool{false, true} {
		s, got := sample(t, script(t, trace.Truth, "0s main +a@1s", "1000h main +b@1001h", "1000h main -b@1001h"),
			Config{Interval: us, Cost: Cost{PerTick: us}, OneClock: oneClock})
		expect(t, got, "2µs main +a@0s")
		const n = 1000 * 3600 * 1000000
		if st := s.Stats(); st.Ticks != n || st.Paused != n*us || st.Samples[0] != n || st.MeanPeriod() != 2*us {
			t.Errorf("one clock %v: stats %+v, want %d ticks and as many us of pauses", oneClock, st, int64(n))
		}
		rec := script(t, trace.Truth, "0s main +a", "1000000h main -a")
		s, _ = New(rec, Config{Interval: us, Cost: Cost{PerTick: time.Second}, OneClock: oneClock}, nil)
		if err := Run(rec, s); err == nil || !strings.Contains(err.Error(), "the trace would be too long") {
			t.Errorf("one clock %v: error %v, want one on the length", oneClock, err)
		}
	}
}

// TestSliceEndsOfThreadsThatWait checks main, which runs for 9 ms and then waits. At the sample at
// 8 ms it has used 8 ms of CPU time. Its clock is not read there, because nothing has changed. The
// first sample, at 4 ms, is its zero.
func TestSliceEndsOfThreadsThatWait(t *testing.T) {
	lines := []string{"0ms main +a", "11ms main -a@9ms", "14ms main +b@9ms"}
	for end, want := range map[diffstack.SliceEnd]string{
		diffstack.EndLast: "8.00001ms main -a@4.00001ms", diffstack.EndMid: "10ms main -a@4.5ms",
	} {
		_, got := sample(t, script(t, trace.Instrumented, lines...), Config{Interval: 4 * ms, SliceEnd: end})
		expect(t, got, "4ms main +a@0s", want)
	}
}
