package estimate

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// Late describes delayed samples: those taken later than the end of the sampler's sleep. On busy
// cores the sampling thread waits for a core when it wakes up, and often gets that of a thread that
// begins to wait. So the time of a delayed sample depends on the app.
type Late struct {
	Samples int64         // delayed samples at which some thread had changed
	Of      int64         // all samples at which some thread had changed
	Mean    time.Duration // mean delay beyond the period; a lower bound if many samples show no change
	Longest time.Duration
}

// lateSamples finds late samples in the events of all threads together, as [silences] does. Between
// consecutive samples at which some thread has changed lies one period or, if no thread changes for
// a while, a multiple of it. A gap between these values indicates a late sample.
type lateSamples struct {
	period time.Duration
	from   time.Duration // minimum length of a late gap; 0: there are none
	until  time.Duration // minimum length of a [Silence]
	dense  bool          // nearly every sample shows a change, so a longer gap contains no unchanged sample
	some   bool          // some gaps, at least one per eight gaps of two periods, lie between one period and two without a collector: too few to prove delays
	share  float64       // share of these gaps that are late rather than several periods

	grid grid // of all samples

	tick, gap time.Duration // time of the latest sample, and since the previous one
	met       Late
	sum       time.Duration

	looked bool   // look has found the late gaps
	ends   []span // the late gaps, ascending
}

// Samples count as late if at least lateShare of them are later than chance explains, and at least
// fewLate are observed to be. Jitter is normal: the sum of n periods exceeds its mean by lateSpread
// standard deviations (√n times that of one period) with a probability of 3 in 100,000, and falls
// below it by doubleSpread with 1 in 1000. Only late samples lie between these limits.
//
// If there is at least one silence per four late samples, the garbage collector causes both: its
// short pauses delay the sampler by less than a silence. Their ends do not depend on the threads,
// so their errors cancel like those of other samples.
const (
	fewLate      = 8
	lateSpread   = 4
	doubleSpread = 3
	lateShare    = 0.05
	silentShare  = 0.25
)

// quantile90 is the 90 % quantile of the standard normal distribution.
const quantile90 = 1.2816

// newLateSamples determines from the first events of a trace, in time order, whether samples are
// late. silence is the minimum length of a silence, which is not a late gap; 0: silences cannot be
// recognized. If no thread waits, delays do not depend on the app, and are silences
// ([silences.find]).
func newLateSamples(head []trace.Event, period, silence time.Duration, waits bool) lateSamples {
	l := lateSamples{period: period, until: silence, dense: silence > 0}
	if !l.dense {
		l.until = math.MaxInt64
	}
	gaps, silent := l.gaps(head)
	single := gaps[:countIn(gaps, 0, period*7/4)]
	if len(single) < minSteps || isFiner(gaps, period) {
		return l
	}
	l.grid = newGrid(single, gaps)
	if !waits {
		return l
	}
	l.some = silent == 0 && 8*countIn(gaps, period*5/4, period*7/4) > max(fewLate, countIn(gaps, period*7/4, period*9/4))
	middle := max(period, single[len(single)/2]) // period is that of the busiest thread
	deviation := float64(middle-single[len(single)/10]) / quantile90
	b := betweenPeriods(gaps, period, deviation)
	if b.met >= fewLate && b.late >= lateShare*b.of && float64(silent) < silentShare*b.late {
		l.from = max(period+lateSpread*(period-gaps[len(gaps)/100]), period*5/4)
		// Gaps of several periods can have any length.
		l.share = min(1, b.late/float64(max(1, countIn(gaps, l.from, b.until))))
	}
	return l
}

// isFiner reports whether samples are half a period apart. A periodic app can change so that nearly
// all gaps are of two samples. The others are then odd multiples of half a period, while gaps with
// a delay have any length.
func isFiner(gaps []time.Duration, period time.Duration) bool {
	n, halves := 0, 0
	for _, gap := range gaps {
		_, part := math.Modf(float64(gap) / float64(period))
		if part < 1./4 || part > 3./4 {
			continue
		}
		n++
		if math.Abs(part-1./2) < 1./16 { // a quarter of gaps of random lengths
			halves++
		}
	}
	return n >= fewLate && halves > n*3/4
}

// between counts gaps that are not a multiple of the period.
type between struct {
	met      int           // gaps observed
	late, of float64       // estimated late samples, and all samples
	until    time.Duration // longer gaps are not conclusive: sums of many periods have any length by chance
}

