package device

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"artifice/sampler"
	"artifice/trace/stats"
)

// gap is the time from one sample to the next.
type gap struct {
	wall, cpu time.Duration
	walk      time.Duration // the part that walks the threads
}

// gapsOf returns the single-period gaps of the busiest thread: those below twice the shortest.
// Other gaps can be several periods if the thread did not change at the samples between, and are
// excluded. But if they are few, and fewer than those just below twice the shortest, they are the
// tail of the same distribution, except for those that can be a sum of several usual periods
// (severalPeriods). gapsOf also returns the mean of all periods, or 0 if they cannot be counted
// (countedPeriod).
func (s *samples) gapsOf(of stats.Period, w *walk, t *SampledTiming) (single []gap, mean time.Duration) {
	var all []gap
	below, above := 0, 0 // gaps on both sides of twice the shortest, equally near
	// With few gaps the 1 % quantile is the minimum, which may be no period at all: a thread
	// stamped twice in one sample.
	short := max(t.ShortPeriod.Value, of.Limit/2)
	for from, to := range s.pairs(of.Thread) {
		size := w.sizes[w.tickOf[from]]
		walk := float64(t.PerThread.Value)*float64(size.threads+samplingThread) + float64(t.PerFrame.Value)*float64(size.frames)
		g := gap{s.all[to].wall - s.all[from].wall, s.all[to].cpu - s.all[from].cpu, time.Duration(walk)}
		if n := time.Duration(of.In(g.wall)); n > 1 {
			g.wall, g.cpu = g.wall/n, g.cpu/n
		}
		if 10*g.wall < 9*short || g.wall > maxCost {
			continue
		}
		all = append(all, g)
		switch {
		case g.wall < 2*short:
			single = append(single, g)
			if 2*g.wall >= 3*short {
				below++
			}
		case 2*g.wall < 5*short:
			above++
		}
	}
	mean = countedPeriod(all, single, short)
	const nearlyAll = 0.98
	if float64(len(single)) >= nearlyAll*float64(len(all)) && below >= above {
		single = all
	}
	several := severalPeriods(single, short)
	return slices.DeleteFunc(single, func(g gap) bool { return several(g.wall) }), mean
}

// countedPeriod returns the mean period of a trace, given all gaps and the single-period ones: the
// sum of all gaps divided by their number of periods. A gap that can be a sum of usual periods
// (severalPeriods) counts as its length divided by the median, rounded. Any other gap contains a
// late sample, assumed to be late by less than a period: a longer delay looks like periods without
// a change of the thread. Such a gap may also contain one period more: samples without a change
// write nothing and are shorter, by up to half of the spread, as assumed here.
//
// If the spread times the number of periods in a gap reaches the shortest period, usual periods can
// have any sum, and the gap counts as its length divided by the median. If the spread exceeds a
// quarter of the shortest period, nothing is counted and the mean is 0.
//
// Single-period gaps are only a part of all gaps, and not a random one: a thread sampled late is
// more likely to have changed.
func countedPeriod(all, single []gap, short time.Duration) (mean time.Duration) {
	if len(single) == 0 || short <= 0 {
		return 0
	}
	walls := make([]time.Duration, len(single))
	for i, g := range single {
		walls[i] = g.wall
	}
	ascend := ascending(walls)
	median, usual := quantile(ascend, 0.5).Value, quantile(ascend, 0.95).Value
	spread := usual - short
	if median <= 0 || 4*spread > short {
		return 0
	}
	var total, periods time.Duration
	for _, g := range all {
		n := (g.wall + spread) / short
		switch {
		case g.wall <= n*usual || n*spread >= short:
			n = (g.wall + median/2) / median
		case (n+1)*(short-spread/2) <= g.wall:
			n++
		}
		total, periods = total+g.wall, periods+max(1, n)
	}
	return total / periods
}

// severalPeriods returns a function that reports whether two or more usual periods can add up to a
// time, given gaps that nearly all are single periods. Usual periods are those up to the 95 %
// quantile; the shortest is a period less their spread. If they differ by more than a quarter,
// several can have any sum, and the function always returns false.
//
// One gap of two 10 ms periods among a hundred, taken for a single one, makes sleeps 0.1 ms too
// long.
func severalPeriods(gaps []gap, short time.Duration) func(time.Duration) bool {
	walls := make([]time.Duration, len(gaps))
	for i, g := range gaps {
		walls[i] = g.wall
	}
	usual := quantile(ascending(walls), 0.95).Value
	spread := usual - short
	return func(wall time.Duration) bool {
		n := (wall + spread) / short
		return n >= 2 && wall <= n*usual && 4*spread <= short
	}
}

