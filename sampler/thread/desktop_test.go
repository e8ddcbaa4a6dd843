package thread

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/trace"
)

// samplesOf counts the samples of each thread and checks each sample.
type samplesOf struct {
	of    map[trace.ThreadID]int64
	check func(s *Sample)
}

func (c *samplesOf) Sampled(s *Sample) {
	if len(s.Stack) == 0 {
		return // the end of the thread
	}
	c.of[s.Thread]++
	if c.check != nil {
		c.check(s)
	}
}

func (c *samplesOf) Ended(trace.ThreadID, time.Duration, time.Duration) {}

// count runs a tracer over a truth and returns the number of samples of each thread.
func count(t *testing.T, truth *trace.Recording, cfg Config, check func(*Sample)) (map[trace.ThreadID]int64, *Stats) {
	t.Helper()
	c := &samplesOf{map[trace.ThreadID]int64{}, check}
	tracer, err := New(truth, cfg, c)
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]trace.Event, 1)
	for {
		if n, err := truth.Events.ReadEvents(batch); n == 0 {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := tracer.Take(&batch[0]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tracer.End(); err != nil {
		t.Fatal(err)
	}
	return c.of, tracer.Stats()
}

// TestCut checks that a sample of a stack of ten frames contains the innermost four. All four are
// fresh in the first sample, and none in the second.
func TestCut(t *testing.T) {
	truth := busy(1, 3*ms)
	events := []trace.Event{{}}
	for i := range 9 {
		m := truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: string(rune('a' + i))})
		events = append(events, trace.Event{Method: m})
	}
	truth.Events = trace.NewSliceReader(events)
	var fresh []int
	_, stats := count(t, truth, Config{Interval: ms, Deepest: 4, Cut: true}, func(s *Sample) {
		fresh = append(fresh, s.Fresh)
		if want := []trace.MethodID{6, 7, 8, 9}; !slices.Equal(s.Stack, want) {
			t.Errorf("sampled stack %v, want %v", s.Stack, want)
		}
	})
	if stats.Samples != 2 || stats.TooDeep != 0 || !slices.Equal(fresh, []int{4, 0}) {
		t.Errorf("%+v with %v new frames, want 2 samples with 4 and none", stats, fresh)
	}
}

// TestDroppedAndFailedSamples checks 100 000 expirations. A tenth takes no sample; of the others, a
// twentieth and a fifth fail. Each number is within four standard deviations of its binomial
// distribution.
func TestDroppedAndFailedSamples(t *testing.T) {
	const expiries = 100_000
	_, stats := count(t, busy(1, expiries*ms+1), Config{Interval: ms, LostExpiries: 0.1, Failures: []Failure{{Cause: "gone", Share: 0.05}, {Cause: "other", Share: 0.2}}, Seed: 3}, nil)
	for _, c := range []struct {
		what string
		n    int64
		p    float64
	}{
		{"lost", stats.Missed, 0.1}, {"gone", stats.Failed[0], 0.9 * 0.05}, {"other", stats.Failed[1], 0.9 * 0.2}, {"samples", stats.Samples, 0.9 * 0.75},
	} {
		if mean, sd := expiries*c.p, math.Sqrt(expiries*c.p*(1-c.p)); math.Abs(float64(c.n)-mean) > 4*sd {
			t.Errorf("%s: %d, want %.0f ± %.0f", c.what, c.n, mean, sd)
		}
	}
}

