package estimate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// Silence sums the times without samples. In a silence no thread has an event, although nearly
// every other sample shows a change, and at its end more threads have changed than usual. ART's
// sampler waits like this while the garbage collector runs (since Android 9).
type Silence struct {
	Count          int
	Total, Longest time.Duration
}

// silences finds the times without samples in the events of all threads together, which must be in
// time order. In files with another order, such as format V2, it finds only silences among the
// first events.
type silences struct {
	period             time.Duration
	least              time.Duration // minimum length of a silence that changes of several threads show; 0: they cannot
	grid               grid
	delayed, usualGaps gapSums       // gaps that are no multiple of the period, and others
	quiet              float64       // share of samples without a change, if threads are independent
	first              time.Duration // time of the first event
	usual              float64       // mean number of threads that change from one sample to the next
	ordered            bool
	last               time.Duration // time of the last event of any thread
	spans              []span        // ascending
}

// span is a time in which no thread has an event.
type span struct {
	from, to time.Duration
	changed  int // number of threads that have changed at its end

	length time.Duration // of the silence in it that a thread's clocks show; 0: not known
	none   bool          // a thread's gap is a multiple of the period, so there is no silence
}

// silent returns the length of the silence in the span, if it is one.
func (g *span) silent() time.Duration {
	if g.length > 0 {
		return g.length
	}
	return g.to - g.from
}

// maxQuiet is the maximum probability of a sample without a change; above it a silence cannot be
// distinguished from an idle app. rare is the share of samples that may count as ends of silences
// by chance, which widens a few intervals unnecessarily.
const (
	maxQuiet = 0.2
	rare     = 0.005
)

// inTimeOrder returns events in time order, and whether they were in this order, apart from the
// order in which a sample stamps threads. Android 14 and later write the events of each thread in
// blocks.
func inTimeOrder(events []trace.Event, period time.Duration) (sorted []trace.Event, were bool) {
	were = true
	for i := 1; i < len(events); i++ {
		were = were && events[i].Wall >= events[i-1].Wall-period
	}
	return slices.SortedStableFunc(slices.Values(events), func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) }), were
}

// newSilences determines the minimum length of a silence from the first events of a trace, in time
// order. ordered is true if the trace itself is in time order.
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
	// Threads change independently: the probability of a sample without a change is the product
	// over threads, and that of k such samples in a row its k-th power.
	s.first = sorted[0].Wall
	samples := float64(sorted[len(sorted)-1].Wall-sorted[0].Wall)/float64(period) + 1
	quiet := 1.0
	for _, t := range threads {
		share := min(t.n/samples, 0.99)
		s.usual += share
		quiet *= 1 - share
	}
	s.quiet = quiet
	if quiet <= maxQuiet {
		s.least = time.Duration((math.Ceil(math.Log(rare)/math.Log(quiet)) + 0.5) * float64(period))
	}
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
	if s.last > 0 && wall-s.last > s.shortest() {
		if n := len(s.spans); s.ordered && n > 0 && !s.is(&s.spans[n-1]) {
			s.spans = s.spans[:n-1] // an idle app has many
		}
		s.spans = append(s.spans, span{from: s.last, to: wall})
	}
	s.last = max(s.last, wall)
	if n := len(s.spans); begins && n > 0 && s.spans[n-1].endsWith(wall, s.period) {
		s.spans[n-1].changed++
	}
}

// shortest returns the minimum length of a span that may be a silence.
func (s *silences) shortest() time.Duration {
	if s.least > 0 {
		return min(s.least, time.Duration(shortestSilence*float64(s.period)))
	}
	return time.Duration(shortestSilence * float64(s.period))
}

// shortestSilence is the minimum length, in periods, of a silence that the clocks of a thread show.
const shortestSilence = 1.25

