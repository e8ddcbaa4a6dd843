package score

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"artifice/bench/measure"
	"artifice/diffstack"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/tracer/device"
)

// TestSamples compares the sums of a scorer with brute force, which has one clock.
func TestSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for trial := range 60 {
		rec, events, phase, gap := randomTrial(rng)
		pause := time.Duration(rng.IntN(3)) * 10 * us

		w, _ := scored(t, rec, sampler.Config{Interval: gap, Phase: phase, OneClock: true, Cost: sampler.Cost{PerTick: pause}}, true)
		state := w.state
		x := bruteSample(newReplay(rec, events), phase, gap, pause)

		what := fmt.Sprintf("trial %d, phase %v, gap %v, pause %v", trial, phase, gap, pause)
		reported := w.pages.columns(&state.contexts.Contexts, nil)
		for p := calltree.Node(1); int(p) < state.contexts.Len(); p++ {
			key := fmt.Sprint(state.contexts.Thread(p), name(&state.contexts.Contexts, p))
			self, calls := reported.self[p], int64(reported.calls[p])
			// As in brute force, a thread's last stack lasts until the first sample without the
			// thread, or until the next sample after the end.
			if self != x.self[key] || calls != x.calls[key] {
				t.Errorf("%s, %s: self %v calls %d, want %v and %d", what, key, self, calls, x.self[key], x.calls[key])
			}
		}
		if w.Samples != x.samples || w.Seen != x.seen || w.Reported != x.reported {
			t.Errorf("%s: %d samples, %d calls seen, %d reported, want %d, %d, %d", what, w.Samples, w.Seen, w.Reported, x.samples, x.seen, x.reported)
		}
		want := measure.Timeline{Thread: x.thread, Equal: x.equal, True: x.truth, Reported: x.observed, Common: x.common_}
		if w.Line != want {
			t.Errorf("%s: timeline %+v, want %+v", what, w.Line, want)
		}
		if t.Failed() {
			return
		}
	}
}

// scored runs one sampler with a scorer and returns the finished scorer. If the scorer compares
// stacks by method, the sampler keeps no stacks itself. Otherwise scored also returns the number of
// events that the sampler wrote.
func scored(t *testing.T, truth *trace.Recording, config sampler.Config, byMethod bool) (*SampleScorer, int64) {
	t.Helper()
	state := NewTrueState(truth)
	truth.Events = state
	state.WithCPU()
	w := NewSampleScorer(state, SampleConfig{Ends: config.SliceEnd, ByMethod: byMethod, CPU: true})
	var out trace.Writer
	if !byMethod {
		out = trace.Discard
	}
	s, err := sampler.New(truth, config, out)
	if err != nil {
		t.Fatal(err)
	}
	s.SetObserver(w)
	if err := sampler.Run(truth, s); err != nil {
		t.Fatal(err)
	}
	if err := state.Finish(truth); err != nil {
		t.Fatal(err)
	}
	w.Finish()
	return w, s.Stats().Events
}

// TestByMethod checks that a scorer that compares stacks by its contexts computes the same sums as
// the scorer of a sampler with output, event by event.
func TestByMethod(t *testing.T) {
	a, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	phone := a.Sampling
	for i, config := range []sampler.Config{
		{Interval: 200 * us},
		{Interval: time.Millisecond, Cost: phone},
		{Interval: 500 * us, Leaves: sampler.LeavesHidden},
		{Interval: 300 * us, SliceEnd: diffstack.EndMid, Cost: phone},
		{Interval: 700 * us, Schedule: sampler.Poisson},
	} {
		for _, workload := range []string{"cold-start", "gc-storm", "w6-random-tree"} {
			w, _ := scored(t, tracetest.Workload(t, workload, 300*time.Millisecond), config, true)
			recorded, events := scored(t, tracetest.Workload(t, workload, 300*time.Millisecond), config, false)
			if a, b := w.Accumulator, recorded.Accumulator; !reflect.DeepEqual(a, b) || a.Reported == 0 {
				t.Errorf("config %d, %s: %d calls, %d seen, %+v; with an output %d, %d, %+v", i, workload, a.Reported, a.Seen, a.Line, b.Reported, b.Seen, b.Line)
			}
			if w.Events() != events {
				t.Errorf("config %d, %s: %d events, the sampler wrote %d", i, workload, w.Events(), events)
			}
		}
	}
}

// TestCallEndsBetweenSamples compares the timeline of calls that end midway between two samples
// with brute force.
func TestCallEndsBetweenSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for trial := range 60 {
		rec, events, phase, gap := randomTrial(rng)
		config := sampler.Config{Interval: gap, Phase: phase, SliceEnd: diffstack.EndMid}
		w, _ := scored(t, rec, config, true)
		if got, want := w.Line, midLine(newReplay(rec, events), phase, gap); got != want {
			t.Fatalf("trial %d, phase %v, gap %v: %+v, want %+v", trial, phase, gap, got, want)
		}
	}
}

