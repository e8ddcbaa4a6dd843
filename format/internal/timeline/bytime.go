package timeline

import (
	"math/bits"

	"artifice/internal/eventlog"
)

// byTime sorts entries by time: it sorts their indexes by the digits of their times (radix sort). A
// sort by comparisons would be slower, because its branches are unpredictable.
type byTime struct{ places, spare []uint64 }

// placeBits is the number of bits of an entry's index, which is below lateMost.
const placeBits = 16

// order returns the indexes of entries in time order. Entries with equal times keep their order.
// The list is valid until the next call.
func (b *byTime) order(entries []entry) []uint64 {
	if len(entries) == 0 {
		return nil
	}
	first, last := entries[0].Wall, entries[0].Wall
	for i := range entries {
		first, last = min(first, entries[i].Wall), max(last, entries[i].Wall)
	}
	if len(b.places) < len(entries) {
		b.places, b.spare = make([]uint64, len(entries)), make([]uint64, len(entries))
	}
	places, spare := b.places[:len(entries)], b.spare[:len(entries)]
	for i := range places {
		places[i] = uint64(i)
	}
	// A number consists of an index and 48 bits of its time, which cover more than three days.
	span := bits.Len64(uint64(last - first))
	for from := 0; from < span; from += 64 - placeBits {
		for i, place := range places {
			places[i] = uint64(entries[place].Wall-first)>>from<<placeBits | place
		}
		sorted := eventlog.SortKeys(places, spare, placeBits, uint(min(placeBits+span-from, 64)))
		for i, key := range sorted {
			places[i] = key % (1 << placeBits)
		}
	}
	return places
}
