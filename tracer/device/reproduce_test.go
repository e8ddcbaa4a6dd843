package device

import (
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"

	"artifice/trace"
)

func reproduced(t *testing.T, name string) *Reproduction {
	t.Helper()
	r, err := Reproduce(&tracetest.Real(t, name).Recording, 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReproduce: emulating the calibrated device reproduces the trace's values within 5 %. The real
// values were computed by another program from the trace's text form: p1, p50 and mean of the
// periods, their deviation, and events per timestamp. The mean period is within 1 %.
//
// One value is not reproduced: the standard deviation of the periods of sampled-art-file.trace is
// 5.8 % too small. The sleeps of that trace are longer the more threads are walked (correlation
// 0.34: deviations of 451 and 170 µs add up to 534 µs, and without correlation to 482 µs). A device
// has no such dependence.
func TestReproduce(t *testing.T) {
	figures := map[string]map[string]float64{
		"sampled-art-file.trace":  {"period p1": 5480e3, "period p50": 6191e3, "events per sample": 13295. / 721},
		"sampled-host-file.trace": {"period p1": 3066e3, "period p50": 3564e3, "events per sample": 16472. / 957},
		"sampled-streaming.trace": {"period p1": 1607e3, "period p50": 2240e3, "events per sample": 44339. / 3016},
	}
	for _, name := range testdata.SomeUnlessNamed(t, slices.Sorted(maps.Keys(figures)), 1) {
		want, shown := figures[name], 0
		for _, f := range reproduced(t, name).Figures {
			if !math.IsNaN(f.Real) {
				shown++
			}
			if x, ok := want[f.Name]; ok && math.Abs(f.Real-x) > 1e-6*x {
				t.Errorf("%s: %s of the real trace is %g, want %g", name, f.Name, f.Real, x)
			}
			if f.Name == "period mean" && math.Abs(f.Difference()) > 0.01 {
				t.Errorf("%s: emulated %s is %g, want the real %g within 1 %%", name, f.Name, f.Emulated, f.Real)
			}
			if correlated := name == "sampled-art-file.trace" && f.Name == "period spread"; !f.Ok() && !correlated {
				t.Errorf("%s: emulated %s is %g, want the real %g within 5 %%", name, f.Name, f.Emulated, f.Real)
			}
		}
		if shown < 6 { // one of the traces has no skew
			t.Errorf("%s: %d figures, want at least 6", name, shown)
		}
	}
}

// TestReproduceNotices: a wrong device does not reproduce the values. A trace is emulated with one
// part of the cost off by 10 %. Each error changes the listed values, and the correct cost changes
// none.
func TestReproduceNotices(t *testing.T) {
	testdata.Seldom(t, 3)
	right := sampler.Cost{Overshoots: sampler.Quantiles{100 * us, 120 * us, 160 * us, 400 * us}, PerTick: 50 * us, PerThread: 15 * us, Granularity: us}
	flat := func(int) int { return 3 }
	source := resampled(t, app{threads: 20, busy: 0.9, length: 8 * time.Second, change: ms, depth: flat}.truth(), ms, right)
	events := source.Events
	kept := &keeper{from: events}
	source.Events = kept
	r, err := Calibrate(source)
	if err != nil {
		t.Fatal(err)
	}
	var s samples
	groups := make([]int32, len(kept.events))
	for i, e := range kept.events {
		s.add(e)
		groups[i] = s.latest[e.Thread]
	}
	real := r.Sampled
	w := s.walk(listOrder(source), 0, real.ShortPeriod.Value)
	cost := real.cost(ms)
	again := newReplay(source, kept.events, groups, &s, real, w, &cost)
	for name, test := range map[string]struct {
		change func(*sampler.Cost)
		wrong  string
	}{
		"right":              {func(*sampler.Cost) {}, ""},
		"longer pause":       {func(c *sampler.Cost) { c.PerTick += 130 * us }, "period p1, period p50, period mean"},
		"longer sleeps":      {func(c *sampler.Cost) { c.Overshoots = sampler.Quantiles{300 * us, 330 * us, 360 * us, 600 * us} }, "period p1, period p50, period mean"},
		"no tail":            {func(c *sampler.Cost) { c.Overshoots = nil; c.OvershootSpread = 0 }, "period spread"},
		"slower walk":        {func(c *sampler.Cost) { c.PerThread = c.PerThread * 11 / 10 }, "skew per place"},
		"threads not listed": {func(c *sampler.Cost) { c.PerThread = 0 }, "skew per place"},
	} {
		cost := cost
		test.change(&cost)
		m, err := again.emulate(1, sampler.Config{Interval: ms, Seed: 1, Cost: cost}, real)
		if err != nil {
			t.Fatal(err)
		}
		wrong := map[string]bool{}
		for _, f := range compare(measure(real, real.Skew, real.SkewPlaces), []measured{m}) {
			if !f.Ok() {
				wrong[f.Name] = true
				t.Logf("%s: %s %g, real %g", name, f.Name, f.Emulated, f.Real)
			}
		}
		for f := range strings.SplitSeq(test.wrong, ", ") {
			if f != "" && !wrong[f] {
				t.Errorf("%s does not change %s", name, f)
			}
		}
		if test.wrong == "" && len(wrong) > 0 {
			t.Errorf("%s: %v also changed", name, wrong)
		}
	}
}

// TestReplay checks the truth of a trace with two samples of one thread. They are 1 ms apart,
// including a pause of 100 µs, and the second has 300 µs more CPU time. The app enters a
// immediately, and changes to b half a run of 900 µs before the second sample. It runs for 300 µs
// up to that sample, and waits before and after. Its CPU time begins at 1 ms.
func TestReplay(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	a := rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "a"})
	b := rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "b"})
	events := []trace.Event{
		{Wall: 5 * ms, Method: a},
		{Wall: 6 * ms, CPU: 300 * us, Method: a, Action: trace.Exit}, {Wall: 6 * ms, CPU: 300 * us, Method: b},
	}
	var s samples
	for _, e := range events {
		s.add(e)
	}
	timing := &SampledTiming{Period: Estimate{Value: ms}, ShortPeriod: Estimate{Value: ms}, AppRun: Estimate{Value: 900 * us}}
	r := newReplay(rec, events, []int32{0, 1, 1}, &s, timing, s.walk([]int{0}, 0, ms), &sampler.Cost{PerTick: 100 * us})
	const wait = 2
	want := []trace.Event{
		{Wall: 450 * us, CPU: ms, Method: a}, {Wall: 450 * us, CPU: ms, Method: wait},
		{Wall: 1350 * us, CPU: ms, Method: wait, Action: trace.Exit},
		{Wall: 1350 * us, CPU: ms, Method: a, Action: trace.Exit}, {Wall: 1350 * us, CPU: ms, Method: b},
		{Wall: 1350 * us, CPU: ms, Method: wait},
		{Wall: 1500 * us, CPU: ms, Method: wait, Action: trace.Exit},
		{Wall: 1800 * us, CPU: 1300 * us, Method: wait},
	}
	if diff := cmp.Diff(want, r.events); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if m := r.symbols.Methods[wait]; m.Wait == trace.Running || m.Flags&trace.RuntimeInternal == 0 {
		t.Errorf("%+v: the replayed method does not wait, or is observable", m)
	}
}

