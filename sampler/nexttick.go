package sampler

import (
	"math/bits"
	"time"
)

// nextTicks holds the app time at which a thread meets the next tick of each sampler, as a tree of
// minima: one comparison shows whether any tick comes before an event. It visits samplers in their
// order in memory. A heap would visit them in the order of time, which is not needed, as samplers
// are independent of each other.
type nextTicks struct {
	tree     []time.Duration // the minimum at 1; the children of place i at 2i and 2i+1; the samplers from leaves on
	leaves   int             // a power of 2
	samplers int
	asleep   []uint64 // by sampler, a bit: the thread waits or runs native code and has been sampled, so ticks find no change until it wakes
}

// newNextTicks returns the next ticks of a number of samplers, all still unknown.
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

// First returns the time of the first tick of all samplers.
func (n *nextTicks) First() time.Duration { return n.tree[1] }

// At returns the time of the next tick of the i-th sampler.
func (n *nextTicks) At(i int) time.Duration { return n.tree[n.leaves+i] }

// Set sets the time of the next tick of the i-th sampler.
func (n *nextTicks) Set(i int, at time.Duration) {
	n.tree[n.leaves+i] = at
	for place := (n.leaves + i) / 2; place > 0; place /= 2 {
		n.update(place)
	}
}

// SetAll sets the times of all samplers.
func (n *nextTicks) SetAll(at func(i int) time.Duration) {
	for i := range n.samplers {
		n.tree[n.leaves+i] = at(i)
	}
	for place := n.leaves - 1; place > 0; place-- {
		n.update(place)
	}
}

// update sets a place to the minimum of its children.
func (n *nextTicks) update(place int) { n.tree[place] = min(n.tree[2*place], n.tree[2*place+1]) }

// Meet calls meet for each sampler with a tick before an app time, in order; meet returns the time
// of its next tick.
func (n *nextTicks) Meet(limit time.Duration, meet func(i int) time.Duration) {
	if n.First() < limit {
		n.meetBelow(1, limit, meet)
	}
}

// meetBelow is Meet for the subtree of a place, which has a tick before limit.
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

// Sleep marks the thread as asleep under the i-th sampler. The time of its next tick must be never
// until it wakes.
func (n *nextTicks) Sleep(i int) { n.asleep[i/64] |= 1 << (i % 64) }

// Sleeps reports whether the thread is asleep under the i-th sampler.
func (n *nextTicks) Sleeps(i int) bool { return n.asleep[i/64]&(1<<(i%64)) != 0 }

// AnySleeps reports whether the thread is asleep under any sampler.
func (n *nextTicks) AnySleeps() bool {
	for _, word := range n.asleep {
		if word != 0 {
			return true
		}
	}
	return false
}

// Wake wakes the thread under the samplers under which it is asleep; at returns the time of a
// sampler's next tick.
func (n *nextTicks) Wake(at func(i int) time.Duration) {
	for w, word := range n.asleep {
		for ; word != 0; word &= word - 1 {
			i := 64*w + bits.TrailingZeros64(word)
			next := at(i)
			for place := n.leaves + i; place > 0 && n.tree[place] > next; place /= 2 { // it was asleep: its time decreases
				n.tree[place] = next
			}
		}
		n.asleep[w] = 0
	}
}

// WakeAll is Wake for all samplers.
func (n *nextTicks) WakeAll(at func(i int) time.Duration) {
	clear(n.asleep)
	n.SetAll(at)
}
