package bench

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"artifice/bench/metric"
	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
)

// waiting is a truth of one thread: run is on the stack from 0 to 10 ms, and calls
// sleep at 4 ms for 4 ms, in which no CPU time goes by.
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

// TestCPUByHand: samples at 0.5, 1.5 … 9.5 ms see 0.5, 1.5, 2.5, 3.5, then 4 four
// times, 4.5 and 5.5 ms of CPU time since the first event, and at the end 6. A
// sample owns the time until the next: run 3.5 + 1.5, sleep 0.5 ms. Truly run has
// 6 ms.
func TestCPUByHand(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		end        diffstack.SliceEnd
		run, sleep time.Duration
	}{
		{diffstack.EndNext, 5 * ms, 500 * us},
		{diffstack.EndMid, 5250 * us, 250 * us}, // sleep ends midway between 4 and 4.5
		{diffstack.EndLast, 5500*us - 10, 10},   // 10 ns after 4
	} {
		w, _ := watched(t, waiting(), sampler.Config{Interval: ms, Phase: 500 * us, SliceEnd: c.end}, true)
		course := w.course
		r := newReference(course)
		if got, want := r.cpuT.exclusive, []time.Duration{6 * ms, 0}; !slices.Equal(got, want) {
			t.Errorf("%s: true CPU times %v, want %v", c.end, got, want)
		}
		if got, want := r.byCPU(w.columns).exclusive, []time.Duration{c.run, c.sleep}; !slices.Equal(got, want) {
			t.Errorf("%s: reported CPU times %v, want %v", c.end, got, want)
		}
		// Shares: true 1 and 0, so the errors are twice sleep's share, and none is
		// missing in all; run's inclusive time is everything on both sides.
		scores, _ := r.compare(&w.tally)
		wrong := float64(c.sleep) / float64(c.run+c.sleep)
		for m, want := range map[Measure]float64{ExclusiveCPUError: 2 * wrong, InclusiveCPUError: wrong, InclusiveCPUBias: wrong} {
			if math.Abs(scores[m]-want) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", c.end, m.Key(), scores[m], want)
			}
		}
	}
}

// TestCPUAskedFor: who does not ask gets no errors of CPU time; who does gets none
// from tracers and readers that have no CPU clock, and no error at all from one
// that records every call for nothing.
func TestCPUAskedFor(t *testing.T) {
	run := func(cpu bool) map[string]Scores {
		r, err := Run(context.Background(), truthOf(t, "cold-start", 300*time.Millisecond), Config{
			Modes: []Mode{ARTSampling, EndMidSampling, ByCallSampling, InstrumentedDual, InstrumentedWall}, Intervals: []time.Duration{time.Millisecond}, Phases: 3, LadderAt: time.Millisecond, CPU: cpu,
		})
		if err != nil {
			t.Fatal(err)
		}
		means := map[string]Scores{}
		for _, row := range r.Rows {
			means[row.Mode] = row.Mean
		}
		return means
	}
	for mode, s := range run(false) {
		if !math.IsNaN(s[ExclusiveCPUError]) {
			t.Errorf("%s: CPU error %v, not asked for", mode, s[ExclusiveCPUError])
		}
	}
	asked := run(true)
	for _, mode := range []string{"sample", "end-mid", "by-call", "+ tail"} {
		if e := asked[mode][ExclusiveCPUError]; !(e > 0 && e < 1) {
			t.Errorf("%s: CPU error %v", mode, e)
		}
	}
	for _, mode := range []string{"instrument-wall", "re-sampled", "rounded up", "count x T"} {
		if e := asked[mode][ExclusiveCPUError]; !math.IsNaN(e) {
			t.Errorf("%s: CPU error %v without a CPU clock", mode, e)
		}
	}
	for _, m := range []Measure{ExclusiveCPUError, InclusiveCPUError, InclusiveCPUBias} {
		if e := asked["instrument-dual"][m]; math.Abs(e) > 1e-9 {
			t.Errorf("%s of every call, recorded at no cost: %v", m.Key(), e)
		}
	}
}

// TestTrueCPU: the CPU times of all paths together are those of the threads.
func TestTrueCPU(t *testing.T) {
	truth := truthOf(t, "network-client", 500*time.Millisecond)
	c := newCourse(truth.Events, truth)
	c.alone = true
	c.withCPU()
	if _, err := trace.Copy(trace.Discard, c); err != nil {
		t.Fatal(err)
	}
	if got, want := metric.Sum(c.selfCPU), c.cpu(); got != want || want == 0 {
		t.Errorf("%v by path, %v by thread", got, want)
	}
}
