package device

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/sampler"

	"artifice/trace"
)

// resampled samples a truth at a cost and returns the recording.
func resampled(t *testing.T, truth *trace.Recording, interval time.Duration, cost sampler.Cost) *trace.Recording {
	t.Helper()
	var out trace.Buffer
	s, err := sampler.New(truth, sampler.Config{Interval: interval, Seed: 7, Cost: cost}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := sampler.Run(truth, s); err != nil {
		t.Fatal(err)
	}
	rec := *s.Recording()
	rec.Info.Technique = trace.UnknownTechnique // as a file
	rec.Events = trace.NewSliceReader(out.Events)
	return &rec
}

// TestTailOfGaps: nine of ten sleeps overshoot by 100 to 150 us, and one by 150 to 700 us. The mean
// is .9*125 + .1*425 = 155 us, the mean square .9*(100²+100*150+150²)/3 + .1*(150²+150*700+700²)/3
// = 34833.3 us², the standard deviation 103.97 us. A normal distribution with this median and 1 %
// quantile would have a standard deviation of 12 us and a maximum of 170 us.
func TestTailOfGaps(t *testing.T) {
	var table sampler.Quantiles
	for i := range 9 {
		table = append(table, 100*us+time.Duration(i)*50*us/9)
	}
	table = append(table, 150*us, 700*us)
	flat := func(int) int { return 2 }
	truth := app{threads: 5, busy: 1, length: 12 * time.Second, change: ms, depth: flat}.truth()
	r, err := Calibrate(resampled(t, truth, ms, sampler.Cost{Overshoots: table, PerThread: 10 * us, Granularity: us}))
	if err != nil {
		t.Fatal(err)
	}
	d := r.Device("x", "x", ms).Sampling
	if !near(d.Overshoot, 155*us, 0.03) || !near(d.OvershootSpread, 103970, 0.05) {
		t.Errorf("overshoot %s ± %s, want 155us ± 104us", d.Overshoot, d.OvershootSpread)
	}
	for p, want := range map[float64]time.Duration{0.01: 100555, 0.5: 127777, 0.95: 425 * us, 0.99: 645 * us} {
		if got := d.Overshoots.At(p); math.Abs(float64(got-want)) > float64(want)/20+float64(us) {
			t.Errorf("%g-quantile of the overshoot %s, want %s", p, got, want)
		}
	}
}

// TestSkippedSamplesAreNoTail: without overshoot, every period is 1.05 ms. Gaps that contain
// samples without a change are at least 2.1 ms, and are no tail of the distribution.
func TestSkippedSamplesAreNoTail(t *testing.T) {
	flat := func(int) int { return 2 }
	truth := app{threads: 5, busy: 1, length: 4 * time.Second, change: 5 * ms, depth: flat}.truth()
	r, err := Calibrate(resampled(t, truth, ms, sampler.Cost{PerThread: 10 * us, Granularity: us}))
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Device("x", "x", ms).Sampling; d.Overshoots.At(1) > 5*us {
		t.Errorf("maximum overshoot %s, want 0", d.Overshoots.At(1))
	}
}

// TestTwoPeriodsBelowTwiceTheShortest: a thread is stamped every 5.04 to 5.06 ms, 5.05 ms on
// average, and occasionally after 10.07 ms, as in ART 11 at 5 ms: the thread was asleep at the
// sample in between, which takes less time than suspending it. That gap is less than twice the
// shortest period, but consists of two periods. Counted as one period, it would have an overshoot
// of 5 ms.
func TestTwoPeriodsBelowTwiceTheShortest(t *testing.T) {
	var gaps []time.Duration
	for i := range 400 {
		gap := 5040*us + time.Duration(i%21)*us
		if i%100 == 50 {
			gap = 10070 * us
		}
		gaps = append(gaps, gap)
	}
	r := stampedAfter(t, gaps)
	if d := r.Device("x", "x", 5*ms).Sampling; !near(d.Overshoot, 50*us, 0.02) {
		t.Errorf("overshoot %s, want 50us", d.Overshoot)
	}
}

// TestPeriodsAreCounted: periods alternate between 1.01 and 1.03 ms, and one in forty is 0.8 ms
// longer, so their mean is 1.04 ms. A thread changes after one period and after three, alternately.
// Single-period gaps are mostly 1.03 ms, so their mean is 1.028 ms, and all delayed samples are in
// gaps of three periods.
func TestPeriodsAreCounted(t *testing.T) {
	var gaps []time.Duration
	for group := range 200 {
		first := 1030 * us
		if group%10 == 0 {
			first = 1010 * us
		}
		rest := 4080*us - first
		if group%10 == 5 {
			rest += 800 * us
		}
		gaps = append(gaps, first, rest)
	}
	r := stampedAfter(t, gaps)
	if d := r.Device("x", "x", ms).Sampling; !near(d.Overshoot, 40*us, 0.02) {
		t.Errorf("overshoot %s, want 40us", d.Overshoot)
	}
}

// TestIdlePeriodsAreShorter: periods with a change of the thread alternate between 1.04 and 1.06
// ms, the others are 1.033 ms. The thread changes at three samples in a row and then not for
// eleven: gaps of 1.04, 1.06 and 11 × 1.033 + 1.05 = 12.413 ms, which are 14 periods of 1.0366 ms
// on average. Eleven periods with changes would be at most 11.66 ms, twelve at least 12.48 ms.
func TestIdlePeriodsAreShorter(t *testing.T) {
	var gaps []time.Duration
	for i := range 300 {
		gaps = append(gaps, []time.Duration{1040 * us, 1060 * us, 12413 * us}[i%3])
	}
	r := stampedAfter(t, gaps)
	if d := r.Device("x", "x", ms).Sampling; !near(d.Overshoot, 36640, 0.03) { // 14.513 ms in 14 periods: 36.64 us beyond 1 ms
		t.Errorf("overshoot %s, want 36.64us", d.Overshoot)
	}
}

// TestIntervalOfAnAppThatWaits: the app waits half of the time, so CPU time is a loose bound of the
// pause. The shortest periods still determine the interval, and are consistent with it.
func TestIntervalOfAnAppThatWaits(t *testing.T) {
	flat := func(int) int { return 2 }
	for _, interval := range []time.Duration{ms, 5 * ms, 20 * ms} {
		truth := app{threads: 10, busy: 0.5, length: 500 * interval, change: interval, depth: flat}.truth()
		r, err := Calibrate(resampled(t, truth, interval, sampler.Cost{Overshoot: 70 * us, OvershootSpread: 5 * us, PerTick: 2 * us, PerThread: 2 * us, Granularity: us}))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Sampled.Interval(); got != interval {
			t.Errorf("interval %s, want %s", got, interval)
		}
		if err := r.Sampled.CheckInterval(interval); err != nil {
			t.Error(err)
		}
	}
}

// TestLongestInterval: a walk takes 0.3 ms of each period of 1.15 ms. Half of it is subtracted,
// because the walk is uncertain, so the interval is at most 1 ms. A longer run of the app between
// two samples does not raise the lower bound.
func TestLongestInterval(t *testing.T) {
	s := &SampledTiming{Granularity: us, AppRun: Estimate{Low: 30 * ms}}
	for range 200 {
		s.gaps = append(s.gaps, gap{wall: 1150 * us, walk: 300 * us})
	}
	if err := s.CheckInterval(1001 * us); err != nil {
		t.Error(err)
	}
	if err := s.CheckInterval(1002 * us); err == nil {
		t.Error("an interval of 1.002 ms is accepted")
	}
	if low, high := s.IntervalRange(); low != ms || high != ms {
		t.Errorf("the interval is %s to %s, want 1ms", low, high)
	}
}

// TestContradictedInterval: periods of 5.48 ms (p1, computed by another program) exclude an
// interval of 5.5 ms or more, and periods of 3.07 ms exclude 3.1 ms. The interval inferred for each
// trace is accepted.
func TestContradictedInterval(t *testing.T) {
	for _, test := range []struct {
		name      string
		fits, not time.Duration
	}{
		{"sampled-art-file.trace", 5 * ms, 5500 * us},
		{"sampled-host-file.trace", 3 * ms, 3100 * us},
		{"sampled-streaming.trace", 1 * ms, 2 * ms},
	} {
		s := calibrated(t, test.name).Sampled
		if err := s.CheckInterval(test.fits); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if err := s.CheckInterval(test.not); err == nil || !strings.Contains(err.Error(), "the trace contradicts the interval") {
			t.Errorf("%s at %s: error %v", test.name, test.not, err)
		}
		if low, high := s.IntervalRange(); low > s.Interval() || high < s.Interval() || high > test.fits {
			t.Errorf("%s: the interval is %s, %s to %s", test.name, s.Interval(), low, high)
		}
	}
}

// TestDuplicateStampsAreNoPeriods: one sample in fifty has a second timestamp of a thread, 20 µs
// later. These gaps are no periods: the calibrated device is the same as without them.
func TestDuplicateStampsAreNoPeriods(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1})
	for _, name := range []string{"a", "b"} {
		rec.Symbols.AddMethod(trace.Method{Class: "C", Name: name})
	}
	var events []trace.Event
	open := trace.MethodID(0)
	add := func(at time.Duration) {
		exit, enter := trace.Event{Wall: at, CPU: at, Method: open, Action: trace.Exit}, trace.Event{Wall: at, CPU: at, Method: 1 - open}
		if open = 1 - open; len(events) > 0 {
			events = append(events, exit)
		}
		events = append(events, enter)
	}
	for i := range 500 {
		at := time.Duration(i+1) * 1100 * us
		add(at)
		if i%50 == 7 {
			add(at + 20*us)
		}
	}
	rec.Events = trace.NewSliceReader(events)
	r, err := Calibrate(rec)
	if err != nil || r.Sampled == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if d := r.Device("x", "x", ms).Sampling; !near(d.Overshoot, 100*us, 0.02) || d.OvershootSpread > 5*us {
		t.Errorf("overshoot %s ± %s, want 100us", d.Overshoot, d.OvershootSpread)
	}
}

