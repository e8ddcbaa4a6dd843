package law

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// bins count combinations of three times, distinguished by their leading bits: the length of a
// call, the wait before it, and the time from that wait to the call. Each call of the truth is
// counted in one bin. The table uses open addressing by hash, with a power of two of entries.
type bins struct {
	places  []bin // n is 0 in a free entry
	used    int
	ordered []bin // all bins in order, once inOrder has been called
}

// binKey orders bins: the first bits of after, length and waited, concatenated.
type binKey uint64

// bin contains the sums of n combinations of about the same times, in ns.
type bin struct {
	n, after, length, waited float64
	key                      binKey
}

// add counts one combination.
func (b *bins) add(after, length, waited time.Duration) {
	if 2*b.used >= len(b.places) {
		b.grow()
	}
	key := (about(after, 5)<<13|about(length, 6))<<10 | about(waited, 3)
	sum := b.find(key)
	if sum.n == 0 {
		sum.key = key
		b.used++
	}
	sum.n, sum.after, sum.length, sum.waited = sum.n+1, sum.after+float64(after), sum.length+float64(length), sum.waited+float64(waited)
}

// find returns the entry of a bin, or the free entry in which it would be stored.
func (b *bins) find(key binKey) *bin {
	last := uint64(len(b.places) - 1)
	for i := uint64(key) * 0x9e3779b97f4a7c15 >> 32; ; i++ { // the product's middle depends on all bits of the key
		if sum := &b.places[i&last]; sum.n == 0 || sum.key == key {
			return sum
		}
	}
}

// grow doubles the table.
func (b *bins) grow() {
	before := b.places
	b.places = make([]bin, max(64, 2*len(before)))
	for i := range before {
		if before[i].n > 0 {
			*b.find(before[i].key) = before[i]
		}
	}
}

// about returns the leading bits of a time that all times in one bin have in common, at most
// first+7 of them.
func about(d time.Duration, first int) binKey {
	n := bits.Len64(uint64(d))
	return binKey(n)<<first | binKey(d)>>max(0, n-first)
}

// inOrder returns the bins in the same order on all machines, so that sums over them have the same
// digits. No bin may be added afterwards.
func (b *bins) inOrder() []bin {
	if b.ordered == nil {
		for i := range b.places {
			if b.places[i].n > 0 {
				b.ordered = append(b.ordered, b.places[i])
			}
		}
		slices.SortFunc(b.ordered, func(x, y bin) int { return cmp.Compare(x.key, y.key) })
		b.places = nil
	}
	return b.ordered
}
