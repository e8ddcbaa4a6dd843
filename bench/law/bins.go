package law

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"time"
)

// bins are many times that are told apart only by their first bits: how long something lasts, which wait came before it, and how
// long after that wait it began.
type bins map[[3]int]*bin

// bin is the sum of n of about the same, ns.
type bin struct{ n, after, length, waited float64 }

// add counts one.
func (b *bins) add(after, length, waited time.Duration) {
	if *b == nil {
		*b = bins{}
	}
	key := [3]int{about(after, 5), about(length, 6), about(waited, 3)}
	sum := (*b)[key]
	if sum == nil {
		sum = &bin{}
		(*b)[key] = sum
	}
	sum.n, sum.after, sum.length, sum.waited = sum.n+1, sum.after+float64(after), sum.length+float64(length), sum.waited+float64(waited)
}

// about returns a number that times have in common whose first bits are the same.
func about(d time.Duration, first int) int {
	n := bits.Len64(uint64(d))
	return n<<first | int(uint64(d)>>max(0, n-first))
}

// inOrder returns the bins in one order on all machines, so that sums of them have the same digits.
func (b bins) inOrder() (list []*bin) {
	keys := slices.SortedFunc(maps.Keys(b), func(x, y [3]int) int {
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]), cmp.Compare(x[2], y[2]))
	})
	for _, k := range keys {
		list = append(list, b[k])
	}
	return list
}