// find decides by the clocks of a thread whether the span that ends with the sample at wall is a
// silence: the gap before the thread's change is no multiple of the period, or it contains fewer
// pauses than samples fit into it. since and cpu are the gap on the thread's clocks, pause is the
// pause of a sample (0: not known, or it may not stop the thread).
func (s *silences) find(wall, since, cpu, pause time.Duration) {
	g := endingWith(s.spans, wall, s.period)
	if g == nil {
		s.usualGaps.add(since)
		return
	}
	if g.length > 0 || g.none { // decided
		return
	}
	n, many := float64(since)/float64(s.period), s.ofThreads(g)
	if pause > 0 {
		missing := n - float64(since-cpu)/float64(pause)
		if missing >= max(fewMissing, missingShare*n) {
			if !many {
				g.length = min(g.to-g.from, time.Duration(missing*float64(s.period)))
			}
			return
		}
		g.none = many && s.likely(n) && math.Abs(missing) < 1 // it has all pauses, of samples without a change
	}
	if many {
		g.none = g.none || s.likely(n) && s.grid.off(since) < usualOff
		return
	}
	switch on, known := s.grid.has(since); {
	case !known:
	case on:
		g.none = true
		s.usualGaps.add(since)
	default:
		s.delayed.add(since)
		g.length = min(g.to-g.from, max(s.period, s.delayed.mean()-s.usualGaps.around()))
	}
}

// likely reports whether a span of n periods without a change can be due to chance.
func (s *silences) likely(n float64) bool { return math.Pow(s.quiet, n-1) > unlikely }

// unlikely is the probability of a span from which on no clock is needed to confirm a silence.
const unlikely = 1e-9

// gapSums sums gaps.
type gapSums struct{ n, sum, squares float64 }

func (m *gapSums) add(d time.Duration) {
	m.n++
	m.sum += float64(d)
	m.squares += float64(d) * float64(d)
}

// mean returns the mean gap.
func (m *gapSums) mean() time.Duration { return time.Duration(m.sum / max(1, m.n)) }

// around returns the mean length of the gap around a random time, in which a silence begins.
func (m *gapSums) around() time.Duration { return time.Duration(m.squares / max(1, m.sum)) }

// A silence shows in pauses if at least fewMissing samples and missingShare of all that fit into a
// gap have none.
const (
	fewMissing   = 2
	missingShare = 1. / 3
)

// grid is the regularity of samples.
type grid struct {
	period, deviation float64 // mean and standard deviation of the time from one sample to the next; 0: not known
}

// newGrid returns the grid of gaps, which are ascending; single are those of about one period.
// Delayed samples are among the longer ones, so the deviation is that between the 5 % and the 35 %
// quantile: 1.645 and 0.385 standard deviations below the mean. The grid is unknown if the gaps of
// several periods are multiples of another period: two samples in a row show changes of a periodic
// app only at some of its phases, and gaps of one period are then not like the others.
func newGrid(single, gaps []time.Duration) grid {
	n := len(single)
	if n < minSteps {
		return grid{}
	}
	low, middle := float64(single[n*5/100]), float64(single[n*35/100])
	deviation := (middle - low) / (1.645 - 0.385)
	g := grid{middle + 0.385*deviation, deviation}
	var each []float64
	for _, gap := range gaps[n:] {
		if periods := math.Round(float64(gap) / g.period); periods >= 2 && periods <= maxMultiple {
			each = append(each, float64(gap)/periods)
		}
	}
	if len(each) < minSteps {
		return g
	}
	slices.Sort(each)
	if math.Abs(each[len(each)/2]-g.period) > g.deviation/2+float64(clockStep) {
		return grid{}
	}
	return g
}

// maxMultiple is the maximum number of periods in the gaps that confirm a grid.
const maxMultiple = 6