// longest returns the longest interval with which the trace can have been recorded: no sleep ends
// early, so even the shortest periods contain a sleep and a walk. It is the upper end of their 1 %
// quantile plus one step of the clock. Half the walk is subtracted, because the number of threads
// is uncertain.
func (t *SampledTiming) longest() time.Duration {
	runs := make([]time.Duration, len(t.gaps))
	for i, g := range t.gaps {
		runs[i] = g.wall - g.walk/2
	}
	return quantile(ascending(runs), 0.01).High + t.Granularity
}

// CheckInterval returns an error if the trace cannot have been recorded with that nominal interval.
func (t *SampledTiming) CheckInterval(interval time.Duration) error {
	longest := t.longest()
	if interval <= longest {
		return nil
	}
	return fmt.Errorf("the trace contradicts the interval %s: its shortest periods (1st percentile of %d: %s) contain a sleep of at most %s, and a sleep cannot end early; the app runs for %s between two samples (%s to %s)",
		interval, len(t.gaps), t.ShortPeriod.Value, longest, t.AppRun.Value, t.AppRun.Low, t.AppRun.High)
}

// Interval returns a guess of the nominal interval, which no file stores: the largest of 1, 2, 3, 5
// times a power of ten for which the shortest periods have room.
func (t *SampledTiming) Interval() time.Duration { return roundInterval(t.longest()) }

// IntervalRange returns the guess for the minimum time that the app can have run between two
// samples according to the trace, and the guess of Interval, which is the maximum.
func (t *SampledTiming) IntervalRange() (low, high time.Duration) {
	high = t.Interval()
	return min(high, roundInterval(t.AppRun.Low)), high
}

// roundInterval returns the largest of 1, 2, 3, 5 times a power of ten up to limit.
func roundInterval(limit time.Duration) time.Duration {
	best := smallestInterval
	for unit := best; unit <= limit; unit *= 10 {
		for _, n := range []time.Duration{1, 2, 3, 5} {
			if n*unit <= limit {
				best = n * unit
			}
		}
	}
	return best
}

const smallestInterval = 10 * time.Microsecond

// cost returns the device's sampling cost for traces of that nominal interval (0: Interval).
func (t *SampledTiming) cost(interval time.Duration) sampler.Cost {
	if interval == 0 {
		interval = t.Interval()
	}
	bound := t.walkBound(interval)
	perTick, overshoots := t.overshoots(interval, bound)
	c := sampler.Cost{
		Overshoots:    overshoots,
		PerTick:       perTick,
		PerThread:     scaled(t.PerThread.Value, bound),
		PerFrame:      scaled(t.PerFrame.Value, bound),
		Granularity:   t.Granularity,
		ClockOverhead: t.clockOverhead,
	}
	if len(overshoots) > 0 {
		c.Overshoot, c.OvershootSpread = overshoots.Moments()
	}
	if t.HasPauses() {
		c.PerTicks = quantiles(t.stops)
		c.PerTick, _ = c.PerTicks.Moments()
	}
	return c
}

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// walkBound returns the part of the walk, from 0 to 1, for which the periods have room besides that
// interval: with the whole walk, more than one of a hundred sleeps would end early. The cost of a
// thread is measured between two threads that changed; many others can cost less.
func (t *SampledTiming) walkBound(interval time.Duration) float64 {
	rooms := make([]float64, 0, len(t.gaps))
	for _, g := range t.gaps {
		if g.walk > 0 {
			rooms = append(rooms, float64(max(0, g.wall-interval))/float64(g.walk))
		}
	}
	if len(rooms) == 0 {
		return 1
	}
	slices.Sort(rooms)
	return min(1, stat.Quantile(0.01, stat.Empirical, rooms, nil))
}

