package law

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"time"

	"artifice/bench/internal/spill"
	"artifice/trace/calltree"
)

// callCount is the call-count law of a truth, computed from its activations.
//
// A reported call of a calling context lasts as long as consecutive samples see the context. For
// any workload and an ideal systematic sampler with a uniform phase, therefore
//
//	E[reported calls of c] = (L_c − Λ_c(T)) / T
//
// where L_c is the time that context c is on the stack, and Λ_c(T) the time that it is on the stack
// both at t and at t − T; it is not on the stack before the thread's first event. A sample at the
// instant of an event sees the state after the event. In a truth with stamps in whole microseconds
// the reported calls, summed over the T phases j + ½ µs, are L_c − Λ_c(T) exactly, as integers.
// callCount contains the sums over all contexts.
//
// Source: a reported call begins at each sample that sees c while the one before did not; every
// instant is a sample of exactly one phase.
//
// Example: c on the stack in [0, 3) and [4, 6) µs, T = 2 µs: L = 5; shifted by 2 it is on in [2, 5)
// and [6, 8), so Λ = 1 + 1 = 2 and the two phases report 3 calls together, 1.5 on average.
type callCount struct {
	intervals []time.Duration
	lags      *lags
	contexts  spill.Column[contextCalls]
	many      []selfOverlap   // for contexts with more than one activation
	on        time.Duration   // Σ L_c
	overlap   []time.Duration // Σ Λ_c, by index of the lag
	lengths   []lengthClass   // by the number of lags that are not above the duration
}

// lengthClass are the calls with durations between the same two lags.
type lengthClass struct {
	calls int64
	time  time.Duration
}

// newCallCount returns the law for these intervals, which must be above 0.
func newCallCount(intervals ...time.Duration) *callCount {
	return &callCount{
		intervals: intervals, lags: newLags(intervals),
		overlap: make([]time.Duration, len(intervals)), lengths: make([]lengthClass, len(intervals)+1),
	}
}

// add implements [activationLaw].
func (c *callCount) add(p calltree.Node, a activation) {
	c.contexts.Grow(int(p) + 1)
	d := a.to - a.from
	class := &c.lengths[c.lags.above(d)]
	class.calls++
	class.time += d
	c.on += d
	k := c.contexts.At(int(p))
	switch {
	case k.many > 0:
		c.many[k.many-1].add(a, c.lags, c.overlap)
	case k.only.from == k.only.to:
		k.only = a
	default:
		o := selfOverlap{recent: append(make([]activation, 0, fewActivations), k.only)}
		if k.counted {
			o.counted = 1
		}
		o.add(a, c.lags, c.overlap)
		c.many = append(c.many, o)
		k.many = uint32(len(c.many))
	}
}

// end implements [activationLaw].
func (c *callCount) end() {
	c.count()
	c.contexts, c.many = spill.Column[contextCalls]{}, nil
}

// count counts the activations that are not counted yet.
func (c *callCount) count() {
	var alone selfOverlap
	for p := range c.contexts.Len() {
		if k := c.contexts.At(p); k.many == 0 && k.only.from < k.only.to && !k.counted {
			alone.recent = append(alone.recent[:0], k.only)
			alone.countOne(0, c.lags, c.overlap)
			k.counted = true
		}
	}
	for i := range c.many {
		c.many[i].count(c.lags, c.overlap)
	}
}

// contextCalls contains the calls of one context so far. It has no pointer, because stacks that
// never repeat need one contextCalls per call.
type contextCalls struct {
	only    activation // the first activation with a length above 0; of length 0 if there is none
	many    uint32     // 1 + the index in callCount.many if there are several activations; else 0
	counted bool       // the overlap of only with itself is counted
}

// starts returns Σ (L_c − Λ_c(T)) for the i-th interval, that is, the time during which a sample
// would start a reported call, summed over contexts.
func (c *callCount) starts(i int) time.Duration {
	c.count()
	return c.on - c.overlap[c.lags.place[i]]
}

// Reported returns the mean number of reported calls at the i-th interval, over
// all phases.
func (c *callCount) Reported(i int) float64 { return ratio(c.starts(i), c.intervals[i]) }

// Seen returns the mean number of true calls that a sample falls into at the
// i-th interval, over all phases: Σ min(1, d/T).
func (c *callCount) Seen(i int) float64 {
	var sum time.Duration
	for notAbove, class := range c.lengths {
		if notAbove <= c.lags.place[i] { // thus d < T
			sum += class.time
		} else {
			sum += time.Duration(class.calls) * c.intervals[i]
		}
	}
	return ratio(sum, c.intervals[i])
}

// selfOverlap sums the time during which one context is on the stack both at t and at t − T, for
// every lag T.
//
// Activations are gathered, and many are counted at one time. A truth switches between contexts, so
// the memory needed for counting is then fetched once for many activations.
type selfOverlap struct {
	recent  []activation // activations that later ones can still overlap, in order
	counted int          // number of these that have been counted with all before them
}

