package stats

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"artifice/trace"
)

// gapCounts counts how often the groups of each thread came how far apart, in
// microseconds. Of an instrumented trace nearly every event is counted, and nearly all are a
// few microseconds after the one before: these have an array of their thread, the others a hash
// table with open addressing. The zero value has counted nothing.
type gapCounts struct {
	slots []gapSlot // a power of two, at least half of them free
	used  int
	seed  uint64 // nobody can make a file whose distances meet in a few slots
}

// nearCounts are how often the distances of a thread came that are near.
type nearCounts [nearGaps]int64

// nearGaps is how many microseconds are not near any more.
const nearGaps = 64

// gapSlot has a distance of a thread.
type gapSlot struct {
	key   gap
	times int64 // 0: free
}

// gap is a distance of a thread: its ThreadID, and in the low [gapBits] microseconds.
type gap uint64

// gapBits is how many bits [maxGap] takes in microseconds.
const gapBits = 20

func gapKey(id trace.ThreadID, us uint64) gap { return gap(id)<<gapBits | gap(us) }

// add counts a distance of a thread, which is at most maxGap.
func (c *gapCounts) add(id trace.ThreadID, near *nearCounts, us uint64) {
	if us < nearGaps {
		near[us]++
		return
	}
	c.addFar(id, us)
}

// addFar is add of what is not near.
func (c *gapCounts) addFar(id trace.ThreadID, us uint64) {
	if 2*c.used >= len(c.slots) {
		c.grow()
	}
	s := c.find(gapKey(id, us))
	if s.times == 0 {
		s.key = gapKey(id, us)
		c.used++
	}
	s.times++
}

// home returns where a key belongs if nothing else is there.
func (c *gapCounts) home(key gap) uint64 {
	high, low := bits.Mul64(uint64(key)^c.seed, 0x9e3779b97f4a7c15) // 2^64 by the golden ratio
	return (high ^ low) & uint64(len(c.slots)-1)
}

// find returns the slot of a key, or the free one where it belongs.
func (c *gapCounts) find(key gap) *gapSlot {
	for at := c.home(key); ; at = (at + 1) & uint64(len(c.slots)-1) {
		if s := &c.slots[at]; s.key == key || s.times == 0 {
			return s
		}
	}
}

// grow makes room for twice as many.
func (c *gapCounts) grow() {
	old := c.slots
	if old == nil {
		c.seed = rand.Uint64()
	}
	c.slots = make([]gapSlot, max(64, 2*len(old)))
	for _, s := range old {
		if s.times > 0 {
			*c.find(s.key) = s
		}
	}
}

// of returns the distances of a thread.
func (c *gapCounts) of(id trace.ThreadID, near *nearCounts) (t gapTable) {
	for us, times := range near {
		if times > 0 {
			t.add(int64(us), times)
		}
	}
	for _, s := range c.slots {
		if s.times > 0 && s.key>>gapBits == gap(id) {
			t.add(int64(s.key&(1<<gapBits-1)), s.times)
		}
	}
	slices.SortFunc(t.gaps, func(a, b gapCount) int { return cmp.Compare(a.us, b.us) })
	return t
}

// gapTable is a multiset of distances in ascending order.
type gapTable struct {
	gaps  []gapCount
	total int64
}

// add adds a distance that came so often.
func (t *gapTable) add(us, times int64) {
	t.gaps = append(t.gaps, gapCount{us: us, times: times})
	t.total += times
}

// gapCount is a distance, and how often it came.
type gapCount struct {
	us, times int64
}

// quantile returns the smallest distance that at least share q of them do not
// exceed.
func (t gapTable) quantile(q float64) int64 {
	var seen int64
	for _, g := range t.gaps {
		if seen += g.times; float64(seen) >= q*float64(t.total) {
			return g.us
		}
	}
	return 0
}

// below returns the distances under limit.
func (t gapTable) below(limit float64) (out gapTable) {
	for _, g := range t.gaps {
		if float64(g.us) >= limit {
			break
		}
		out.add(g.us, g.times)
	}
	return out
}
