package estimate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// Silence is how often and how long the sampler took no samples: no thread has an
// event, though at nearly every other sample some thread has one, and when samples
// go on, more threads have changed than usual. ART's sampler waits like this while
// the garbage collector runs (since Android 9).
type Silence struct {
	Count          int
	Total, Longest time.Duration
}

// silences finds the times without samples. It goes by all threads together, so
// that events must come in time order across threads; of a file that has them in
// another order, as format V2 has, it knows those among the events that were
// looked at first.
type silences struct {
	period  time.Duration
	least   time.Duration // a silence is at least that long; 0: it cannot be told
	usual   float64       // threads that change from one sample to the next
	ordered bool
	last    time.Duration // of any thread's events
	spans   []span        // ascending
}

// span is a time in which no thread has an event.
type span struct {
	from, to time.Duration
	changed  int // threads that have changed at its end
}

// maxQuiet is the greatest chance of a sample to show no change with which a silence
// can be told from an app in which nothing happens. rare is what share of the samples
// may pass for the end of a silence by chance: a few intervals are then wider than
// they need be.
const (
	maxQuiet = 0.2
	rare     = 0.005
)

// inTimeOrder returns events in the order of their times, and whether they were so, but for the order in which a
// sample stamps threads. Android 14 and later write the events of each thread in blocks.
func inTimeOrder(events []trace.Event, period time.Duration) (sorted []trace.Event, were bool) {
	were = true
	for i := 1; i < len(events); i++ {
		were = were && events[i].Wall >= events[i-1].Wall-period
	}
	return slices.SortedStableFunc(slices.Values(events), func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) }), were
}

// newSilences learns from the first events of a trace, in order of time, what is silence. ordered says that the trace has them so.
func newSilences(sorted []trace.Event, period time.Duration, ordered bool) silences {
	s := silences{period: period, ordered: ordered}
	threads := map[trace.ThreadID]*changes{}
	for i := range sorted {
		e := &sorted[i]
		t := threads[e.Thread]
		if t == nil {
			t = &changes{last: -1}
			threads[e.Thread] = t
		}
		if e.Wall != t.last {
			t.n++
			t.last = e.Wall
		}
	}
	if len(sorted) == 0 {
		return s
	}
	// Each thread changes by itself: no sample shows a change with the chance that
	// none does, and k samples in a row with the k-th power of it.
	samples := float64(sorted[len(sorted)-1].Wall-sorted[0].Wall)/float64(period) + 1
	quiet := 1.0
	for _, t := range threads {
		share := min(t.n/samples, 0.99)
		s.usual += share
		quiet *= 1 - share
	}
	if quiet > maxQuiet {
		return s
	}
	s.least = time.Duration((math.Ceil(math.Log(rare)/math.Log(quiet)) + 0.5) * float64(period))
	if !s.ordered {
		for i := range sorted {
			s.note(sorted[i].Wall, i == 0 || sorted[i].Thread != sorted[i-1].Thread)
		}
	}
	return s
}

// changes counts the samples that show a change of a thread.
type changes struct {
	n    float64
	last time.Duration
}

// sample takes in the time of the first event of a sample of a thread, in the order of the trace.
func (s *silences) sample(wall time.Duration) {
	if s.ordered {
		s.note(wall, true)
	}
}

// note takes in the time of an event; begins says that it is the first of a sample of its thread.
func (s *silences) note(wall time.Duration, begins bool) {
	if s.least == 0 {
		return
	}
	if s.last > 0 && wall-s.last > s.least {
		s.spans = append(s.spans, span{from: s.last, to: wall})
	}
	s.last = max(s.last, wall)
	if n := len(s.spans); begins && n > 0 && s.spans[n-1].endsWith(wall, s.period) {
		s.spans[n-1].changed++
	}
}

// endsWith reports whether the sample at wall is the one with which the span ends. It
// stamps threads one after another; the next one comes a period later.
func (g *span) endsWith(wall, period time.Duration) bool {
	return g.to <= wall && wall-g.to <= period*3/4
}

// is reports whether no samples were taken, rather than that nothing happened. Where
// several threads change from each sample to the next, they do not all stand still
// at once; a single thread may well stay in one method, but then only that one has changed at the
// end.
func (s *silences) is(g *span) bool { return s.usual >= 2 || g.changed >= 2 }

// before returns how long the silence was that ends with the sample at wall, all of
// whose events were taken in; 0 if there is none.
func (s *silences) before(wall time.Duration) time.Duration {
	g := endingWith(s.spans, wall, s.period)
	if g == nil || !s.is(g) {
		return 0
	}
	return g.to - g.from
}

// endingWith returns which of some spans, which ascend, ends with the sample at wall; nil: none.
func endingWith(spans []span, wall, period time.Duration) *span {
	i, exact := slices.BinarySearchFunc(spans, wall, func(g span, w time.Duration) int { return cmp.Compare(g.to, w) })
	if !exact {
		i--
	}
	if i < 0 || !spans[i].endsWith(wall, period) {
		return nil
	}
	return &spans[i]
}

// between reports whether some silence is between two times, the later of which is that of the latest sample.
func (s *silences) between(from, to time.Duration) bool {
	for i := len(s.spans) - 1; i >= 0 && s.spans[i].to > from; i-- {
		if g := &s.spans[i]; g.from < to && s.is(g) {
			return true
		}
	}
	return false
}

// summary sums the silences up.
func (s *silences) summary() (sum Silence) {
	for i := range s.spans {
		if g := &s.spans[i]; s.is(g) {
			sum.Count++
			sum.Total += g.to - g.from
			sum.Longest = max(sum.Longest, g.to-g.from)
		}
	}
	return sum
}
