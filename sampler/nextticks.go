package sampler

import (
	"math/bits"
	"time"

	"artifice/sampler/feed"
)

// nextTicks is when a thread meets the next tick of each sampler, in app time: a tree of minima, so that one look tells whether
// any comes before an event. It hands out the samplers in their own order, in which their memory lies. A heap would do so in
// the order of time, which nobody needs, as samplers do not see each other.
type nextTicks struct {
	tree   []time.Duration // the first of all at 1; below place i, 2i and 2i+1; the samplers' from leaves on
	leaves int             // a power of 2
	asleep []uint64        // a bit for each sampler under which the thread waits or is in native code, and has been looked at: no tick matters until it wakes
}

func newNextTicks(samplers int) nextTicks {
	leaves := 1
	for leaves < samplers {
		leaves *= 2
	}
	n := nextTicks{make([]time.Duration, 2*leaves), leaves, make([]uint64, (samplers+63)/64)}
	for i := range n.tree {
		n.tree[i] = feed.Never
	}
	return n
}

// first returns when the first tick of all is met.
func (n *nextTicks) first() time.Duration { return n.tree[1] }

// at returns when that of a sampler is met.
func (n *nextTicks) at(i int) time.Duration { return n.tree[n.leaves+i] }

// set says so of one sampler.
func (n *nextTicks) set(i int, at time.Duration) {
	place := n.leaves + i
	n.tree[place] = at
	for place /= 2; place > 0; place /= 2 {
		n.tree[place] = min(n.tree[2*place], n.tree[2*place+1])
	}
}

// setAll says so of all.
func (n *nextTicks) setAll(samplers int, at func(i int) time.Duration) {
	for i := range samplers {
		n.tree[n.leaves+i] = at(i)
	}
	for place := n.leaves - 1; place > 0; place-- {
		n.tree[place] = min(n.tree[2*place], n.tree[2*place+1])
	}
}

// sleep says that no tick of a sampler matters until the thread wakes.
func (n *nextTicks) sleep(i int) { n.asleep[i/64] |= 1 << (i % 64) }

// sleeps reports whether that is so.
func (n *nextTicks) sleeps(i int) bool { return n.asleep[i/64]&(1<<(i%64)) != 0 }

// anyAsleep reports whether it is so of any.
func (n *nextTicks) anyAsleep() bool {
	for _, word := range n.asleep {
		if word != 0 {
			return true
		}
	}
	return false
}

// wake wakes the thread under the samplers under which it sleeps. at says when it meets the next tick of one.
func (n *nextTicks) wake(at func(i int) time.Duration) {
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

// wakeAll wakes it under all of them, likewise.
func (n *nextTicks) wakeAll(samplers int, at func(i int) time.Duration) {
	clear(n.asleep)
	n.setAll(samplers, at)
}
