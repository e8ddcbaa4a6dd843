package law

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestBins checks that each time is in the bin of the times with equal leading bits, and that bins
// are ordered by these bits. The test compares the counts with those of a map.
func TestBins(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	any := func() time.Duration { return time.Duration(rng.Uint64() >> (1 + rng.IntN(63))) }
	for _, n := range []int{0, 1, 33, 20_000} {
		var b bins
		want := map[[3]binKey]bin{}
		for range n {
			after, length, waited := any(), any(), any()
			b.add(after, length, waited)
			key := [3]binKey{about(after, 5), about(length, 6), about(waited, 3)}
			sum := want[key]
			sum.n, sum.after, sum.length, sum.waited = sum.n+1, sum.after+float64(after), sum.length+float64(length), sum.waited+float64(waited)
			want[key] = sum
		}
		list := b.inOrder()
		if len(list) != len(want) {
			t.Errorf("%d times: %d bins, want %d", n, len(list), len(want))
		}
		for i, got := range list {
			key := [3]binKey{got.key >> 23, got.key >> 10 & (1<<13 - 1), got.key & (1<<10 - 1)}
			if sum := want[key]; got.n != sum.n || got.after != sum.after || got.length != sum.length || got.waited != sum.waited {
				t.Errorf("%d times: bin %x is %v, want %v", n, key, got, sum)
			}
			if i > 0 && list[i-1].key >= got.key {
				t.Errorf("%d times: bin %x after %x", n, got.key, list[i-1].key)
			}
		}
	}
}
