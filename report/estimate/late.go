package estimate

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// Late is how often and by how much the sampler came late: later than a sleep by itself
// ends. On busy cores the sampling thread has to wait for one when it wakes up, and often gets
// that of a thread which begins to wait: when it comes depends on what the app does.
type Late struct {
	Samples int64         // late ones, at which some thread had changed
	Of      int64         // all at which some thread had changed
	Mean    time.Duration // by how much, beyond the period; at least, where often no thread has changed
	Longest time.Duration
}

// lateSamples finds late samples. It goes by all threads together, as [silences] do. From one
// sample at which some thread has changed to the next it is one period, or, where none changes
// for a while, a multiple of it. What lies between is late.
type lateSamples struct {
	period time.Duration
	from   time.Duration // a gap this long is late; 0: none is
	until  time.Duration // one this long is a [Silence]
	dense  bool          // some thread changes at most samples, so that a longer gap is no sample at which none did
	some   bool          // some gaps are between one period and two, for each eight of two periods, and no collector makes them: too few to tell by themselves
	share  float64       // of the gaps that are so long how many are late, and not several periods

	tick, gap time.Duration // when the latest sample was, and how long after the one before
	met       Late
	sum       time.Duration

	looked bool   // look has found the late ones
	ends   []span // these, ascending
}

// A sampler is late where at least lateShare of its samples come later than chance makes them, and fewLate are seen to. What chance
// makes is normal: n periods together are longer than lateSpread of their standard deviations, √n times that of one, with a chance of 3 in 100000, and
// shorter than doubleSpread of them with one of 1 in 1000. Between the two ends nothing but late samples is.
//
// Where there are silences, a quarter as many as late samples or more, both are of the collector: its short
// pauses hold the sampler up by less than a silence. When these end does not depend on what
// the threads do, so that their errors cancel each other as those of all samples do.
const (
	fewLate      = 8
	lateSpread   = 4
	doubleSpread = 3
	lateShare    = 0.05
	silentShare  = 0.25
)

// quantile90 is how many standard deviations below the mean one in ten of a normal distribution is.
const quantile90 = 1.2816

// newLateSamples learns from the first events of a trace, in order of time, whether samples
// come late. A gap as long as a silence is none of these; 0: no silence can be told.
func newLateSamples(head []trace.Event, period, silence time.Duration) lateSamples {
	l := lateSamples{period: period, until: silence, dense: silence > 0}
	if !l.dense {
		l.until = math.MaxInt64
	}
	gaps, silent := l.gaps(head)
	single := gaps[:countIn(gaps, 0, period*7/4)]
	if len(single) < minSteps {
		return l
	}
	l.some = silent == 0 && 8*countIn(gaps, period*5/4, period*7/4) > max(fewLate, countIn(gaps, period*7/4, period*9/4))
	middle := max(period, single[len(single)/2]) // the period is that of the busiest thread
	deviation := float64(middle-single[len(single)/10]) / quantile90
	b := betweenPeriods(gaps, period, deviation)
	if b.met >= fewLate && b.late >= lateShare*b.of && float64(silent) < silentShare*b.late {
		l.from = max(period+lateSpread*(period-gaps[len(gaps)/100]), period*5/4)
		// Of several periods nobody knows what they add up to.
		l.share = min(1, b.late/float64(max(1, countIn(gaps, l.from, b.until))))
	}
	return l
}

// between is what gaps of no number of periods tell.
type between struct {
	met      int           // so many were met
	late, of float64       // so many samples are late by that, of so many
	until    time.Duration // longer gaps tell nothing: sums of so many periods have any length by chance
}

// betweenPeriods finds the gaps that are of no number of periods. By what part of a period a sample is late is by chance: so many are, of those that are seen
// between the two ends that chance leaves between a number of periods and one more.
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

// gaps returns how far samples are apart at which some thread has changed, ascending, and how many more silences there are.
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

// countIn returns how many of some gaps, which ascend, are in a range.
func countIn(gaps []time.Duration, from, to time.Duration) int {
	first, _ := slices.BinarySearch(gaps, from)
	last, _ := slices.BinarySearch(gaps, to)
	return max(0, last-first)
}

// next takes in the time of a sample of a thread, and reports whether it is the first of
// all threads' at its instant.
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

// sample takes in the time of the first event of a sample of a thread, in the order of the
// trace, and returns how long it was since the sample before if it is late, else 0.
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

// lateGap returns how long the latest sample was after the one before, if it is late, else 0.
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
	if !l.dense { // what is more than a period may be samples at which nothing changed
		by %= l.period
	}
	l.met.Samples++
	l.sum += by
	l.met.Longest = max(l.met.Longest, by)
}

// look finds the late samples among the first events of a trace, in order of time, which the trace does not have in that order. Of later ones
// it is not known when all threads' samples were.
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

// lookUp returns how long the late gap is that ends with the sample at wall, 0 if none does.
func (l *lateSamples) lookUp(wall time.Duration) time.Duration {
	g := endingWith(l.ends, wall, l.period)
	if g == nil {
		return 0
	}
	return g.to - g.from
}

// misplaced returns by how much an end in a late gap can be misplaced: by all of it, and all
// ends of one kind alike. A sampler that comes when something ends shows that end at once, which it
// else shows after half a gap, and does not show what began and ended within the gap.
func (l *lateSamples) misplaced(gap time.Duration) time.Duration {
	return time.Duration(float64(gap) * l.share)
}

// summary sums the late samples up; of those that may be several periods, as many as are late.
func (l *lateSamples) summary() Late {
	sum := l.met
	if sum.Samples > 0 {
		sum.Mean = l.sum / time.Duration(sum.Samples)
	}
	sum.Samples = int64(float64(sum.Samples)*l.share + 0.5)
	return sum
}