// TestReproduceRefuses: instrumented traces, and an interval that the trace contradicts, are
// rejected.
func TestReproduceRefuses(t *testing.T) {
	rec := instrumentedTrace(func(i int) time.Duration { return time.Duration(i*4) * us })
	if _, err := Reproduce(rec, 0); err == nil || !strings.Contains(err.Error(), "this trace is instrumented") {
		t.Errorf("instrumented trace: error %v", err)
	}
	flat := func(int) int { return 2 }
	sampled := resampled(t, app{threads: 3, busy: 1, length: time.Second, change: ms, depth: flat}.truth(), ms, sampler.Cost{Overshoot: 50 * us, Granularity: us})
	if _, err := Reproduce(sampled, 2*ms); err == nil || !strings.Contains(err.Error(), "the trace contradicts the interval") {
		t.Errorf("interval 2 ms: error %v", err)
	}
}

// TestKeeper: a keeper returns and keeps the events read through it, up to its limit.
func TestKeeper(t *testing.T) {
	k := &keeper{from: trace.NewSliceReader(make([]trace.Event, 10)), events: make([]trace.Event, maxReplayed-3)}
	events := make([]trace.Event, 8)
	if n, err := k.ReadEvents(events); n != 3 || err != nil || len(k.events) != maxReplayed {
		t.Errorf("%d events, error %v; kept %d", n, err, len(k.events))
	}
	if n, err := k.ReadEvents(events); n != 0 || err != io.EOF {
		t.Errorf("beyond the limit: %d events, error %v", n, err)
	}
}
