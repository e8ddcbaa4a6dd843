package sampler

import (
	"math/bits"
	"time"
)

// nextTicks is when a thread meets the next tick of each of some samplers, in app time: a tree of minima, so that one look tells whether
// any comes before an event. It hands out the samplers in their own order, in which their memory lies. A heap would do so in
// the order of time, which nobody needs, as samplers do not see each other.
type nextTicks struct {
	tree     []time.Duration // the first of all at 1; below place i, 2i and 2i+1; the samplers' from leaves on
	leaves   int             // a power of 2
	samplers int
	asleep   []uint64 // a bit for each sampler under which the thread waits or is in native code, and has been looked at: no tick matters until it wakes
}

// newNextTicks returns what no tick is known in of so many samplers.
func newNextTicks(samplers int) nextTicks {
	leaves := 1
	for leaves < samplers {
		leaves *= 2
	}
	n := nextTicks{make([]time.Duration, 2*leaves), leaves, samplers, make([]uint64, (samplers+63)/64)}
	for i := range n.tree {
		n.tree[i] = never
	}
	return n
}

// First returns when the first tick of all is met.
func (n *nextTicks) First() time.Duration { return n.tree[1] }

// At returns when that of the i-th sampler is met.
func (n *nextTicks) At(i int) time.Duration { return n.tree[n.leaves+i] }

// Set says so of one sampler.
func (n *nextTicks) Set(i int, at time.Duration) {
	n.tree[n.leaves+i] = at
	for place := (n.leaves + i) / 2; place > 0; place /= 2 {
		n.update(place)
	}
}

// SetAll says so of all.
func (n *nextTicks) SetAll(at func(i int) time.Duration) {
	for i := range n.samplers {
		n.tree[n.leaves+i] = at(i)
	}
	for place := n.leaves - 1; place > 0; place-- {
		n.update(place)
	}
}

// update takes over the earlier one of the two places below one.
func (n *nextTicks) update(place int) { n.tree[place] = min(n.tree[2*place], n.tree[2*place+1]) }

// Meet calls meet for each sampler whose tick comes before an app time, in order; meet returns when the next one does.
func (n *nextTicks) Meet(limit time.Duration, meet func(i int) time.Duration) {
	if n.First() < limit {
		n.meetBelow(1, limit, meet)
	}
}

// meetBelow is Meet of the samplers below a place of the tree where there is one, or at it.
func (n *nextTicks) meetBelow(place int, limit time.Duration, meet func(i int) time.Duration) {
	if place >= n.leaves {
		n.tree[place] = meet(place - n.leaves)
		return
	}
	if n.tree[2*place] < limit {
		n.meetBelow(2*place, limit, meet)
	}
	if n.tree[2*place+1] < limit {
		n.meetBelow(2*place+1, limit, meet)
	}
	n.update(place)
}

// Sleep says that no tick of the i-th sampler matters until the thread wakes. When it is met is to be the end of all times until then.
func (n *nextTicks) Sleep(i int) { n.asleep[i/64] |= 1 << (i % 64) }

// Sleeps reports whether that is so.
func (n *nextTicks) Sleeps(i int) bool { return n.asleep[i/64]&(1<<(i%64)) != 0 }

// AnySleeps reports whether it is so of any sampler.
func (n *nextTicks) AnySleeps() bool {
	for _, word := range n.asleep {
		if word != 0 {
			return true
		}
	}
	return false
}

// Wake wakes the thread under the samplers under which it sleeps. at returns when it meets the next tick of one.
func (n *nextTicks) Wake(at func(i int) time.Duration) {
	for w, word := range n.asleep {
		for ; word != 0; word &= word - 1 {
			i := 64*w + bits.TrailingZeros64(word)
			next := at(i)
			for place := n.leaves + i; place > 0 && n.tree[place] > next; place /= 2 { // it slept: it becomes no later
				n.tree[place] = next
			}
		}
		n.asleep[w] = 0
	}
}

// WakeAll wakes it under all of them, likewise.
func (n *nextTicks) WakeAll(at func(i int) time.Duration) {
	clear(n.asleep)
	n.SetAll(at)
}
