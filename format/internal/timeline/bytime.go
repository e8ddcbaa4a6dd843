package timeline

import (
	"math/bits"

	"artifice/internal/eventlog"
)

// byTime finds the order of entries by time: it sorts their places by the digits of their
// times. Comparisons would be unpredictable branches, and slower.
type byTime struct{ places, spare []uint64 }

// placeBits are the bits of an entry's index, which is below lateMost.
const placeBits = 16

// order returns the places of entries by their time. Those at one time stay as they were.
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
	// A place and 48 bits of its time, which are more than three days, are one number.
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
