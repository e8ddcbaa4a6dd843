package eventlog

import (
	"math/bits"
	"time"
)

// Heap is a binary heap of what is to come, the earliest first: item 0 where
// there is one. Its items are to be changed by its methods only, but for item 0,
// which may be given another time before [Heap.Down].
type Heap[V any] []Item[V]

// Item is a value of a Heap with its place in the order: its time, and of two at
// the same time the lower Tie comes first.
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

// Second returns the item that comes after item 0, nil when there is none. It is
// valid until the heap is changed.
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

// Down moves item 0 to its place, because its time has changed.
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
			// No predictor guesses which of the two is earlier: the borrow of a
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

// order returns an unsigned number for t that has its place among them.
func order(t time.Duration) uint64 { return uint64(t) ^ 1<<63 }
