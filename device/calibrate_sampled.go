package device

import (
	"fmt"
	"time"

	"gonum.org/v1/gonum/floats"

	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/stats"
)

// SampledTiming is what a sampled trace says of its device.
type SampledTiming struct {
	Thread  trace.ThreadID // the busiest thread, from which periods are taken
	Threads int            // threads that samples walk: those listed from main on, since tables have ended ones before it
	Frames  float64        // frames on all stacks together, on average

	// Period is the median time from one sample to the next, ShortPeriod the 1 %
	// quantile, over the gaps of the busiest thread that are below 1.5 times
	// their 5 % quantile: those of one period.
	Period, ShortPeriod Estimate

	// CPU is the median CPU time that the thread used in such a period, and
	// CPUShare the share of CPU time in all of them.
	CPU      Estimate
	CPUShare float64

	// Pause is how long a sample stops the app. It shows in two ways, neither
	// sharp: wall minus CPU time of a period, of which the pause is the part that
	// even a busy thread has (the 10 % quantile), and what walking all threads
	// takes. The value is the larger of the two; the interval goes from the
	// 5 % quantile, or the walk, to the 25 % quantile, or the walk's upper end.
	Pause Estimate

	// AppRun is Period minus Pause: how long the app runs between two samples.
	AppRun Estimate

	// PerThread and PerFrame are the parts of the pause that the stamps within
	// a sample show; N is 0 when too few threads changed together. A table that
	// lists only threads with events, as those of Android 14 QPR2 and later do,
	// hides the ones between: PerThread then includes them.
	PerThread, PerFrame Estimate

	// Skew is how much later than Thread another one, SkewTo, is stamped in the
	// same sample, by the median: that which most often changed together with it.
	// SkewPlaces is how far behind Thread it stands in the list.
	SkewTo     trace.ThreadID
	SkewPlaces int
	Skew       Estimate

	// Ordered and Reversed count adjacent stamps of a sample in list order and
	// against it.
	Ordered, Reversed int

	clockOverhead time.Duration
}

// timing returns what s says; rec has been read.
func (s *samples) timing(rec *trace.Recording) *SampledTiming {
	period, _ := s.groups.Period()
	p := s.periods(period)
	t := &SampledTiming{
		Thread:        period.Thread,
		Threads:       len(rec.Symbols.Threads),
		Period:        quantile(p.walls, 0.5),
		ShortPeriod:   quantile(p.walls, 0.01),
		clockOverhead: rec.Info.ClockOverhead,
	}
	places := listOrder(rec)
	t.Threads -= mainPlace(rec, places)
	w := s.walk(places, t.ShortPeriod.Value)
	t.Ordered, t.Reversed, t.Frames = w.ordered, w.reversed, w.meanFrames()
	t.PerThread, t.PerFrame = w.costs()
	if t.SkewTo, t.Skew = w.skew(t.Thread); t.Skew.N > 0 {
		t.SkewPlaces = places[t.SkewTo] - places[t.Thread]
	}
	t.Pause = t.walkTime()
	if wall := floats.Sum(p.walls); rec.Info.Clock == trace.Dual && wall > 0 {
		t.CPU = quantile(p.cpus, 0.5)
		t.CPUShare = floats.Sum(p.cpus) / wall
		t.widenPause(p.waits)
	}
	t.AppRun = Estimate{t.Period.Value - t.Pause.Value, t.Period.Low - t.Pause.High, t.Period.High - t.Pause.Low, t.Period.N}
	return t
}

// periods are the times from one sample of a thread to the next, each of the
// three in ascending order.
type periods struct {
	walls, cpus []float64
	waits       []float64 // wall minus CPU time
}

// periods returns the single-period intervals of the busiest thread: those
// below the limit that package stats finds.
func (s *samples) periods(of stats.Period) periods {
	var walls, cpus, waits []time.Duration
	var last *sample
	for i := range s.all {
		at := &s.all[i]
		if at.thread != of.Thread {
			continue
		}
		if last != nil && at.wall-last.wall < of.Limit {
			wall, cpu := at.wall-last.wall, at.cpu-last.cpu
			walls, cpus, waits = append(walls, wall), append(cpus, cpu), append(waits, wall-cpu)
		}
		last = at
	}
	return periods{ascending(walls), ascending(cpus), ascending(waits)}
}

