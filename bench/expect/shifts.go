package expect

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// shifts are the counts of samples that the sampler would have obtained if it had started at other
// times. All sampling instants are shifted circularly by a random time, and the truth's stacks at
// the shifted instants are counted. This is the null distribution of a wall-time sampler that
// starts at a random time, if the gaps between its instants do not depend on the program. The
// sampler may have jitter.
type shifts struct {
	counts [][]float64 // by shift and context of the truth
	totals []float64   // by shift
}

// Limits of the work for shifts: number of looked-up stacks, contexts times shifts, and shifts.
const (
	maxLookups = 30_000_000
	maxCells   = 8_000_000
	maxShifts  = 400
	minShifts  = 100
)

// newShifts shifts the instants of a profile against its truth. It returns nil if either has no
// times, if the samples represent CPU time, or if there are too many.
func newShifts(truth *Truth, profile *Profile) *shifts {
	if truth.lines == nil || profile.runs == nil || profile.Clock != Wall {
		return nil
	}
	instants := profile.instants()
	begin, end := truth.span()
	if len(instants) < 2 || end <= begin {
		return nil
	}
	n := min(maxShifts, maxLookups/(len(instants)*len(truth.lines)), maxCells/len(truth.stacks.parents))
	if n < minShifts {
		return nil
	}
	s, lookups := &shifts{}, remember(truth, lookupKey{}, func() []lookup { return newLookups(truth.lines) })
	rng := rand.New(rand.NewPCG(uint64(len(instants)), 58))
	all := make([][]float64, n) // counts of contexts, by shift
	by := make([]time.Duration, n)
	for shift := range n {
		all[shift], by[shift] = make([]float64, len(truth.stacks.parents)), time.Duration(rng.Int64N(int64(end-begin)))
	}
	length, first := end-begin, instants[0]
	for i, at := range instants {
		instants[i] = (at - first) % length
	}
	for i := range lookups { // one after another, because its table fits into the processor's cache
		for shift, counts := range all {
			for _, at := range instants {
				if at += by[shift]; at >= length {
					at -= length
				}
				counts[lookups[i].at(begin+at)]++
			}
		}
	}
	for _, counts := range all {
		counts[0] = 0 // no frame
		if total := floats.Sum(counts); total > 0 {
			s.counts, s.totals = append(s.counts, counts), append(s.totals, total)
		}
	}
	if len(s.totals) < minShifts {
		return nil
	}
	return s
}

// instants returns the times at which samples were taken, ascending. Threads that are sampled one
// after another count as one instant. The individual times of consecutive samples with one stack
// are unknown; they are assumed to be equally spaced.
func (p *Profile) instants() (list []time.Duration) {
	const most = maxLookups / minShifts
	var all int64
	for _, r := range p.runs {
		if all += r.count; all > 4*most {
			return nil
		}
	}
	for _, r := range p.runs {
		for i := range r.count {
			list = append(list, r.time(i))
		}
	}
	slices.Sort(list)
	apart := time.Duration(float64(p.time) / p.Samples / 4)
	kept := list[:0]
	for _, at := range list {
		if len(kept) == 0 || at-kept[len(kept)-1] > apart {
			kept = append(kept, at)
		}
	}
	return kept
}

// time returns the assumed time of the i-th sample of a run.
func (r *run) time(i int64) time.Duration {
	return r.wall + time.Duration(float64(r.until-r.wall)*float64(i)/float64(max(1, r.count)))
}

// span returns the wall time of the first event and of the last thread's end.
func (t *Truth) span() (begin, end time.Duration) {
	begin = math.MaxInt64
	for i := range t.lines {
		if l := &t.lines[i]; len(l.stack) > 0 {
			begin, end = min(begin, l.begins[Wall][0]), max(end, l.end[Wall])
		}
	}
	return begin, end
}

// lookup finds the context of a thread at a wall time. It divides the thread's time into slots of
// equal width, one per segment on average, and searches only the segments that begin in one slot.
type lookup struct {
	line  *line
	width time.Duration // of a slot
	slots []int32       // number of segments that begin before each slot, and at last of all segments
}

// lookupKey identifies the lookups of a truth's threads.
type lookupKey struct{}

// newLookups returns the lookups of threads.
func newLookups(lines []line) []lookup {
	list := make([]lookup, len(lines))
	for i := range lines {
		list[i] = newLookup(&lines[i])
	}
	return list
}

func newLookup(l *line) lookup {
	begins := l.begins[Wall]
	if len(begins) == 0 {
		return lookup{line: l}
	}
	length := l.end[Wall] - begins[0]
	t := lookup{line: l, width: length/time.Duration(len(begins)) + 1}
	t.slots = make([]int32, length/t.width+2)
	n := 0
	for slot := range t.slots {
		for n < len(begins) && (begins[n]-begins[0])/t.width < time.Duration(slot) {
			n++
		}
		t.slots[slot] = int32(n)
	}
	return t
}

// at returns the context at a time; 0: none.
func (t *lookup) at(now time.Duration) int32 {
	begins := t.line.begins[Wall]
	if len(begins) == 0 || now < begins[0] || now >= t.line.end[Wall] {
		return 0
	}
	slot := (now - begins[0]) / t.width
	first, last := t.slots[slot], t.slots[slot+1]
	i := first + int32(sort.Search(int(last-first), func(i int) bool { return begins[int(first)+i] > now }))
	return t.line.stack[i-1]
}

// of returns the distribution of the share of a set of the truth's contexts. ok is false if s is
// nil, or no shift has a sample of the set.
func (s *shifts) of(set []bool, want interval, samples float64) (t shiftTest, ok bool) {
	if s == nil {
		return t, false
	}
	t = shiftTest{want: want, samples: samples, shares: make([]float64, len(s.totals))}
	for i, counts := range s.counts {
		for at, in := range set {
			if in {
				t.shares[i] += counts[at]
			}
		}
		t.shares[i] /= s.totals[i]
	}
	t.deviation = stat.StdDev(t.shares, nil)
	slices.Sort(t.shares)
	return t, t.shares[len(t.shares)-1] > 0
}

// shiftTest is the distribution of a share among shifts. Tail probabilities below one divided by
// the number of shifts are computed from Student's distribution with the variance of the shifts.
type shiftTest struct {
	want      interval
	samples   float64
	shares    []float64 // by shift, ascending
	deviation float64
}

// tails allows for one sample more or fewer, because the number of samples varies with the shift.
func (s shiftTest) tails(q float64) (below, above float64) {
	n := float64(len(s.shares))
	low, high := q+1/s.samples, q-1/s.samples
	below = float64(sort.SearchFloat64s(s.shares, math.Nextafter(low, 2))) / n
	above = 1 - float64(sort.SearchFloat64s(s.shares, high))/n
	if s.deviation > 0 {
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
		below = max(below, t.CDF((low-s.want.low)/s.deviation))
		above = max(above, t.CDF((s.want.high-high)/s.deviation))
	}
	return below, above
}