// TestPartialWalks checks a stack of three frames. Failing walks return only its innermost frame.
// The record then contains the exits of the previous sample's frames and a call without a caller.
// When a walk succeeds, the record contains the whole stack again. Each of the three calls counts
// once as new.
func TestPartialWalks(t *testing.T) {
	truth := busy(1, 1000*ms+1)
	inner := []trace.MethodID{truth.Symbols.AddMethod(trace.Method{Name: "outer"}), truth.Symbols.AddMethod(trace.Method{Name: "inner"})}
	truth.Events = trace.NewSliceReader([]trace.Event{{}, {Method: inner[0]}, {Method: inner[1]}})
	depths := map[int]int{}
	fresh, events, last := 0, 0, 3
	_, stats := count(t, truth, Config{Interval: ms, Failures: []Failure{{Cause: "error", Share: 0.3, Frames: 1}, {Cause: "none", Share: 0.1}}, Seed: 2}, func(s *Sample) {
		depths[len(s.Stack)]++
		fresh += s.Fresh
		if s.Stack[len(s.Stack)-1] != inner[1] {
			t.Errorf("the innermost frame is %d", s.Stack[len(s.Stack)-1])
		}
		if want := last + len(s.Stack); len(s.Stack) != last && events > 0 && len(s.Events) != want {
			t.Errorf("%d events from %d frames to %d, want %d", len(s.Events), last, len(s.Stack), want)
		}
		events += len(s.Events)
		last = len(s.Stack)
	})
	// The counts are binomial: four standard deviations of 1000 samples.
	if n := depths[1]; n < 300-58 || n > 300+58 || n != int(stats.Failed[0]) || depths[1]+depths[3] != int(stats.Samples) {
		t.Errorf("%v, %+v", depths, stats)
	}
	if n := stats.Failed[1]; n < 100-38 || n > 100+38 || stats.Unrecorded() != n || stats.All() != 1000 || fresh != 3 {
		t.Errorf("%+v, %d new frames", stats, fresh)
	}
}

// TestReasons checks that a record contains the reason for the end of a walk as a frame in place of
// the missing callers. If a walk found no frame, the sample contains only that frame, with its CPU
// time: each of the 1000 samples represents 1 ms.
func TestReasons(t *testing.T) {
	truth := busy(1, 1000*ms+1)
	inner := []trace.MethodID{truth.Symbols.AddMethod(trace.Method{Name: "outer"}), truth.Symbols.AddMethod(trace.Method{Name: "inner"})}
	truth.Events = trace.NewSliceReader([]trace.Event{{}, {Method: inner[0]}, {Method: inner[1]}})
	rec, err := Record(truth, Config{Interval: ms, Failures: []Failure{{Cause: "error", Share: 0.3, Frames: 1, Reason: "INVALID_MAP"}, {Cause: "none", Share: 0.1, Reason: "UNSUPPORTED"}}, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	list := &snapshotList{}
	rec.Events.(trace.SnapshotSource).SnapshotsTo(list)
	if _, err := trace.Copy(list, rec.Events); err != nil {
		t.Fatal(err)
	}
	shown := map[string]int64{}
	for _, s := range list.all {
		var names []string
		for _, m := range s.Stack {
			names = append(names, rec.Symbols.Method(m).FullName())
		}
		shown[strings.Join(names, ";")] += s.Count
	}
	stats := rec.Events.(*Reader).Stats()
	want := map[string]int64{"": 0, "ERROR INVALID_MAP;inner": stats.Failed[0], "ERROR UNSUPPORTED": stats.Failed[1], "app.Main.run;outer;inner": 1000 - stats.Failed[0] - stats.Failed[1]}
	if diff := cmp.Diff(want, shown); diff != "" || stats.Failed[0] < 300-58 || stats.Failed[1] < 100-38 || stats.Samples != 1000 {
		t.Errorf("%s%+v", diff, stats)
	}
	if last := list.all[len(list.all)-1]; last.CPU != 1000*ms {
		t.Errorf("%s of CPU time, want 1s", last.CPU)
	}
}

// TestSwitch checks a thread that, a hundred times, runs for 1 ms and then waits, which takes 20 µs
// of CPU time. A timer of 0.1 ms that does not count 15 µs of each wait expires 100 (1 ms + 5 µs) /
// 0.1 ms = 1005 times, minus one at the very end.
func TestSwitch(t *testing.T) {
	truth := busy(1, 200*ms)
	wait := truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "wait", Wait: trace.Sleep})
	events := []trace.Event{{}}
	for i := range 100 {
		wall, cpu := time.Duration(i)*2*ms, time.Duration(i)*(ms+20*us)
		events = append(events,
			trace.Event{Method: wait, Wall: wall + ms, CPU: cpu + ms},
			trace.Event{Method: wait, Wall: wall + 2*ms, CPU: cpu + ms + 20*us, Action: trace.Exit})
	}
	events = append(events, trace.Event{Action: trace.Exit, Wall: 200 * ms, CPU: 102 * ms})
	truth.Info.Clock, truth.Events = trace.Dual, trace.NewSliceReader(events)
	_, stats := count(t, truth, Config{Interval: 100 * us, Switch: 15 * us}, nil)
	if stats.Samples != 1004 {
		t.Errorf("%d samples, want 1004", stats.Samples)
	}
}

