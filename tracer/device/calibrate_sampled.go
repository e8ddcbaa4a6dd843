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

// SampledTiming is the timing of the device of a sampled trace.
type SampledTiming struct {
	Thread  trace.ThreadID // the busiest thread, which determines the periods
	Threads int            // number of threads that samples walk: those listed from main on, since tables list ended ones before it
	Frames  float64        // frames on all stacks together, on average

	// MeanThreads is the mean number of Threads, plus the sampling thread, that a sample walks: the
	// list grows, and a thread joined it before the first event of any thread after it.
	MeanThreads float64

	// Period is the median time from one sample to the next, ShortPeriod the 1 % quantile. They are
	// over the single-period gaps of the busiest thread: those below 1.5 times their 5 % quantile.
	// If ticks are given, they are over all gaps of the ticks.
	Period, ShortPeriod Estimate

	// CPU is the median CPU time that the thread used in such a period, and
	// CPUShare the share of CPU time in all of them.
	CPU      Estimate
	CPUShare float64

	// Pause is the time for which a sample stops the app. The trace has two imprecise measures of
	// it: wall minus CPU time of a period, which includes the pause even for a busy thread, and the
	// time of walking all threads. The value is the walk, plus its difference to the waits where
	// they are short (the 10 % quantile). The interval goes from the 5 % quantile of the waits, or
	// the walk, to the 25 % quantile, or the walk's upper end. If the ticks contain the pauses, it
	// is their mean with its 95 % confidence interval.
	Pause Estimate

	// PerTick is the part of the pause that is not the walk.
	PerTick time.Duration

	// AppRun is Period minus Pause: the time that the app runs between two samples.
	AppRun Estimate

	// PerThread and PerFrame are the parts of the pause that the timestamps within a sample yield;
	// N is 0 if too few threads changed together. A table that lists only threads with events, as
	// in Android 14 QPR2 and later, omits the threads between: PerThread then includes them.
	PerThread, PerFrame Estimate

	// Skew is the median delay of the timestamp of another thread, SkewTo, relative to that of
	// Thread in the same sample. SkewTo is the thread that most often changed together with Thread,
	// SkewPlaces its distance from Thread in the list.
	SkewTo     trace.ThreadID
	SkewPlaces int
	Skew       Estimate

	// Ordered and Reversed count adjacent timestamps of a sample in list order and in the opposite
	// order.
	Ordered, Reversed int

	// Granularity is the resolution of the wall clock, 1 µs or more.
	Granularity time.Duration

	// EventsPerSample is the mean number of events per sample of a thread with a changed stack.
	EventsPerSample float64

	clockOverhead            time.Duration
	clock                    trace.Clock
	gaps                     []gap         // see overshoots
	countedMean              time.Duration // see countedPeriod; 0: unknown
	stops                    []float64     // the pauses, ascending, if the ticks contain them
	limit                    time.Duration // periods are below it, see stats.Period
	periodMean, periodSpread float64
}

// timing returns the estimates from s and ticks; rec must have been read.
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
	if !listsAll(rec) && t.Granularity < coarseStep {
		w.near = s.neighborsOf(w)
		w.distances = w.near.distances()
	}
	t.PerThread, t.PerFrame = w.costs(t.Granularity)
	if w.near != nil && w.near.unit > 0 {
		s.resize(w, mainThread(places, main), float64(t.PerThread.Value), float64(t.PerFrame.Value))
	}
	t.MeanThreads, t.Frames = w.mean()
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
	t.boundUnknown()
	t.useTicks(ticks)
	t.AppRun = Estimate{t.Period.Value - t.Pause.Value, t.Period.Low - t.Pause.High, t.Period.High - t.Pause.Low, t.Period.N}
	return t
}

// boundUnknown bounds unknown costs: the pause contains them once for each thread and frame.
func (t *SampledTiming) boundUnknown() {
	if t.PerThread.N == 0 && t.PerThread.High == 0 && t.Pause.N > 0 {
		t.PerThread.High = time.Duration(float64(t.Pause.High) / max(1, t.MeanThreads))
		t.PerFrame.High = time.Duration(float64(t.Pause.High) / max(1, t.Frames))
	}
}

// setPeriods sets the values for periods, given in ascending order.
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