// midLine compares the stacks at every half microsecond of every thread. Up to the middle between
// two samples, the reported stack is that of the earlier sample. From the middle on, it is the
// common prefix of both samples.
func midLine(r *replay, phase, gap time.Duration) measure.Timeline {
	x := &expected{}
	for id := range r.threads {
		t := &r.threads[id]
		if t.start < 0 {
			continue
		}
		x.thread += t.end - t.start
		for now := t.start; now < t.end; now += us / 2 {
			var reported []string
			if now >= phase {
				last := now - (now-phase)%gap
				next := last + gap
				seen := t.seenAt(last)
				reported = seen
				if now-last >= gap/2 && next <= t.end && last >= t.start {
					reported = commonPrefix(seen, t.seenAt(next), next == t.end, r.lastStack(trace.ThreadID(id)))
				}
			}
			x.moment(t.at(now), reported)
		}
	}
	return measure.Timeline{Thread: x.thread, Equal: x.equal, True: x.truth, Reported: x.observed, Common: x.common_}
}

// seenAt returns the stack that a sample at at observes, or nil before the thread's start.
func (t *replayThread) seenAt(at time.Duration) []string {
	if at < t.start {
		return nil
	}
	return t.at(at)
}

// commonPrefix returns the common prefix of a and b; at the end of the thread, left replaces b.
func commonPrefix(a, b []string, atEnd bool, left []string) []string {
	if atEnd {
		b = left
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// TestTrueState compares the true state with brute force.
func TestTrueState(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for trial := range 100 {
		rec := randomTruth(rng, 1+rng.IntN(3), 10+rng.IntN(150))
		var events trace.Buffer
		trace.Copy(&events, rec.Events)
		c := newState(rec, events.Events)
		if _, err := trace.Copy(&trace.Buffer{}, c); err != nil {
			t.Fatal(err)
		}
		r := newReplay(rec, events.Events)
		if err := c.finish(r.end); err != nil {
			t.Fatal(err)
		}
		on, self, calls := map[string]time.Duration{}, map[string]time.Duration{}, map[string]int64{}
		for id := range r.threads {
			for _, call := range r.threads[id].calls {
				key := fmt.Sprint(id, call.path)
				on[key] += call.to - call.from
				calls[key]++
			}
			for now := r.threads[id].start; now < r.threads[id].end; now += us {
				if stack := r.threads[id].at(now); len(stack) > 0 {
					self[fmt.Sprint(id, stack[len(stack)-1])] += us
				}
			}
		}
		for p := calltree.Node(1); int(p) < c.contexts.Len(); p++ {
			key := fmt.Sprint(c.contexts.Thread(p), name(&c.contexts.Contexts, p))
			n, on1 := c.contexts.At(p), c.sums.At(int(p)).on
			if !c.contexts.IsRoot(p) && (n.Self.Wall != self[key] || on1 != on[key] || n.Count != calls[key]) {
				t.Errorf("trial %d, %s: self %v, on %v, calls %d, want %v, %v, %d", trial, key, n.Self.Wall, on1, n.Count, self[key], on[key], calls[key])
			}
		}
	}
}

// waiting returns a truth of one thread. Method run is on the stack from 0 to 10 ms. At 4 ms it
// calls sleep for 4 ms, which uses no CPU time.
func waiting() *trace.Recording {
	const ms = time.Millisecond
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 10 * ms}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{Name: "main", End: 10 * ms})
	rec.Symbols.AddMethod(trace.Method{Name: "run"})
	rec.Symbols.AddMethod(trace.Method{Name: "sleep", Wait: trace.Sleep})
	rec.Events = trace.NewSliceReader([]trace.Event{
		{Wall: 0, CPU: 1 * ms},
		{Wall: 4 * ms, CPU: 5 * ms, Method: 1},
		{Wall: 8 * ms, CPU: 5 * ms, Method: 1, Action: trace.Exit},
		{Wall: 10 * ms, CPU: 7 * ms, Action: trace.Exit},
	})
	return rec
}

