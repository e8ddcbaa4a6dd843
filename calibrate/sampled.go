package calibrate

import (
	"time"

	"artifice/sampler"
	"artifice/trace"
)

// Sampled is what a sampled trace says of its device.
type Sampled struct {
	Thread  trace.ThreadID // the busiest thread, from which periods are taken
	Threads int            // threads that samples walk: those listed from main on, since tables have ended ones before it
	Frames  float64        // frames on all stacks together, on average
	Ticks   int            // samples that left events

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

// sampled returns what g says; rec has been read.
func (g *groups) sampled(rec *trace.Recording) *Sampled {
	thread, periods := g.periods()
	var walls, cpus, waits []time.Duration
	var wallSum, cpuSum time.Duration
	for _, p := range periods {
		walls, cpus, waits = append(walls, p.wall), append(cpus, p.cpu), append(waits, p.wall-p.cpu)
		wallSum, cpuSum = wallSum+p.wall, cpuSum+p.cpu
	}
	walls, cpus, waits = sorted(walls), sorted(cpus), sorted(waits)
	s := &Sampled{
		Thread:        thread,
		Threads:       len(rec.Symbols.Threads),
		Period:        quantile(walls, 0.5),
		ShortPeriod:   quantile(walls, 0.01),
		clockOverhead: rec.Info.ClockOverhead,
	}
	places := listOrder(rec)
	s.Threads -= mainPlace(rec, places)
	w := g.walk(places, s.ShortPeriod.Value)
	s.Ticks, s.Ordered, s.Reversed, s.Frames = w.ticks, w.ordered, w.reversed, w.meanFrames()
	s.PerThread, s.PerFrame = w.costs()
	if s.SkewTo, s.Skew = w.skew(thread); s.Skew.N > 0 {
		s.SkewPlaces = places[s.SkewTo] - places[thread]
	}
	s.Pause = s.walkTime()
	if rec.Info.Clock == trace.Dual && wallSum > 0 {
		s.CPU = quantile(cpus, 0.5)
		s.CPUShare = float64(cpuSum) / float64(wallSum)
		low, at, high := quantile(waits, 0.05), quantile(waits, 0.10), quantile(waits, 0.25)
		if s.Pause.N == 0 {
			s.Pause = Estimate{0, low.Value, 0, 0}
		}
		s.Pause = Estimate{max(s.Pause.Value, at.Value), min(max(s.Pause.Low, 0), low.Value), max(s.Pause.High, high.Value), len(waits)}
	}
	s.AppRun = Estimate{s.Period.Value - s.Pause.Value, s.Period.Low - s.Pause.High, s.Period.High - s.Pause.Low, s.Period.N}
	return s
}

// walkTime returns how long walking all threads takes.
func (s *Sampled) walkTime() Estimate {
	total := func(thread, frame time.Duration) time.Duration {
		return thread*time.Duration(s.Threads) + time.Duration(float64(frame)*s.Frames)
	}
	return Estimate{
		Value: total(s.PerThread.Value, s.PerFrame.Value),
		Low:   total(s.PerThread.Low, s.PerFrame.Low),
		High:  total(s.PerThread.High, s.PerFrame.High),
		N:     s.PerThread.N,
	}
}

// Interval returns the nominal interval that the trace may have been recorded
// with, which no file stores: the largest of 1, 2, 3, 5 times a power of ten
// below the time that the app runs between two samples. It is a guess.
func (s *Sampled) Interval() time.Duration {
	best := smallestInterval
	for unit := best; unit <= s.AppRun.Value; unit *= 10 {
		for _, n := range []time.Duration{1, 2, 3, 5} {
			if n*unit <= s.AppRun.Value {
				best = n * unit
			}
		}
	}
	return best
}

const smallestInterval = 10 * time.Microsecond

// Cost returns the device's sampling cost for traces of that nominal interval
// (0: Interval). The spread is that of a normal distribution with the trace's
// median and 1 % quantile; the cost per tick is what walking the threads leaves
// of the pause.
func (s *Sampled) Cost(interval time.Duration) sampler.Cost {
	if interval == 0 {
		interval = s.Interval()
	}
	const onePercent = 2.326 // standard deviations below the mean
	return sampler.Cost{
		Overshoot:       max(0, s.AppRun.Value-interval),
		OvershootSpread: time.Duration(float64(s.Period.Value-s.ShortPeriod.Value) / onePercent),
		PerTick:         max(0, s.Pause.Value-s.walkTime().Value),
		PerThread:       s.PerThread.Value,
		PerFrame:        s.PerFrame.Value,
		Granularity:     time.Microsecond,
		ClockOverhead:   s.clockOverhead,
	}
}
