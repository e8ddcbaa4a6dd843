package law

import (
	"maps"
	"math/bits"
	"slices"
	"time"
)

// bins are many times that are told apart only by their first bits: how long something lasts, which wait came before it, and how
// long after that wait it began.
type bins map[binKey]*bin

// binKey is the place of a bin in their order, with the first bits of after, length and waited one behind the other.
type binKey uint64

// bin is the sum of n of about the same, ns.
type bin struct{ n, after, length, waited float64 }

// add counts one.
func (b *bins) add(after, length, waited time.Duration) {
	if *b == nil {
		*b = bins{}
	}
	key := (about(after, 5)<<13|about(length, 6))<<10 | about(waited, 3)
	sum := (*b)[key]
	if sum == nil {
		sum = &bin{}
		(*b)[key] = sum
	}
	sum.n, sum.after, sum.length, sum.waited = sum.n+1, sum.after+float64(after), sum.length+float64(length), sum.waited+float64(waited)
}

// about returns a number of at most first+7 bits that times have in common whose first bits are the same.
func about(d time.Duration, first int) binKey {
	n := bits.Len64(uint64(d))
	return binKey(n)<<first | binKey(d)>>max(0, n-first)
}

// inOrder returns the bins in one order on all machines, so that sums of them have the same digits.
func (b bins) inOrder() (list []*bin) {
	for _, k := range slices.Sorted(maps.Keys(b)) {
		list = append(list, b[k])
	}
	return list
}
