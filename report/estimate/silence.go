package estimate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// Silence sums the times without samples. In a silence no thread has an event, although nearly every other sample
// shows a change, and at its end more threads have changed than usual. ART's sampler waits like this while the
// garbage collector runs (since Android 9).
type Silence struct {
	Count          int
	Total, Longest time.Duration
}

// silences finds the times without samples in the events of all threads together, which must be in time order. In
// files with another order, such as format V2, it finds only silences among the first events.
type silences struct {
	period  time.Duration
	least   time.Duration // minimum length of a silence; 0: silences cannot be recognized
	usual   float64       // mean number of threads that change from one sample to the next
	ordered bool
	last    time.Duration // time of the last event of any thread
	spans   []span        // ascending
}

// span is a time in which no thread has an event.
type span struct {
	from, to time.Duration
	changed  int // number of threads that have changed at its end
}

// maxQuiet is the maximum probability of a sample without a change; above it a silence cannot be distinguished from an
// idle app. rare is the share of samples that may count as ends of silences by chance, which widens a few intervals
// unnecessarily.
const (
	maxQuiet = 0.2
	rare     = 0.005
)

// inTimeOrder returns events in time order, and whether they were in this order, apart from the order in which a
// sample stamps threads. Android 14 and later write the events of each thread in blocks.
func inTimeOrder(events []trace.Event, period time.Duration) (sorted []trace.Event, were bool) {
	were = true
	for i := 1; i < len(events); i++ {
		were = were && events[i].Wall >= events[i-1].Wall-period
	}
	return slices.SortedStableFunc(slices.Values(events), func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) }), were
}

// newSilences determines the minimum length of a silence from the first events of a trace, in time order. ordered is
// true if the trace itself is in time order.
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
	// Threads change independently: the probability of a sample without a change is the product over threads, and
	// that of k such samples in a row its k-th power.
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

// changes counts the samples that show a change of one thread.
type changes struct {
	n    float64
	last time.Duration
}

// sample adds the time of the first event of a sample of one thread, in the order of the trace.
func (s *silences) sample(wall time.Duration) {
	if s.ordered {
		s.note(wall, true)
	}
}

// note adds the time of an event. begins is true for the first event of a sample of its thread.
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

// endsWith reports whether the span ends with the sample at wall. A sample stamps threads one after another; the next
// sample follows a period later.
func (g *span) endsWith(wall, period time.Duration) bool {
	return g.to <= wall && wall-g.to <= period*3/4
}

// is reports whether a span is a silence rather than a time without changes. If several threads change from each
// sample to the next, they do not all pause at once. A single thread may stay in one method, but then only that
// thread has changed at the end.
func (s *silences) is(g *span) bool { return s.usual >= 2 || g.changed >= 2 }

// before returns the length of the silence that ends with the sample at wall; 0 if there is none. All events of that
// sample must have been added.
func (s *silences) before(wall time.Duration) time.Duration {
	g := endingWith(s.spans, wall, s.period)
	if g == nil || !s.is(g) {
		return 0
	}
	return g.to - g.from
}

// endingWith returns the span that ends with the sample at wall; nil if there is none. spans is ascending.
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

// between reports whether a silence lies between two times. to is the time of the latest sample.
func (s *silences) between(from, to time.Duration) bool {
	for i := len(s.spans) - 1; i >= 0 && s.spans[i].to > from; i-- {
		if g := &s.spans[i]; g.from < to && s.is(g) {
			return true
		}
	}
	return false
}

// summary returns the totals.
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
