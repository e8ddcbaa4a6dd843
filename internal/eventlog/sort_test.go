package eventlog

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestHeap checks that, after any sequence of pushes, pops and moves, item 0 is the first item of a
// sorted list.
func TestHeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	times := []time.Duration{math.MinInt64, -1, 0, 1, 5, 5, 7, math.MaxInt64 - 1, math.MaxInt64}
	ties := []uint64{0, 1, 2, 3, math.MaxUint64 - 1, math.MaxUint64}
	item := func() Item[int] {
		return Item[int]{times[rng.IntN(len(times))], ties[rng.IntN(len(ties))], rng.Int()}
	}
	order := func(a, b Item[int]) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Tie, b.Tie))
	}
	var h Heap[int]
	var sorted []Item[int]
	remove := func(first Item[int]) {
		i := slices.Index(sorted, first)
		if i < 0 || order(sorted[0], first) != 0 {
			t.Fatalf("first %+v, want %+v", first, sorted[0])
		}
		sorted = slices.Delete(sorted, i, i+1)
	}
	for range 20_000 {
		switch n := rng.IntN(10); {
		case len(h) == 0 || n < 4 && len(h) < 40:
			x := item()
			h.Push(x)
			sorted = append(sorted, x)
		case n < 7:
			remove(h[0])
			h[0] = item()
			sorted = append(sorted, h[0])
			h.Down()
		default:
			remove(h.Pop())
		}
		slices.SortFunc(sorted, order)
		if len(h) != len(sorted) || len(h) > 0 && order(h[0], sorted[0]) != 0 {
			t.Fatalf("%d items, the first %+v; want %d, %+v", len(h), h[0], len(sorted), sorted[0])
		}
	}
}
