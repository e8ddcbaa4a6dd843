package estimate

import (
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/internal/words"
	"artifice/trace"
)

// Late is how often and by how much the sampler came late: later than a sleep by itself
// ends. On busy cores the sampling thread has to wait for one when it wakes up, and often gets
// that of a thread which begins to wait: when it comes depends on what the app does.
type Late struct {
	Samples int64         // late ones, at which some thread had changed
	Of      int64         // all at which some thread had changed
	Mean    time.Duration // by how much, beyond the period
	Longest time.Duration
}

// String says it in a sentence, without what it does to the intervals: "the sampler came late
// for 14 % of the samples, by 2.17ms on average and 12.3ms at most".
func (l Late) String() string {
	return fmt.Sprintf("the sampler came late for %.0f %% of the samples, by %s on average and %s at most",
		100*float64(l.Samples)/float64(max(1, l.Of)), words.Digits(l.Mean), words.Digits(l.Longest))
}

// lateSamples finds late samples. It goes by all threads together, as [silences] do. From one
// sample at which some thread has changed to the next it is one period, or, where none changes
// for a while, a multiple of it. What lies between is late.
type lateSamples struct {
	period time.Duration
	from   time.Duration // a gap this long is late; 0: none is
	until  time.Duration // one this long is a [Silence]
	share  float64       // of the gaps that are so long how many are late, and not several periods

	tick, gap time.Duration // when the latest sample was, and how long after the one before
	met       Late
	sum       time.Duration
}

// A sampler is late where, of the gaps, at least lateShare are longer than the period by
// more than lateSpread times what the shortest are shorter. Random lateSamples without a tail
// has next to none.
//
// Where there are silences, a quarter as many as late samples or more, both are of the collector: its short
// pauses hold the sampler up by less than a silence. When these end does not depend on what
// the threads do, so that their errors cancel each other as those of all samples do.
const (
	lateSpread  = 4
	lateShare   = 0.05 // on device A chance alone makes up to 0.03, ART on two busy cores has 0.066 and more
	silentShare = 0.25
)

// newLateSamples learns from the first events of a trace, in order of time, whether samples
// come late. A gap as long as a silence is none of these; 0: no silence can be told.
func newLateSamples(head []trace.Event, period, silence time.Duration) lateSamples {
	l := lateSamples{period: period, until: silence}
	if silence == 0 {
		l.until = math.MaxInt64
	}
	var gaps []time.Duration
	silent := 0
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
	if len(gaps) < minSteps {
		return l
	}
	slices.Sort(gaps)
	short := gaps[len(gaps)/100]
	from := max(period+lateSpread*(period-short), period*5/4)
	long, between := 0, 0
	for _, gap := range gaps {
		if gap < from || gap >= 3*period { // of many periods nobody knows what they add up to
			continue
		}
		long++
		if part := gap % period; part >= period/4 && part < period*3/4 {
			between++
		}
	}
	// Late ones are as often near a multiple of the period as between two.
	late := 2 * float64(between)
	if between >= minSteps && late >= lateShare*float64(len(gaps)) && float64(silent) < silentShare*late {
		l.from, l.share = from, min(1, late/float64(long))
	}
	return l
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
	if l.from == 0 {
		return 0
	}
	first := l.next(wall)
	late := l.gap >= l.from && l.gap < l.until
	if first && l.gap > 0 {
		l.met.Of++
		if late {
			l.met.Samples++
			l.sum += l.gap - l.period
			l.met.Longest = max(l.met.Longest, l.gap-l.period)
		}
	}
	if !late {
		return 0
	}
	return l.gap
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
