package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestNext compares ticks with a plain list after any sequence of updates, sleeps and wakes. The
// first tick is the minimum, and exactly the sleeping samplers wake, in order.
func TestNext(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, samplers := range []int{1, 2, 3, 64, 65, 192} {
		n := newNextTicks(samplers)
		times, asleep := make([]time.Duration, samplers), make([]bool, samplers)
		for i := range times {
			times[i] = never
		}
		draw := func(i int) time.Duration {
			times[i], asleep[i] = time.Duration(rng.IntN(1000)), false
			return times[i]
		}
		for range 1000 {
			switch i := rng.IntN(samplers); rng.IntN(8) {
			case 0:
				n.WakeAll(draw)
			case 1:
				var woken, want []int
				for i := range asleep {
					if asleep[i] {
						want = append(want, i)
					}
				}
				n.Wake(func(i int) time.Duration { woken = append(woken, i); return draw(i) })
				if !slices.Equal(woken, want) {
					t.Fatalf("%v woke, want %v", woken, want)
				}
			case 2:
				limit := time.Duration(rng.IntN(1000))
				var met, want []int
				for i, at := range times {
					if at < limit {
						want = append(want, i)
					}
				}
				n.Meet(limit, func(i int) time.Duration { met = append(met, i); return draw(i) })
				if !slices.Equal(met, want) {
					t.Fatalf("%v met before %d, want %v", met, limit, want)
				}
			case 3:
				if !asleep[i] {
					n.Set(i, draw(i))
				}
			default:
				times[i], asleep[i] = never, true
				n.Set(i, never)
				n.Sleep(i)
			}
			if got, want := n.First(), slices.Min(times); got != want {
				t.Fatalf("%d samplers: first at %d, want %d", samplers, got, want)
			}
			if n.AnySleeps() != slices.Contains(asleep, true) {
				t.Fatalf("%d samplers: AnySleeps() = %v, want it for %v", samplers, n.AnySleeps(), asleep)
			}
			for i := range times {
				if n.At(i) != times[i] || n.Sleeps(i) != asleep[i] {
					t.Fatalf("sampler %d of %d: at %d, sleeps %v, want %d, %v", i, samplers, n.At(i), n.Sleeps(i), times[i], asleep[i])
				}
			}
		}
	}
}