// TestCPUByHand checks CPU times computed by hand. CPU times since the first event are 0.5, 1.5,
// 2.5, 3.5, then four times 4, 4.5 and 5.5 ms in the samples at 0.5, 1.5 … 9.5 ms, and 6 ms at the
// end. A sample counts up to the next one: run 3.5 + 1.5 ms, sleep 0.5 ms. The true CPU time of run
// is 6 ms.
func TestCPUByHand(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		end        diffstack.SliceEnd
		run, sleep time.Duration
	}{
		{diffstack.EndNext, 5 * ms, 500 * us},
		{diffstack.EndMid, 5250 * us, 250 * us}, // sleep ends midway between the CPU times 4 and 4.5
		{diffstack.EndLast, 5500*us - 10, 10},   // 10 ns after the CPU time 4
	} {
		w, _ := scored(t, waiting(), sampler.Config{Interval: ms, Phase: 500 * us, SliceEnd: c.end}, true)
		state := w.state
		r := NewReference(state)
		o := r.Compare(&w.Accumulator)
		if got, want := o.True.CPU.Exclusive, []time.Duration{6 * ms, 0}; !slices.Equal(got, want) {
			t.Errorf("%s: true CPU times %v, want %v", c.end, got, want)
		}
		if got, want := o.Seen.CPU.Exclusive, []time.Duration{c.run, c.sleep}; !slices.Equal(got, want) {
			t.Errorf("%s: reported CPU times %v, want %v", c.end, got, want)
		}
		// The true shares are 1 and 0, so the exclusive error is twice the share of sleep. No
		// method is missing in the sum, because run's inclusive time is the total on both sides.
		exclusive := measure.NewTimeError(o.True.CPU.Exclusive, o.Seen.CPU.Exclusive, o.True.CPU.Time, o.Seen.CPU.Time, 0)
		inclusive := measure.NewTimeError(o.True.CPU.Inclusive, o.Seen.CPU.Inclusive, o.True.CPU.Time, o.Seen.CPU.Time, 0)
		wrong := float64(c.sleep) / float64(c.run+c.sleep)
		for what, v := range map[string][2]float64{"exclusive": {exclusive.WMAPE, 2 * wrong}, "inclusive": {inclusive.WMAPE, wrong}, "bias": {inclusive.Bias, wrong}} {
			if math.Abs(v[0]-v[1]) > 1e-12 {
				t.Errorf("%s: error of %s CPU time is %v, want %v", c.end, what, v[0], v[1])
			}
		}
	}
}

// TestTrueCPU checks that the CPU times of all paths sum to those of the threads.
func TestTrueCPU(t *testing.T) {
	truth := tracetest.Workload(t, "network-client", 500*time.Millisecond)
	c := NewTrueState(truth)
	c.immediate = true
	c.WithCPU()
	if _, err := trace.Copy(trace.Discard, c); err != nil {
		t.Fatal(err)
	}
	var got time.Duration
	for p := range c.sums.Len() {
		got += c.contexts.At(calltree.Node(p)).Self.CPU
	}
	if want := c.cpu(); got != want || want == 0 {
		t.Errorf("sum by path %v, want %v, the sum by thread", got, want)
	}
}

// TestPauseBias checks that longer pauses for deep stacks increase the wall share of deep phases by
// the expected amount.
func TestPauseBias(t *testing.T) {
	truth := tracetest.Workload(t, "w7-deep-shallow", 4*time.Second)
	config := sampler.Config{Interval: time.Millisecond, Phase: 600 * us, Cost: sampler.Cost{Overshoot: 150 * us, PerTick: 46 * us, PerFrame: 2 * us}}
	w, _ := scored(t, truth, config, true)
	c, self := w.state, w.pages.columns(&w.state.contexts.Contexts, nil).self
	var deep, all time.Duration
	depths := map[int]bool{}
	for p := range c.sums.Len() {
		if c.contexts.At(calltree.Node(p)).Self.Wall < 100*time.Millisecond {
			continue
		}
		depth := c.contexts.Depth(calltree.Node(p))
		depths[depth] = true
		all += self[p]
		if depth > 50 {
			deep += self[p]
		}
	}
	if len(depths) != 2 || !depths[102] || !depths[2] {
		t.Fatalf("phases at depths %v, want 2 and 102", depths)
	}
	// Each phase has 1 s, with a pause of 50 or 250 us after each 1.15 ms of app time.
	shallow, costly := 1+50./1150, 1+250./1150
	want := costly / (shallow + costly)
	if got := float64(deep) / float64(all); math.Abs(got-want) > 0.002 {
		t.Errorf("deep phases have %.4f of the reported time, want %.4f", got, want)
	}
}

// TestTimelineEndsWithTheTruth checks the end of the timeline. A thread is in run from 0 to the end
// of the truth at 10 ms. Samples at 3 and 7 ms observe it, and the next sample, at 11 ms, is after
// the end. So 7 of 10 ms are correct, and 7 ms are reported.
func TestTimelineEndsWithTheTruth(t *testing.T) {
	const ms = time.Millisecond
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 10 * ms}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{Name: "main"})
	rec.Symbols.AddMethod(trace.Method{Name: "run"})
	rec.Events = trace.NewSliceReader([]trace.Event{{}})
	w, _ := scored(t, rec, sampler.Config{Interval: 4 * ms, Phase: 3 * ms}, true)
	want := measure.Timeline{Thread: 10 * ms, Equal: 7 * ms, True: 10 * ms, Reported: 7 * ms, Common: 7 * ms}
	if w.Line != want {
		t.Errorf("%+v, want %+v", w.Line, want)
	}
}
