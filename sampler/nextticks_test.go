package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/sampler/feed"
)

// TestNextTicks: whatever is said of when ticks are met, who sleeps and who wakes, the first is the least of a plain list, and those
// wake that slept, in their order.
func TestNextTicks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, samplers := range []int{1, 2, 3, 64, 65, 192} {
		n := newNextTicks(samplers)
		times, asleep := make([]time.Duration, samplers), make([]bool, samplers)
		for i := range times {
			times[i] = feed.Never
		}
		draw := func(i int) time.Duration {
			times[i], asleep[i] = time.Duration(rng.IntN(1000)), false
			return times[i]
		}
		for range 1000 {
			switch i := rng.IntN(samplers); rng.IntN(8) {
			case 0:
				n.wakeAll(samplers, draw)
			case 1:
				var woken, want []int
				for i := range asleep {
					if asleep[i] {
						want = append(want, i)
					}
				}
				n.wake(func(i int) time.Duration { woken = append(woken, i); return draw(i) })
				if !slices.Equal(woken, want) {
					t.Fatalf("%v woke, want %v", woken, want)
				}
			case 2, 3:
				if !asleep[i] {
					n.set(i, draw(i))
				}
			default:
				times[i], asleep[i] = feed.Never, true
				n.set(i, feed.Never)
				n.sleep(i)
			}
			if got, want := n.first(), slices.Min(times); got != want {
				t.Fatalf("%d samplers: first at %d, want %d", samplers, got, want)
			}
			if n.anyAsleep() != slices.Contains(asleep, true) {
				t.Fatalf("%d samplers: one sleeps: %v, want %v", samplers, n.anyAsleep(), asleep)
			}
			for i := range times {
				if n.at(i) != times[i] || n.sleeps(i) != asleep[i] {
					t.Fatalf("sampler %d of %d: at %d, sleeps %v, want %d, %v", i, samplers, n.at(i), n.sleeps(i), times[i], asleep[i])
				}
			}
		}
	}
}