// has reports whether a gap is a multiple of the period, apart from jitter, if jitter leaves that
// open (known).
func (g grid) has(gap time.Duration) (on, known bool) {
	if g.period == 0 {
		return false, false
	}
	n := math.Round(float64(gap) / g.period)
	jitter := lateSpread*g.deviation*math.Sqrt(n) + 2*float64(clockStep)
	return math.Abs(float64(gap)-n*g.period) <= jitter, jitter < g.period/4
}

// usualOff is the number of standard deviations by which 95 % of regular gaps are off the grid, at
// most.
const usualOff = 2

// off returns by how many standard deviations a gap differs from the nearest multiple of the
// period; it is infinite if jitter leaves that open: if a fifth of all times would be within
// usualOff.
func (g grid) off(gap time.Duration) float64 {
	if g.period == 0 {
		return math.Inf(1)
	}
	n := math.Round(float64(gap) / g.period)
	deviation := g.deviation*math.Sqrt(n) + float64(clockStep)
	if 2*usualOff*deviation > g.period/5 {
		return math.Inf(1)
	}
	return math.Abs(float64(gap)-n*g.period) / deviation
}

// endsWith reports whether the span ends with the sample at wall. A sample stamps threads one after
// another; the next sample follows a period later.
func (g *span) endsWith(wall, period time.Duration) bool {
	return g.to <= wall && wall-g.to <= period*3/4
}

// is reports whether a span is a silence rather than a time without changes. If several threads
// change from each sample to the next, they do not all pause at once. A single thread may stay in
// one method, but then only that thread has changed at the end; its clocks decide
// ([silences.find]).
func (s *silences) is(g *span) bool {
	return g.length > 0 || s.ofThreads(g)
}

// ofThreads reports whether the changes of threads show that a span is a silence.
func (s *silences) ofThreads(g *span) bool {
	return s.least > 0 && g.to-g.from > s.least && (s.usual >= 2 || g.changed >= 2) && !g.none
}

// before returns the length of the silence that ends with the sample at wall; 0 if there is none.
// All events of that sample must have been added.
func (s *silences) before(wall time.Duration) time.Duration {
	g := endingWith(s.spans, wall, s.period)
	if g == nil || !s.is(g) {
		return 0
	}
	return g.silent()
}

// endingWith returns the span that ends with the sample at wall; nil if there is none. spans is
// ascending.
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

// between reports whether a silence of several threads lies between two times. to is the time of
// the latest sample. A silence shown only by the clocks of one thread can be due to a sampler that
// waits for a core; it is then evidence of unsampled running.
func (s *silences) between(from, to time.Duration) bool {
	for i := len(s.spans) - 1; i >= 0 && s.spans[i].to > from; i-- {
		if g := &s.spans[i]; g.from < to && s.ofThreads(g) {
			return true
		}
	}
	return false
}

// summary returns the totals. Spans that no clock confirms count if there are more than chance
// explains.
func (s *silences) summary() (sum Silence) {
	confirmed := s.unconfirmed() > s.byChance()
	for i := range s.spans {
		if g := &s.spans[i]; s.is(g) && (confirmed || g.length > 0) {
			sum.Count++
			sum.Total += g.silent()
			sum.Longest = max(sum.Longest, g.silent())
		}
	}
	return sum
}

// unconfirmed returns the number of silences that only the changes of threads show.
func (s *silences) unconfirmed() (n float64) {
	for i := range s.spans {
		if g := &s.spans[i]; s.is(g) && g.length == 0 {
			n++
		}
	}
	return n
}

// byChance returns the number of spans that threads have in common without a silence: the expected
// number if the threads change independently at random, multiplied by clustering, because short and
// long calls alternate.
func (s *silences) byChance() float64 {
	if s.least == 0 || s.quiet == 0 {
		return 0
	}
	samples := float64(s.last-s.first) / float64(s.period)
	return clustering * samples * (1 - s.quiet) * math.Pow(s.quiet, math.Floor(float64(s.least)/float64(s.period)))
}

// clustering is the maximum ratio of spans without changes to those that independent changes would
// leave.
const clustering = 4
