package eventlog

import (
	"math/bits"
	"time"
)

// Heap is a binary heap, the earliest item first, at index 0. Only its methods may change items,
// except that the time of item 0 may be changed before [Heap.Down].
type Heap[V any] []Item[V]

// Item is a value of a Heap with its place in the order: its time. Of items with equal times, the
// one with the lower Tie comes first.
type Item[V any] struct {
	At    time.Duration
	Tie   uint64
	Value V
}

// Before reports whether a comes before b.
func (a *Item[V]) Before(b *Item[V]) bool {
	return a.At < b.At || a.At == b.At && a.Tie < b.Tie
}

// Push adds an item.
func (h *Heap[V]) Push(item Item[V]) {
	items := append(*h, item)
	i := len(items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !item.Before(&items[parent]) {
			break
		}
		items[i] = items[parent]
		i = parent
	}
	items[i] = item
	*h = items
}

// Pop removes the earliest item and returns it.
func (h *Heap[V]) Pop() Item[V] {
	items := *h
	last := len(items) - 1
	first := items[0]
	items[0], items[last] = items[last], Item[V]{}
	*h = items[:last]
	h.Down()
	return first
}

// Second returns the item after item 0, or nil if there is none. It is valid until the heap is
// changed.
func (h Heap[V]) Second() *Item[V] {
	switch {
	case len(h) < 2:
		return nil
	case len(h) > 2 && h[2].Before(&h[1]):
		return &h[2]
	}
	return &h[1]
}

// Init makes a heap of items in any order.
func (h Heap[V]) Init() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

// Down moves item 0 to its place after its time has changed.
func (h Heap[V]) Down() {
	if len(h) >= 2 {
		h.down(0)
	}
}

func (h Heap[V]) down(i int) {
	item := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if right := child + 1; right < len(h) {
			// The branch predictor cannot predict which of the two is earlier: the borrow of a
			// subtraction is faster than a branch.
			_, borrow := bits.Sub64(h[right].Tie, h[child].Tie, 0)
			_, borrow = bits.Sub64(order(h[right].At), order(h[child].At), borrow)
			child += int(borrow)
		}
		if c := &h[child]; item.At < c.At || item.At == c.At && item.Tie <= c.Tie {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = item
}

// order maps t to an unsigned number with the same order.
func order(t time.Duration) uint64 { return uint64(t) ^ 1<<63 }

// digitBits is the number of bits of a digit when there are many numbers.
const digitBits = 12

// SortKeys sorts numbers by their bits from first to last-1 and returns them, in the memory of
// keys or of spare, which has the same length. Numbers with equal bits keep their order. It is a
// radix sort, lowest digit first (Knuth's sorting by distribution).
func SortKeys(keys, spare []uint64, first, last uint) []uint64 {
	most := uint(digitBits)
	if len(keys) < 1<<10 {
		most = 8
	}
	passes := (last - first + most - 1) / most
	for ; passes > 0; passes-- {
		digit := (last - first + passes - 1) / passes
		sortByDigit(spare, keys, first, digit)
		keys, spare = spare, keys
		first += digit
	}
	return keys
}

// sortByDigit copies keys into sorted in the order of digit bits from the bit first.
func sortByDigit(sorted, keys []uint64, first, digit uint) {
	// by digit: the number of keys with it, then the index for the next one
	var places [1 << digitBits]uint32
	mask := uint64(1)<<digit - 1
	for _, key := range keys {
		places[key>>first&mask&(1<<digitBits-1)]++ // the constant proves to the compiler that the index is within bounds
	}
	sum := uint32(0)
	for i := range places[:1<<digit] {
		places[i], sum = sum, sum+places[i]
	}
	for _, key := range keys {
		place := &places[key>>first&mask&(1<<digitBits-1)]
		sorted[*place] = key
		*place++
	}
}