// TestTick checks that expirations every 10 ms take effect at the next tick of the thread's core.
// Ticks come every 4 ms, at o, o + 4 ms and so on: (o - 10 ms k) mod 4 ms later.
func TestTick(t *testing.T) {
	seen := map[time.Duration]bool{}
	for seed := range uint64(10) {
		var at []time.Duration
		count(t, busy(1, 45*ms), Config{Interval: 10 * ms, Tick: 4 * ms, Seed: seed}, func(s *Sample) { at = append(at, s.App) })
		if len(at) != 4 {
			t.Fatalf("samples at %v, want four", at)
		}
		o := at[0] % (4 * ms)
		seen[o] = true
		for k, got := range at {
			due := time.Duration(k+1) * 10 * ms
			if want := due + (o-due%(4*ms)+4*ms)%(4*ms); got != want {
				t.Errorf("a sample at %v, want %v", got, want)
			}
		}
	}
	if len(seen) < 9 {
		t.Errorf("the first ticks of ten runs are at %v", seen)
	}
}

// TestTickWhileWaiting checks a thread that waits at the tick after an expiration. It is sampled at
// a tick of its core after the wait, never during it. The thread alternately runs for 1 ms and
// waits for 9 ms, with ticks every 4 ms. It uses 1000 ms of CPU time and is sampled every 10 ms, no
// more often.
func TestTickWhileWaiting(t *testing.T) {
	truth := busy(1, 10*time.Second)
	wait := truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "wait", Wait: trace.Sleep})
	truth.Info.Clock = trace.Dual
	events := []trace.Event{{}}
	for i := range time.Duration(1000) {
		wall, cpu := 10*ms*i, ms*i
		events = append(events, trace.Event{Method: wait, Wall: wall + ms, CPU: cpu + ms}, trace.Event{Method: wait, Wall: wall + 10*ms, CPU: cpu + ms, Action: trace.Exit})
	}
	truth.Events = trace.NewSliceReader(append(events, trace.Event{Action: trace.Exit, Wall: 10 * time.Second, CPU: time.Second}))
	_, stats := count(t, truth, Config{Interval: 10 * ms, Tick: 4 * ms, Seed: 2}, func(s *Sample) {
		if s.App%(10*ms) >= ms {
			t.Errorf("a sample at %v, while it waits", s.App)
		}
	})
	if stats.Samples < 96 || stats.Samples > 100 {
		t.Errorf("%d samples, want about 100", stats.Samples)
	}
}

// TestIntervalMoments checks the mean and standard deviation of intervals. There are 10 000
// intervals of 1 ms with a normal deviation of 20 µs, and 10 000 with an additional exponential
// time of 50 µs on average. Each value is within four standard errors.
func TestIntervalMoments(t *testing.T) {
	const n = 10_000
	for _, c := range []struct {
		cfg      Config
		mean, sd float64 // in us
	}{
		{Config{Interval: ms, Jitter: 20 * us}, 1000, 20},
		{Config{Interval: ms, Timer: WallTimer, Overshoot: 50 * us}, 1050, 50},
		{Config{Interval: ms, Timer: SamplerThread, Turns: 1, Overshoot: 50 * us}, 1050, 50},
	} {
		var last time.Duration
		var sum, squares float64
		gaps := 0
		count(t, busy(1, 11*time.Second), c.cfg, func(s *Sample) {
			if gap := float64(s.App-last) / 1000; last > 0 && gaps < n {
				sum, squares, gaps = sum+gap, squares+gap*gap, gaps+1
			}
			last = s.App
		})
		mean := sum / float64(gaps)
		sd := math.Sqrt(squares/float64(gaps) - mean*mean)
		if e := 4 * c.sd / math.Sqrt(float64(gaps)); gaps < n || math.Abs(mean-c.mean) > e || math.Abs(sd-c.sd) > 2*e {
			t.Errorf("timer %d: %d intervals of %.2f ± %.2f us, want %d of %.0f ± %.0f", c.cfg.Timer, gaps, mean, sd, n, c.mean, c.sd)
		}
	}
}

