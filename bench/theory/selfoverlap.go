package theory

import (
	"slices"
	"time"
)

// selfOverlap counts how long one path is on the stack at t and at t − T, for
// every lag T.
//
// Stays are gathered and counted many at a time: a truth goes from path to path,
// and what it takes to count is then fetched once for all of them.
type selfOverlap struct {
	stays   []stay // those that later ones can still overlap, in order
	counted int    // how many of them are counted with all before them
}

// fewStays is how many are gathered at first.
const fewStays = 4

// add takes the path's next stay. What is counted goes to sum, by place of the
// lag.
func (o *selfOverlap) add(a stay, l *lags, sum []time.Duration) {
	if a.from == a.to {
		return
	}
	if len(o.stays) == cap(o.stays) {
		o.count(l, sum)
		if 2*len(o.stays) >= cap(o.stays) {
			o.stays = append(make([]stay, 0, max(fewStays, 2*cap(o.stays))), o.stays...)
		}
	}
	o.stays = append(o.stays, a)
}

// count counts the stays that are not yet, and forgets those that ended longer
// ago than the longest lag.
func (o *selfOverlap) count(l *lags, sum []time.Duration) {
	if o.counted == len(o.stays) {
		return
	}
	last := o.stays[len(o.stays)-1]
	near := len(o.stays) - o.endAfter(last.from-l.longest())
	if near <= l.len() {
		for k := o.counted; k < len(o.stays); k++ {
			o.countOne(k, l, sum)
		}
	} else {
		for i, t := range l.sorted[:l.len()] {
			sum[i] += o.shifted(t)
		}
	}
	gone := o.endAfter(last.to - l.longest())
	o.stays = o.stays[:copy(o.stays, o.stays[gone:])]
	o.counted = len(o.stays)
}

// endAfter returns the first stay that ends after t.
func (o *selfOverlap) endAfter(t time.Duration) int {
	i, _ := slices.BinarySearchFunc(o.stays, t, func(s stay, t time.Duration) int {
		if s.to <= t {
			return -1
		}
		return 1
	})
	return i
}

// countOne adds, for every lag, the overlap of the k-th stay with itself and all
// before it, shifted by the lag. It takes a step for each of these stays: b
// overlaps a only at the lags between a.from − b.to and a.to − b.from, mostly none.
func (o *selfOverlap) countOne(k int, l *lags, sum []time.Duration) {
	a := o.stays[k]
	for i := 0; l.sorted[i] < a.to-a.from; i++ {
		sum[i] += a.to - a.from - l.sorted[i]
	}
	place := 0 // of the first lag that is not too short
	for j := k - 1; j >= 0; j-- {
		b := o.stays[j]
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

// shifted returns the overlap of the stays that are not counted yet with all
// shifted by t, in one pass over both: a step for each stay of either. No step
// depends on a branch that a processor would have to guess.
func (o *selfOverlap) shifted(t time.Duration) (sum time.Duration) {
	all := o.stays
	j := o.endAfter(all[o.counted].from - t)
	for k := o.counted; k < len(all); {
		from, to, b := all[k].from-t, all[k].to-t, all[j]
		sum += max(0, min(to, b.to)-max(from, b.from))
		step := 0
		if b.to <= to {
			step = 1
		}
		j += step // stays behind k: stay k itself ends after to
		k += 1 - step
	}
	return sum
}