// periods returns the single-period intervals of the busiest thread: those below the limit that
// package stats determines, or the parts of gaps that are all multiples of the period.
func (s *samples) periods(of stats.Period) periods {
	var walls, cpus, waits []time.Duration
	for from, to := range s.pairs(of.Thread) {
		wall, cpu := s.all[to].wall-s.all[from].wall, s.all[to].cpu-s.all[from].cpu
		if n := time.Duration(of.In(wall)); n > 0 {
			walls, cpus, waits = append(walls, wall/n), append(cpus, cpu/n), append(waits, (wall-cpu)/n)
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

// widenPause widens the pause by the waits of all periods below limit, in addition to the time of
// the walk.
func (t *SampledTiming) widenPause(waits []float64, limit time.Duration) {
	var beyond []time.Duration // parts of waits beyond the walk
	for _, g := range t.gaps {
		if g.wall < limit {
			beyond = append(beyond, g.wall-g.cpu-g.walk)
		}
	}
	t.PerTick = max(0, quantile(ascending(beyond), 0.10).Value)
	low, high := quantile(waits, 0.05), quantile(waits, 0.25)
	walk := t.Pause
	if walk.High == 0 {
		walk = Estimate{0, low.Value, 0, 0}
	}
	value := walk.Value + t.PerTick
	t.Pause = Estimate{value, min(max(walk.Low, 0), low.Value, value), max(walk.High, high.Value, value), len(waits)}
}

// walkTime returns the mean time for walking all threads.
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

// PauseAt returns the pause of a trace of that nominal interval (0: Interval), with the time until
// a running thread is scheduled again. As no sleep ends early, the walk is no longer than the
// difference of period and interval. The estimate from events can be too low: a thread may be
// stopped on its own CPU time. It is at most the remainder of the mean period.
func (t *SampledTiming) PauseAt(interval time.Duration) Estimate {
	p := t.Pause
	if p.Low = max(0, p.Low); interval == 0 {
		interval = t.Interval()
	}
	if !t.HasPauses() {
		walk := t.walkTime().Value
		beyond := walk - scaled(walk, t.walkBound(interval))
		p.Value = max(0, p.Value-beyond)
		p.Low = min(p.Low, p.Value)
		p.High = max(p.High, time.Duration(t.periodMean)-interval)
	}
	return p
}

// describe sets the values of device d that are estimated from the trace called source.
func (t *SampledTiming) describe(d *Device, source string, interval time.Duration) {
	inferred := ""
	if interval == 0 {
		interval, inferred = t.Interval(), " (inferred)"
	}
	d.Sampling = t.cost(interval)
	d.Instrumented = ClockCost(t.clockOverhead, t.clock)
	d.Instrumented.Granularity = d.Sampling.Granularity
	stop := t.PauseAt(interval)
	pause := fmt.Sprintf("the same trace: a pause of %s (%s to %s)", stop.Value, stop.Low, stop.High)
	if t.HasPauses() {
		pause += ", as the dumps state it"
	} else {
		pause += fmt.Sprintf(" minus the stack walks of %.1f threads", t.MeanThreads)
	}
	d.Origins = []Origin{
		{Numbers: "overshoot, overshoot-spread, overshoot-quantiles", Source: fmt.Sprintf("%s: %d periods minus their pauses; the app runs %s between two samples (%s to %s) of nominally %s%s",
			source, len(t.gaps), t.AppRun.Value, t.AppRun.Low, t.AppRun.High, interval, inferred), Kind: Measured},
		{Numbers: "per-tick", Source: pause, Kind: Measured},
		{Numbers: "per-thread, per-frame", Source: fmt.Sprintf("the same trace: %d distances of timestamps within a sample; ranges %s to %s and %s to %s",
			t.PerThread.N, t.PerThread.Low, t.PerThread.High, t.PerFrame.Low, t.PerFrame.High), Kind: Measured},
		{Numbers: "resume", Source: "0: part of the overshoot, not measured separately", Kind: Unknown},
		{Numbers: "no-core, no-core-most", Source: "0: a sample that waited for a core cannot be distinguished from several periods or a long sleep", Kind: Unknown},
		{Numbers: "clock-overhead, cpu-read", Source: "the same trace: option clock-call-overhead-nsec", Kind: Measured},
		{Numbers: "granularity", Source: "the same trace: common divisor of all differences of timestamps", Kind: Measured},
		{Numbers: "hook, compiled, code, interpreted", Source: "not determined by a sampled trace: 0", Kind: Unknown},
	}
}
