package device

import (
	"fmt"
	"iter"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"artifice/trace"
	"artifice/trace/stats"
)

// SampledTiming is what a sampled trace says of its device.
type SampledTiming struct {
	Thread  trace.ThreadID // the busiest thread, from which periods are taken
	Threads int            // threads that samples walk: those listed from main on, since tables have ended ones before it
	Frames  float64        // frames on all stacks together, on average

	// MeanThreads is how many of Threads, and the sampling thread itself, a sample
	// walked on average: the list
	// grows, and a thread came before the first event of any after it.
	MeanThreads float64

	// Period is the median time from one sample to the next, ShortPeriod the 1 %
	// quantile, over the gaps of the busiest thread that are below 1.5 times
	// their 5 % quantile: those of one period. Where ticks are known, it is over
	// all of theirs.
	Period, ShortPeriod Estimate

	// CPU is the median CPU time that the thread used in such a period, and
	// CPUShare the share of CPU time in all of them.
	CPU      Estimate
	CPUShare float64

	// Pause is how long a sample stops the app. It shows in two ways, neither
	// sharp: wall minus CPU time of a period, of which the pause is the part that
	// even a busy thread has, and what walking all threads takes. The value is the
	// walk, and what it leaves of the waits where they are short (the 10 %
	// quantile); the interval goes from the 5 % quantile of the waits, or the walk,
	// to the 25 % quantile, or the walk's upper end. Where ticks say how long the
	// program stood still, it is the mean of that with its 95 % interval.
	Pause Estimate

	// PerTick is the part of the pause that is not the walk.
	PerTick time.Duration

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

	// Granularity is the step of the wall clock, 1 us or more.
	Granularity time.Duration

	// EventsPerSample is how many events the samples of a thread have on average
	// that find its stack changed.
	EventsPerSample float64

	clockOverhead            time.Duration
	clock                    trace.Clock
	gaps                     []gap         // see overshoots
	countedMean              time.Duration // see countedPeriod; 0: unknown
	stops                    []float64     // the pauses, ascending, where ticks say them
	limit                    time.Duration // periods are below it, see stats.Period
	periodMean, periodSpread float64
}

// timing returns what s and ticks say; rec has been read.
func (s *samples) timing(rec *trace.Recording, ticks *Ticks) *SampledTiming {
	period, _ := s.groups.Period()
	p := s.periods(period)
	t := &SampledTiming{
		Thread:        period.Thread,
		Threads:       len(rec.Symbols.Threads),
		limit:         period.Limit,
		clockOverhead: rec.Info.ClockOverhead, clock: rec.Info.Clock,
	}
	t.setPeriods(p.walls)
	t.EventsPerSample = float64(s.groups.Events) / float64(max(1, s.groups.Total))
	t.Granularity = s.step()
	places := listOrder(rec)
	main := mainPlace(rec, places)
	t.Threads -= main
	w := s.walk(places, main, t.ShortPeriod.Value)
	t.Ordered, t.Reversed = w.ordered, w.reversed
	t.MeanThreads, t.Frames = w.mean()
	t.PerThread, t.PerFrame = w.costs(t.Granularity)
	if t.SkewTo, t.Skew = w.skew(t.Thread, t.Granularity); t.Skew.N > 0 {
		t.SkewPlaces = places[t.SkewTo] - places[t.Thread]
	}
	t.Pause = t.walkTime()
	t.gaps, t.countedMean = s.gapsOf(period, w, t)
	if wall := floats.Sum(p.walls); rec.Info.Clock == trace.Dual && wall > 0 {
		t.CPU = quantile(p.cpus, 0.5)
		t.CPUShare = floats.Sum(p.cpus) / wall
		t.widenPause(p.waits, period.Limit)
	}
	t.useTicks(ticks)
	t.AppRun = Estimate{t.Period.Value - t.Pause.Value, t.Period.Low - t.Pause.High, t.Period.High - t.Pause.Low, t.Period.N}
	return t
}

// setPeriods sets the figures of periods, which ascend.
func (t *SampledTiming) setPeriods(walls []float64) {
	t.Period, t.ShortPeriod = quantile(walls, 0.5), quantile(walls, 0.01)
	t.periodMean, t.periodSpread = stat.MeanStdDev(walls, nil)
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
	for from, to := range s.pairs(of.Thread) {
		wall, cpu := s.all[to].wall-s.all[from].wall, s.all[to].cpu-s.all[from].cpu
		if wall < of.Limit {
			walls, cpus, waits = append(walls, wall), append(cpus, cpu), append(waits, wall-cpu)
		}
	}
	return periods{ascending(walls), ascending(cpus), ascending(waits)}
}

