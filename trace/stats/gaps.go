package stats

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"artifice/trace"
)

// gapCounts is a histogram, per thread, of the gaps between successive groups, in whole
// microseconds. For an instrumented trace nearly every event is counted, and nearly all gaps are a
// few microseconds. Short gaps are counted in an array per thread, others in a hash table with open
// addressing. The zero value is ready to use.
type gapCounts struct {
	slots []gapSlot // length is a power of two; at least half are free
	used  int
	seed  uint64 // random, so that no file can provoke collisions
}

// nearCounts counts the short gaps of a thread by microsecond.
type nearCounts [nearGaps]int64

// nearGaps is the upper bound of short gaps, in microseconds.
const nearGaps = 64

// gapSlot is the count of one gap of one thread.
type gapSlot struct {
	key   gap
	times int64 // 0 if free
}

// gap is a key of the table: a ThreadID and, in the low [gapBits] bits, microseconds.
type gap uint64

// gapBits is the number of bits of [maxGap] in microseconds.
const gapBits = 20

func gapKey(id trace.ThreadID, us uint64) gap { return gap(id)<<gapBits | gap(us) }

// add counts a gap of a thread, which must be at most maxGap. It allocates the counts of short gaps
// when the first one occurs.
func (c *gapCounts) add(id trace.ThreadID, near **nearCounts, us uint64) {
	if us < nearGaps && *near != nil {
		(*near)[us]++
		return
	}
	c.addRare(id, near, us)
}

// addRare counts the first short gap of a thread, or a gap that is not short.
func (c *gapCounts) addRare(id trace.ThreadID, near **nearCounts, us uint64) {
	if us < nearGaps {
		*near = new(nearCounts)
		(*near)[us]++
		return
	}
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

// home returns the preferred slot of a key.
func (c *gapCounts) home(key gap) uint64 {
	high, low := bits.Mul64(uint64(key)^c.seed, 0x9e3779b97f4a7c15) // 2^64 divided by the golden ratio
	return (high ^ low) & uint64(len(c.slots)-1)
}

// find returns the slot of a key, or the free slot to store it in.
func (c *gapCounts) find(key gap) *gapSlot {
	for at := c.home(key); ; at = (at + 1) & uint64(len(c.slots)-1) {
		if s := &c.slots[at]; s.key == key || s.times == 0 {
			return s
		}
	}
}

// grow doubles the table.
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

// tables returns the gaps of each thread, by ThreadID; a thread without gaps has nil. near contains
// the short gaps.
func (c *gapCounts) tables(near []*nearCounts) []gapTable {
	tables := make([]gapTable, len(near))
	for id := range near {
		if near[id] == nil {
			continue
		}
		for us, times := range near[id] {
			if times > 0 {
				tables[id].add(int64(us), times)
			}
		}
	}
	for _, s := range c.slots {
		if s.times > 0 {
			tables[s.key>>gapBits].add(int64(s.key&(1<<gapBits-1)), s.times)
		}
	}
	for id := range tables {
		tables[id].sort()
	}
	return tables
}

// gapTable is a multiset of gaps in ascending order.
type gapTable struct {
	gaps  []gapCount
	total int64
}

// add adds a gap with its count.
func (t *gapTable) add(us, times int64) {
	t.gaps = append(t.gaps, gapCount{us: us, times: times})
	t.total += times
}

// sort puts the gaps in ascending order.
func (t *gapTable) sort() {
	slices.SortFunc(t.gaps, func(a, b gapCount) int { return cmp.Compare(a.us, b.us) })
}

// gapCount is a gap and its count.
type gapCount struct {
	us, times int64
}

// quantile returns the smallest gap that is not exceeded by at least a share q of the gaps.
func (t gapTable) quantile(q float64) int64 {
	var seen int64
	for _, g := range t.gaps {
		if seen += g.times; float64(seen) >= q*float64(t.total) {
			return g.us
		}
	}
	return 0
}

// below returns the gaps below limit.
func (t gapTable) below(limit float64) (out gapTable) {
	for _, g := range t.gaps {
		if float64(g.us) >= limit {
			break
		}
		out.add(g.us, g.times)
	}
	return out
}