// TestCoarseClock: on a clock of 32768 Hz most of the 20 µs differences between the timestamps of
// two threads read as 0 or 30.5 µs; their frequencies determine the mean.
func TestCoarseClock(t *testing.T) {
	for _, step := range []time.Duration{us, 30518} {
		depth := func(id int) int { return 2 + id*7%11 }
		truth := app{threads: 12, busy: 1, length: 3 * time.Second, change: ms, depth: depth}.truth()
		r, err := Calibrate(resampled(t, truth, 5*ms, sampler.Cost{Overshoot: 90 * us, OvershootSpread: 20 * us, PerThread: 20 * us, Granularity: step}))
		if err != nil {
			t.Fatal(err)
		}
		s := r.Sampled
		if !near(s.Granularity, step, 0.01) {
			t.Errorf("step %s: granularity %s", step, s.Granularity)
		}
		if !near(s.PerThread.Value, 20*us, 0.05) {
			t.Errorf("step %s: %v per thread, want 20us", step, s.PerThread)
		}
		if want := 20 * us * time.Duration(s.SkewPlaces); !near(s.Skew.Value, want, 0.15) {
			t.Errorf("step %s: skew over %d places %v, want %s", step, s.SkewPlaces, s.Skew, want)
		}
	}
}

// TestThreadsOfAWalk: two threads end before main. Of the five threads from main on, the third has
// no event, the fourth starts in the second tick, and the fifth has no sample. The ticks walk 2, 5
// and 5 threads, and the sampling thread.
func TestThreadsOfAWalk(t *testing.T) {
	s := samples{all: []sample{
		{wall: 0, thread: 0, depth: 3}, {wall: 10 * us, thread: 1, depth: 2},
		{wall: ms, thread: 0, depth: 3}, {wall: ms + 30*us, thread: 3, depth: 1},
		{wall: 2 * ms, thread: 0, depth: 4},
	}}
	w := s.walk([]int{2, 3, 4, 5, 6, 0, 1}, 2, ms)
	want := []walkSize{{2, 0}, {5, 5}, {5, 6}}
	if diff := cmp.Diff(want, w.sizes, cmp.AllowUnexported(walkSize{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if threads, frames := w.mean(); threads != 5 || math.Abs(frames-11.0/3) > 1e-9 {
		t.Errorf("%g threads and %g frames on average, want 5 and 3.67", threads, frames)
	}
}

// TestWalkOfEndedThreads: a thread that has ended precedes main in the list, but was walked after
// it. Its timestamps are no evidence about the order of the list or the cost per thread. The
// timestamps of two live threads are.
func TestWalkOfEndedThreads(t *testing.T) {
	s := samples{all: []sample{
		{wall: 0, thread: 0, depth: 3}, {wall: 10 * us, thread: 2, depth: 2},
		{wall: ms, thread: 0, depth: 2}, {wall: ms + 10*us, thread: 1, depth: 1},
		{wall: 2 * ms, thread: 1, depth: 2}, {wall: 2*ms + 10*us, thread: 0, depth: 1},
	}}
	w := s.walk([]int{1, 2, 0}, 1, ms)
	if w.ordered != 1 || w.reversed != 1 || len(w.distances) != 1 {
		t.Errorf("%d in order, %d reversed, %d distances; want 1, 1, 1", w.ordered, w.reversed, len(w.distances))
	}
}

// TestYAMLOfADistribution: a calibrated device is unchanged by a round trip through its file,
// including the mean and standard deviation of the distribution (derived in TestQuantiles of
// package sampler). Invalid distributions are rejected with their position.
func TestYAMLOfADistribution(t *testing.T) {
	d, err := ReadYAML(strings.NewReader("name: x\nsampling:\n  overshoot-quantiles: [100us, 100us, 200us, 600us, 1ms]\n  per-thread: 2us\n"), "d.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := sampler.Cost{Overshoots: sampler.Quantiles{100 * us, 100 * us, 200 * us, 600 * us, ms}, Overshoot: 362500, OvershootSpread: 289126, PerThread: 2 * us}
	if diff := cmp.Diff(want, d.Sampling); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d = calibrated(t, "sampled-host-file.trace").Device("host", "host", 0)
	var b bytes.Buffer
	if err := d.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	again, err := ReadYAML(&b, "host.yaml")
	if diff := cmp.Diff(d, again); err != nil || diff != "" {
		t.Errorf("%v (-written +read):\n%s", err, diff)
	}
	for text, want := range map[string]string{
		"overshoot-quantiles: [1us]":                        "d.yaml:3:24: a distribution needs a list of at least 2 durations, but the list has 1",
		"overshoot-quantiles: [2us, 1us]":                   "d.yaml:3:30: less than the previous quantile, 2µs",
		"overshoot-quantiles: [1us, 2]":                     "d.yaml:3:30: not a time",
		"overshoot-quantiles: [1us, 2s]":                    "d.yaml:3:30: more than 1s",
		"overshoot: 1us\n  overshoot-quantiles: [1us, 2us]": "d.yaml:3:14: overshoot follows from overshoot-quantiles",
	} {
		_, err := ReadYAML(strings.NewReader("name: x\nsampling:\n  "+text+"\n"), "d.yaml")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// stampedAfter calibrates from a sampled trace of a thread that alternately enters and leaves a
// method, at 0 and after each gap. The trace ends after the last gap.
func stampedAfter(t *testing.T, gaps []time.Duration) *Calibration {
	t.Helper()
	symbols := &trace.Symbols{}
	symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	symbols.AddMethod(trace.Method{ID: 4, Class: "a", Name: "b"})
	var events []trace.Event
	wall := time.Duration(0)
	for i, gap := range gaps {
		e := trace.Event{Wall: wall, CPU: wall, Action: trace.Enter}
		if i%2 == 1 {
			e.Action = trace.Exit
		}
		events = append(events, e)
		wall += gap
	}
	info := trace.Info{Technique: trace.Sampled, Clock: trace.Dual, Elapsed: wall}
	r, err := Calibrate(&trace.Recording{Info: info, Symbols: symbols, Events: trace.NewSliceReader(events)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