// widenPause takes in what the waits of all periods say of the pause, beside
// the time of the walk.
func (t *SampledTiming) widenPause(waits []float64) {
	low, at, high := quantile(waits, 0.05), quantile(waits, 0.10), quantile(waits, 0.25)
	if t.Pause.N == 0 {
		t.Pause = Estimate{0, low.Value, 0, 0}
	}
	t.Pause = Estimate{max(t.Pause.Value, at.Value), min(max(t.Pause.Low, 0), low.Value), max(t.Pause.High, high.Value), len(waits)}
}

// walkTime returns how long walking all threads takes.
func (t *SampledTiming) walkTime() Estimate {
	total := func(thread, frame time.Duration) time.Duration {
		return thread*time.Duration(t.Threads) + time.Duration(float64(frame)*t.Frames)
	}
	return Estimate{
		Value: total(t.PerThread.Value, t.PerFrame.Value),
		Low:   total(t.PerThread.Low, t.PerFrame.Low),
		High:  total(t.PerThread.High, t.PerFrame.High),
		N:     t.PerThread.N,
	}
}

// Interval returns the nominal interval that the trace may have been recorded
// with, which no file stores: the largest of 1, 2, 3, 5 times a power of ten
// below the time that the app runs between two samples. It is a guess.
func (t *SampledTiming) Interval() time.Duration {
	best := smallestInterval
	for unit := best; unit <= t.AppRun.Value; unit *= 10 {
		for _, n := range []time.Duration{1, 2, 3, 5} {
			if n*unit <= t.AppRun.Value {
				best = n * unit
			}
		}
	}
	return best
}

const smallestInterval = 10 * time.Microsecond

// cost returns the device's sampling cost for traces of that nominal interval
// (0: Interval). The spread is that of a normal distribution with the trace's
// median and 1 % quantile; the cost per tick is what walking the threads leaves
// of the pause.
func (t *SampledTiming) cost(interval time.Duration) sampler.Cost {
	if interval == 0 {
		interval = t.Interval()
	}
	const onePercent = 2.326 // standard deviations below the mean
	return sampler.Cost{
		Overshoot:       max(0, t.AppRun.Value-interval),
		OvershootSpread: time.Duration(float64(t.Period.Value-t.ShortPeriod.Value) / onePercent),
		PerTick:         max(0, t.Pause.Value-t.walkTime().Value),
		PerThread:       t.PerThread.Value,
		PerFrame:        t.PerFrame.Value,
		Granularity:     time.Microsecond,
		ClockOverhead:   t.clockOverhead,
	}
}

// describe sets what the trace called source shows of the device d.
func (t *SampledTiming) describe(d *Device, source string, interval time.Duration) {
	guess := ""
	if interval == 0 {
		interval, guess = t.Interval(), ", a guess"
	}
	d.Sampling = t.cost(interval)
	d.Instrumented = clocks(t.clockOverhead)
	d.Instrumented.Granularity = d.Sampling.Granularity
	d.Origins = []Origin{
		{Numbers: "overshoot", Source: fmt.Sprintf("%s: the app runs %s between two samples (%s to %s) of nominally %s%s",
			source, t.AppRun.Value, t.AppRun.Low, t.AppRun.High, interval, guess)},
		{Numbers: "overshoot-spread", Source: fmt.Sprintf("the same: periods of %s (p1) and %s (p50)", t.ShortPeriod.Value, t.Period.Value)},
		{Numbers: "per-tick", Source: fmt.Sprintf("the same: a pause of %s (%s to %s) minus the walk of %d threads",
			t.Pause.Value, t.Pause.Low, t.Pause.High, t.Threads)},
		{Numbers: "per-thread, per-frame", Source: fmt.Sprintf("the same: stamps within a sample, %d distances; %s to %s and %s to %s",
			t.PerThread.N, t.PerThread.Low, t.PerThread.High, t.PerFrame.Low, t.PerFrame.High)},
		{Numbers: "clock-overhead, cpu-read", Source: "the same: option clock-call-overhead-nsec"},
		{Numbers: "granularity", Source: "traces count in us"},
		{Numbers: "hook, compiled", Source: "a sampled trace does not show them: 0"},
	}
}