// overshoots returns the remainders of the gaps after subtracting a sleep of that interval, the
// part of the walk that has room, and the part of the pause before the walk. The latter is
// estimated from waits and limited to the room that the shortest gaps leave.
//
// A few gaps are shorter than interval and walk together. No sleep ends early, so their overshoot
// is 0. The others are reduced in proportion, so that the mean remains that of all: the mean period
// must equal the trace's, the counted one if it is known.
func (t *SampledTiming) overshoots(interval time.Duration, bound float64) (perTick time.Duration, q sampler.Quantiles) {
	left := make([]time.Duration, len(t.gaps))
	for i, g := range t.gaps {
		left[i] = g.wall - scaled(g.walk, bound) - interval
	}
	values := ascending(left)
	if len(values) < 2 {
		return t.PerTick, nil
	}
	perTick = min(t.PerTick, max(0, time.Duration(stat.Quantile(0.01, stat.Empirical, values, nil))))
	var all, above float64
	if t.countedMean > 0 {
		walls := 0.0
		for _, g := range t.gaps {
			walls += float64(g.wall)
		}
		all = float64(t.countedMean)*float64(len(t.gaps)) - walls
	}
	for i, v := range values {
		v -= float64(perTick)
		values[i] = max(0, v)
		all, above = all+v, above+values[i]
	}
	if above > 0 {
		floats.Scale(max(0, all)/above, values)
	}
	return perTick, quantiles(values)
}

// quantileSteps is the number of steps of a device's quantiles.
const quantileSteps = 100

// quantiles returns the distribution of values in ascending order, with the same mean. To preserve
// the mean, the last quantile is not the maximum if a few of the largest values are far from the
// others.
func quantiles(values []float64) sampler.Quantiles {
	q := make(sampler.Quantiles, quantileSteps+1)
	twice := 0.0 // sum of the steps' two ends, without the last
	for i := range q {
		x := float64(i) / quantileSteps * float64(len(values)-1)
		low := min(int(x), len(values)-2)
		v := values[low] + (x-float64(low))*(values[low+1]-values[low])
		q[i] = time.Duration(math.Round(v))
		switch {
		case i == 0:
			twice += v
		case i < quantileSteps:
			twice += 2 * v
		}
	}
	last := 2*quantileSteps*stat.Mean(values, nil) - twice
	greatest := values[len(values)-1]
	q[quantileSteps] = max(q[quantileSteps-1], time.Duration(math.Round(min(greatest, last))))
	return q
}

// Overshoot returns the mean time by which sleeps exceeded that interval (0: Interval), and the
// standard deviation. Periods determine only the sum of overshoot, walk and the part of the pause
// before the walk: the interval contains their uncertainty, besides the 95 % confidence interval of
// the mean.
func (t *SampledTiming) Overshoot(interval time.Duration) (Estimate, time.Duration) {
	c, tick := t.cost(interval), t.PerTickAt(interval)
	reach := time.Duration(1.96 * float64(c.OvershootSpread) / math.Sqrt(float64(len(t.gaps))))
	low, high := c.Overshoot-reach-(tick.High-tick.Value), c.Overshoot+reach+tick.Value-tick.Low
	if !t.HasPauses() {
		walk := t.walkTime()
		low, high = low-(walk.High-walk.Value), high+walk.Value-walk.Low
	}
	return Estimate{c.Overshoot, max(0, low), high, len(t.gaps)}, c.OvershootSpread
}

// threadsKnown is the share of the walked threads that are certain: threads that ended meanwhile,
// or without events, are not in the file.
const threadsKnown = 0.95

// PerTickAt returns the device's part of the pause before the walk at that interval (0: Interval).
// No sleep ends early, so it is at most what the shortest periods leave besides interval and walk;
// a trace does not distinguish it from the overshoot that all sleeps have.
func (t *SampledTiming) PerTickAt(interval time.Duration) Estimate {
	value := t.cost(interval).PerTick
	if t.HasPauses() {
		return mean(t.stops)
	}
	if interval == 0 {
		interval = t.Interval()
	}
	rooms, walk, shortest := make([]time.Duration, len(t.gaps)), t.walkTime(), threadsKnown
	if walk.Value > 0 {
		shortest *= float64(walk.Low) / float64(walk.Value)
	}
	for i, g := range t.gaps {
		rooms[i] = g.wall - scaled(g.walk, shortest) - interval
	}
	return Estimate{value, 0, max(value, quantile(ascending(rooms), 0.01).High+t.Granularity), len(t.gaps)}
}
