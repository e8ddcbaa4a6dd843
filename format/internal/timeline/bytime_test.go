package timeline

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestByTime compares the order of entries with a stable sort. Times are equal, close to each
// other, or years apart.
func TestByTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b byTime
	for _, span := range []int64{1, 3, 1 << 20, 1 << 48, 1<<48 + 1, 1 << 62} {
		for _, n := range []int{lateMost, 0, 1, 2, 3000} {
			entries, want := make([]entry, n), make([]uint64, n)
			for i := range entries {
				entries[i].Wall = time.Duration(rng.Int64N(span) - span/2)
				if i > 0 && rng.IntN(4) == 0 {
					entries[i].Wall = entries[i-1].Wall
				}
				want[i] = uint64(i)
			}
			slices.SortStableFunc(want, func(a, b uint64) int { return cmp.Compare(entries[a].Wall, entries[b].Wall) })
			if got := b.order(entries); !slices.Equal(got, want) {
				t.Errorf("%d entries within %d ns: order %v differs from a stable sort", n, span, got[:min(10, n)])
			}
		}
	}
}

// BenchmarkByTime sorts a full batch of entries 2 us apart, in which times go back by up to 1 ms.
func BenchmarkByTime(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	entries := make([]entry, lateMost)
	for i := range entries {
		entries[i].Event = trace.Event{Wall: time.Duration(2000*i - rng.IntN(1e6))}
	}
	var order byTime
	for b.Loop() {
		order.order(entries)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(entries)), "ns/entry")
}