// TestYieldPoints checks samples at yield points. Method hot has none, cold has one, and they
// alternate for 9.9 and 0.1 ms. Each of 100 expirations, every 10 ms from 5 ms on, is in hot, and
// its sample is taken when cold is entered, at 9.9, 19.9 ... ms. With an interval of 1 ms, ten
// expirations are in one call of hot, and one of them takes a sample. With 20 ms, every second call
// of hot is sampled. Without AtYields, all samples are in hot.
func TestYieldPoints(t *testing.T) {
	const us = time.Microsecond
	truth := func() *trace.Recording {
		rec := busy(1, 1000*ms)
		hot := rec.Symbols.AddMethod(trace.Method{Name: "hot", Flags: trace.LeafNoPoll})
		cold := rec.Symbols.AddMethod(trace.Method{Name: "cold"})
		events := []trace.Event{{}}
		for i := range time.Duration(100) {
			for _, call := range []struct {
				method     trace.MethodID
				begin, end time.Duration
			}{{hot, 10 * i * ms, 10*i*ms + 9900*us}, {cold, 10*i*ms + 9900*us, 10 * (i + 1) * ms}} {
				events = append(events, trace.Event{Method: call.method, Wall: call.begin, CPU: call.begin}, trace.Event{Method: call.method, Wall: call.end, CPU: call.end, Action: trace.Exit})
			}
		}
		rec.Events = trace.NewSliceReader(events)
		return rec
	}
	for _, c := range []struct {
		interval time.Duration
		yields   bool
		want     map[trace.MethodID]int
	}{{10 * ms, true, map[trace.MethodID]int{2: 100}}, {ms, true, map[trace.MethodID]int{2: 100}}, {20 * ms, true, map[trace.MethodID]int{2: 50}}, {10 * ms, false, map[trace.MethodID]int{1: 100}}} {
		got := map[trace.MethodID]int{}
		count(t, truth(), Config{Interval: c.interval, Phase: c.interval / 2, AtYields: c.yields}, func(s *Sample) {
			got[s.Stack[len(s.Stack)-1]]++
			if phase := s.App % (10 * ms); c.yields && phase != 9900*us {
				t.Errorf("a sample at %s", s.App)
			}
		})
		if !maps.Equal(got, c.want) {
			t.Errorf("every %s, at yields %v: %v, want %v", c.interval, c.yields, got, c.want)
		}
	}
}

// TestSampledInTurns checks 32 running threads, with a sampler that samples the next six of them
// every 10 ms. Each thread is sampled every 53 ms, so it has 19 % of its intended samples. The
// author of JEP 509 published these figures for JFR (https://openjdk.org/jeps/509 and his notes on
// it).
func TestSampledInTurns(t *testing.T) {
	const threads, length = 32, 160 * time.Second
	of, stats := count(t, busy(threads, length), Config{Interval: 10 * ms, Timer: SamplerThread, Turns: 6}, nil)
	if ticks := int64(length/(10*ms)) - 1; stats.Samples != 6*ticks {
		t.Errorf("%d samples, want %d", stats.Samples, 6*ticks)
	}
	for id, n := range of {
		if every := length.Seconds() * 1000 / float64(n); math.Abs(every-53.3) > 0.2 {
			t.Errorf("thread %d is sampled every %.1f ms, want 53.3", id, every)
		}
		if share := 100 * float64(n) / (length.Seconds() * 100); math.Round(share) != 19 {
			t.Errorf("thread %d has %.1f %% of its samples, want 19", id, share)
		}
	}
	if len(of) != threads {
		t.Errorf("%d threads have samples", len(of))
	}
}