// pairs returns the indexes of every two consecutive samples of a thread.
func (s *samples) pairs(thread trace.ThreadID) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		last := -1
		for i := range s.all {
			if s.all[i].thread != thread {
				continue
			}
			if last >= 0 && !yield(last, i) {
				return
			}
			last = i
		}
	}
}

// widenPause takes in what the waits of all periods below limit say of the pause,
// beside the time of the walk.
func (t *SampledTiming) widenPause(waits []float64, limit time.Duration) {
	var beyond []time.Duration // waits that are not the walk
	for _, g := range t.gaps {
		if g.wall < limit {
			beyond = append(beyond, g.wall-g.cpu-g.walk)
		}
	}
	t.PerTick = max(0, quantile(ascending(beyond), 0.10).Value)
	low, high := quantile(waits, 0.05), quantile(waits, 0.25)
	walk := t.Pause
	if walk.N == 0 {
		walk = Estimate{0, low.Value, 0, 0}
	}
	value := walk.Value + t.PerTick
	t.Pause = Estimate{value, min(max(walk.Low, 0), low.Value, value), max(walk.High, high.Value, value), len(waits)}
}

// walkTime returns how long walking all threads takes on average.
func (t *SampledTiming) walkTime() Estimate {
	total := func(thread, frame time.Duration) time.Duration {
		return time.Duration(float64(thread)*t.MeanThreads + float64(frame)*t.Frames)
	}
	return Estimate{
		Value: total(t.PerThread.Value, t.PerFrame.Value),
		Low:   total(t.PerThread.Low, t.PerFrame.Low),
		High:  total(t.PerThread.High, t.PerFrame.High),
		N:     t.PerThread.N,
	}
}

// PauseAt returns the pause of a trace of that nominal interval (0: Interval), with the
// time until a thread that runs is back on a core. As no sleep ends early, the walk is no longer than
// what the periods leave beside the interval. What the events show of it can be too little:
// a thread may be stopped on its own CPU time. It is at most what the mean period leaves.
func (t *SampledTiming) PauseAt(interval time.Duration) Estimate {
	p := t.Pause
	if interval == 0 {
		interval = t.Interval()
	}
	if !t.SaysStops() {
		walk := t.walkTime().Value
		beyond := walk - scaled(walk, t.walkBound(interval))
		p.Value, p.Low = p.Value-beyond, min(p.Low, p.Value-beyond)
		p.High = max(p.High, time.Duration(t.periodMean)-interval)
	}
	return p
}

// describe sets what the trace called source shows of the device d.
func (t *SampledTiming) describe(d *Device, source string, interval time.Duration) {
	inferred := ""
	if interval == 0 {
		interval, inferred = t.Interval(), " (inferred)"
	}
	d.Sampling = t.cost(interval)
	d.Instrumented = clocks(t.clockOverhead, t.clock)
	d.Instrumented.Granularity = d.Sampling.Granularity
	stop := t.PauseAt(interval)
	pause := fmt.Sprintf("the same: a pause of %s (%s to %s)", stop.Value, stop.Low, stop.High)
	if t.SaysStops() {
		pause += ", as the dumps state it"
	} else {
		pause += fmt.Sprintf(" minus the walk of %.1f threads", t.MeanThreads)
	}
	d.Origins = []Origin{
		{Numbers: "overshoot, overshoot-spread, overshoot-quantiles", Source: fmt.Sprintf("%s: %d periods minus their pauses; the app runs %s between two samples (%s to %s) of nominally %s%s",
			source, len(t.gaps), t.AppRun.Value, t.AppRun.Low, t.AppRun.High, interval, inferred), Kind: Measured},
		{Numbers: "per-tick", Source: pause, Kind: Measured},
		{Numbers: "per-thread, per-frame", Source: fmt.Sprintf("the same: stamps within a sample, %d distances; %s to %s and %s to %s",
			t.PerThread.N, t.PerThread.Low, t.PerThread.High, t.PerFrame.Low, t.PerFrame.High), Kind: Measured},
		{Numbers: "resume", Source: "part of the overshoot, not measured separately: 0", Kind: Unknown},
		{Numbers: "no-core, no-core-most", Source: "a sample that waited for a core is indistinguishable from several periods or a long sleep: 0", Kind: Unknown},
		{Numbers: "clock-overhead, cpu-read", Source: "the same: option clock-call-overhead-nsec", Kind: Measured},
		{Numbers: "granularity", Source: "the same: common divisor of all differences of stamps", Kind: Measured},
		{Numbers: "hook, compiled, code, interpreted", Source: "not in a sampled trace: 0", Kind: Unknown},
	}
}