// betweenPeriods finds the gaps that are not a multiple of the period. The delay of a late sample
// is uniform within a period, so the count of gaps within the limits of jitter is scaled to a whole
// period.
func betweenPeriods(gaps []time.Duration, period time.Duration, deviation float64) between {
	b := between{until: 3 * period}
	for _, gap := range gaps {
		n := max(1, math.Floor(float64(gap)/float64(period)))
		after := max(n*float64(period)+lateSpread*math.Sqrt(n)*deviation, (n+1./4)*float64(period))
		before := min((n+1)*float64(period)-doubleSpread*math.Sqrt(n+1)*deviation, (n+3./4)*float64(period))
		if before-after < float64(period)/10 {
			continue
		}
		b.of += n
		b.until = max(b.until, time.Duration(n+2)*period)
		if float64(gap) >= after && float64(gap) < before {
			b.met++
			b.late += float64(period) / (before - after)
		}
	}
	return b
}

// gaps returns the gaps between samples at which some thread has changed, ascending, and the number
// of silences.
func (l *lateSamples) gaps(head []trace.Event) (gaps []time.Duration, silent int) {
	for i := range head {
		switch first := l.next(head[i].Wall); {
		case !first || l.gap == 0:
		case l.gap < l.until:
			gaps = append(gaps, l.gap)
		default:
			silent++
		}
	}
	l.tick, l.gap = 0, 0
	slices.Sort(gaps)
	return gaps, silent
}

// countIn returns the number of gaps in a range. gaps is ascending.
func countIn(gaps []time.Duration, from, to time.Duration) int {
	first, _ := slices.BinarySearch(gaps, from)
	last, _ := slices.BinarySearch(gaps, to)
	return max(0, last-first)
}

// next adds the time of a sample of one thread. It reports whether a new sample of all threads
// begins.
func (l *lateSamples) next(wall time.Duration) bool {
	if wall-l.tick <= l.period*3/4 && l.tick > 0 {
		return false
	}
	l.gap = 0
	if l.tick > 0 {
		l.gap = wall - l.tick
	}
	l.tick = wall
	return true
}

// sample adds the time of the first event of a sample of one thread, in the order of the trace. It
// returns the time since the previous sample if the sample is late, else 0.
func (l *lateSamples) sample(wall time.Duration) time.Duration {
	switch {
	case l.from == 0:
		return 0
	case l.looked:
		return l.lookUp(wall)
	}
	if l.next(wall) {
		l.count()
	}
	return l.lateGap()
}

// lateGap returns the time between the latest sample and the previous one if the latest is late,
// else 0.
func (l *lateSamples) lateGap() time.Duration {
	if l.gap < l.from || l.gap >= l.until {
		return 0
	}
	return l.gap
}

// count counts the latest sample.
func (l *lateSamples) count() {
	if l.gap == 0 {
		return
	}
	l.met.Of++
	if l.lateGap() == 0 {
		return
	}
	by := l.gap - l.period
	if !l.dense { // whole periods may be samples without a change
		by %= l.period
	}
	l.met.Samples++
	l.sum += by
	l.met.Longest = max(l.met.Longest, by)
}

// look finds the late samples among the first events of a trace that is not in time order; sorted
// has these events in time order. For later events the times of samples of all threads are unknown.
func (l *lateSamples) look(sorted []trace.Event) {
	if l.from == 0 {
		return
	}
	l.looked = true
	for i := range sorted {
		if !l.next(sorted[i].Wall) {
			continue
		}
		if l.count(); l.lateGap() > 0 {
			l.ends = append(l.ends, span{from: l.tick - l.gap, to: l.tick})
		}
	}
}

// lookUp returns the length of the late gap that ends with the sample at wall; 0 if there is none.
func (l *lateSamples) lookUp(wall time.Duration) time.Duration {
	g := endingWith(l.ends, wall, l.period)
	if g == nil {
		return 0
	}
	return g.to - g.from
}

// misplaced returns the maximum error of an end in a late gap: the whole gap, with the same sign
// for all ends of one kind. A sample that is taken when a method ends shows that end at once, not
// half a gap later on average, and it does not show methods that began and ended within the gap.
func (l *lateSamples) misplaced(gap time.Duration) time.Duration {
	return time.Duration(float64(gap) * l.share)
}

// summary returns the totals; of gaps that may be several periods it counts the share that is late.
func (l *lateSamples) summary() Late {
	sum := l.met
	if sum.Samples > 0 {
		sum.Mean = l.sum / time.Duration(sum.Samples)
	}
	sum.Samples = int64(float64(sum.Samples)*l.share + 0.5)
	return sum
}