// TestNativeCodeIsSampledInTurns checks that threads in native code have separate turns, and that
// waiting threads are never sampled.
func TestNativeCodeIsSampledInTurns(t *testing.T) {
	truth := busy(3, 100*ms)
	native := truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "native", Flags: trace.Native})
	wait := truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "wait", Wait: trace.Sleep})
	truth.Events = trace.NewSliceReader([]trace.Event{{}, {Thread: 1, Method: native}, {Thread: 2, Method: wait}, {Action: trace.Exit, Wall: 100 * ms, CPU: 100 * ms}})
	of, _ := count(t, truth, Config{Interval: 10 * ms, Timer: SamplerThread, Turns: 5, NativeTurns: 1}, nil)
	if of[0] != 9 || of[1] != 9 || of[2] != 0 {
		t.Errorf("samples %v, want 9, 9 and none", of)
	}
}

// TestProcessTimer checks a timer of 10 ms for two threads that always run. It expires every 5 ms,
// and each expiration samples the thread on the core that ticks next. A core ticks at o, o + 4 ms
// and so on. The core that ticks next after 5 ms k has the smaller (o - 5 ms k) mod 4 ms.
func TestProcessTimer(t *testing.T) {
	const length = 10 * time.Second
	uneven := 0
	for seed := range uint64(20) {
		var first [2]time.Duration // a tick of each core
		of, stats := count(t, busy(2, length), Config{Interval: 10 * ms, Timer: ProcessTimer, Tick: 4 * ms, Seed: seed}, func(s *Sample) { first[s.Thread] = s.App })
		if n := stats.Samples; n < 1998 || n > 2000 {
			t.Errorf("seed %d: %d samples, want 1999 and one more or less", seed, n)
		}
		if of[0] != 0 && of[1] != 0 {
			var want [2]int64
			for k := time.Duration(1); k < 2000; k++ {
				next := func(id int) time.Duration { return (first[id] - 5*ms*k%(4*ms) + 4*ms) % (4 * ms) }
				who := 0
				if next(1) < next(0) {
					who = 1
				}
				want[who]++
			}
			if d := of[0] - want[0]; d < -1 || d > 1 {
				t.Errorf("seed %d: %v samples, want %v", seed, of, want)
			}
		}
		if of[0] != of[1] {
			uneven++
		}
	}
	if uneven < 10 {
		t.Errorf("%d of 20 machines are uneven", uneven)
	}
}

// TestDesktopRefused checks that invalid configurations are errors.
func TestDesktopRefused(t *testing.T) {
	for _, cfg := range []Config{
		{Interval: ms, LostExpiries: 1}, {Interval: ms, LostExpiries: math.NaN()}, {Interval: ms, Failures: []Failure{{Share: 0.6}, {Share: 0.5}}}, {Interval: ms, Failures: []Failure{{Share: 0.6, Frames: -1}}},
		{Interval: ms, Switch: -1}, {Interval: ms, Tick: time.Minute}, {Interval: ms, Timer: SamplerThread}, {Interval: ms, Timer: ProcessTimer},
		{Interval: ms, Timer: SamplerThread, Turns: 1, Cost: Cost{Sample: us}},
	} {
		if _, err := New(busy(1, ms), cfg, nil); err == nil {
			t.Errorf("%+v is accepted, want an error", cfg)
		}
	}
}

// TestTooManyExpiries checks a recording of years without a running thread. It is rejected after a
// month of sleeps: at expiration 2^27 + 1, which is due at (2^27 + 1) 20 ms.
func TestTooManyExpiries(t *testing.T) {
	testdata.Seldom(t, 4)
	const late = 1 << 60 // 36 years
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1}}, Methods: []trace.Method{{ID: 4, Name: "f"}}}
	events := []trace.Event{{Wall: late}, {Wall: late + time.Millisecond, Action: trace.Exit}}
	truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: symbols, Events: trace.NewSliceReader(events)}
	seen, err := Record(truth, Config{Interval: 20 * time.Millisecond, Timer: SamplerThread, Turns: 5})
	if err == nil {
		_, err = trace.Copy(trace.Discard, seen.Events)
	}
	if err == nil || !strings.Contains(err.Error(), "the timer expires more than 134217728 times by 745h39m14.58s") {
		t.Errorf("%v", err)
	}
}