// fewActivations is the number of activations gathered at first.
const fewActivations = 2

// add processes the context's next activation. It adds counted overlaps to sum, by index of the
// lag.
func (o *selfOverlap) add(a activation, l *lags, sum []time.Duration) {
	if a.from == a.to {
		return
	}
	if len(o.recent) == cap(o.recent) {
		o.count(l, sum)
		if 2*len(o.recent) >= cap(o.recent) {
			o.recent = append(make([]activation, 0, max(fewActivations, 2*cap(o.recent))), o.recent...)
		}
	}
	o.recent = append(o.recent, a)
}

// count counts the activations that are not counted yet, and drops those that ended longer ago than
// the longest lag.
func (o *selfOverlap) count(l *lags, sum []time.Duration) {
	if o.counted == len(o.recent) {
		return
	}
	last := o.recent[len(o.recent)-1]
	near := len(o.recent) - o.endAfter(last.from-l.longest())
	if near <= l.len() {
		for k := o.counted; k < len(o.recent); k++ {
			o.countOne(k, l, sum)
		}
	} else {
		for i, t := range l.sorted[:l.len()] {
			sum[i] += o.shifted(t)
		}
	}
	ended := o.endAfter(last.to - l.longest())
	o.recent = o.recent[:copy(o.recent, o.recent[ended:])]
	o.counted = len(o.recent)
}

// endAfter returns the first activation that ends after t.
func (o *selfOverlap) endAfter(t time.Duration) int {
	i, _ := slices.BinarySearchFunc(o.recent, t, func(s activation, t time.Duration) int {
		if s.to <= t {
			return -1
		}
		return 1
	})
	return i
}

// countOne adds, for every lag, the overlap of the k-th activation with itself and all before it,
// shifted by the lag. It takes one step per activation: b overlaps a only at the lags between
// a.from − b.to and a.to − b.from, and mostly there are no such lags.
func (o *selfOverlap) countOne(k int, l *lags, sum []time.Duration) {
	a := o.recent[k]
	for i := 0; l.sorted[i] < a.to-a.from; i++ {
		sum[i] += a.to - a.from - l.sorted[i]
	}
	place := 0 // index of the first lag that is not too short
	for j := k - 1; j >= 0; j-- {
		b := o.recent[j]
		if l.sorted[place] <= a.from-b.to {
			place = l.above(a.from - b.to)
			if place == l.len() {
				return
			}
		}
		for i := place; l.sorted[i] < a.to-b.from; i++ {
			t := l.sorted[i]
			sum[i] += min(a.to, b.to+t) - max(a.from, b.from+t)
		}
	}
}

// shifted returns the overlap of the uncounted activations with all activations shifted by t. It
// makes one pass over both lists, with one step per activation. The steps have no unpredictable
// branch.
func (o *selfOverlap) shifted(t time.Duration) (sum time.Duration) {
	all := o.recent
	j := o.endAfter(all[o.counted].from - t)
	for k := o.counted; k < len(all); {
		from, to, b := all[k].from-t, all[k].to-t, all[j]
		sum += max(0, min(to, b.to)-max(from, b.from))
		step := 0
		if b.to <= to {
			step = 1
		}
		j += step // skip later activations: activation k itself ends after to
		k += 1 - step
	}
	return sum
}

// lags are the intervals of a law in ascending order, with a fast search for the position of a
// duration among them.
type lags struct {
	sorted []time.Duration // with an additional last lag above all durations
	place  []int           // by number of the interval: its index in sorted
	after  [65]int         // by number of bits of a duration: how many lags have fewer bits
}

func newLags(intervals []time.Duration) *lags {
	l := &lags{place: make([]int, len(intervals))}
	order := make([]int, len(intervals))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(intervals[a], intervals[b]) })
	for place, i := range order {
		l.place[i] = place
		l.sorted = append(l.sorted, intervals[i])
	}
	for n := range l.after {
		l.after[n], _ = slices.BinarySearchFunc(l.sorted, n, func(t time.Duration, n int) int { return cmp.Compare(bits.Len64(uint64(t)), n) })
	}
	l.sorted = append(l.sorted, math.MaxInt64)
	return l
}

// above returns the index of the first lag above d, which must not be negative.
func (l *lags) above(d time.Duration) int {
	d = min(d, math.MaxInt64-1) // below the last lag
	i := l.after[bits.Len64(uint64(d))]
	for l.sorted[i] <= d {
		i++
	}
	return i
}

// len returns the number of lags.
func (l *lags) len() int { return len(l.place) }

// longest returns the longest lag, or 0 if there is none.
func (l *lags) longest() time.Duration {
	if l.len() == 0 {
		return 0
	}
	return l.sorted[l.len()-1]
}
