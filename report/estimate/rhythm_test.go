package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// evenly returns n samples with a distance of every ns.
func evenly(n int, every float64) (list []instant) {
	for i := range n {
		list = append(list, instant{float64(i) * every, float64(i)})
	}
	return list
}

// TestSameError checks the share of the error that repetitions have in common. With a period of 3
// samples at a constant phase, all repetitions have the same error. With 10 samples in 3 periods,
// the share is a ninth, because the errors at three positions, a third of a period apart, cancel
// except for a third of the amplitude. If the positions drift through the period, it is 0.
func TestSameError(t *testing.T) {
	const n = 30_000
	noiseless := func(share float64) float64 { return share * (1 - noise/1000.0) }
	for _, c := range []struct {
		what     string
		cycle    float64
		want, by float64
	}{
		{"three samples", 3, noiseless(1), 0.03},
		{"ten samples in three", 10.0 / 3, noiseless(1.0 / 9), 0.01},
		{"seven samples in two", 3.5, noiseless(1.0 / 4), 0.02},
		{"drifts", 3.1413, 0, 1e-3},
	} {
		if got := sameError(evenly(n, 1), c.cycle); math.Abs(got-c.want) > c.by {
			t.Errorf("%s: share %.4f, want %.4f", c.what, got, c.want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2)) // sleeps overshoot by 0 to 0.4: a random walk
	walk, at := []instant{}, 0.
	for i := range n {
		walk = append(walk, instant{at, float64(i)})
		at += 1 + 0.4*random.Float64()
	}
	if got := sameError(walk, 3.6); got > 0.01 {
		t.Errorf("a random walk: share %.4f, want 0", got)
	}
}

// TestPeriodOf checks runs that begin every 16.667 ms and are sampled up to 5 ms later.
func TestPeriodOf(t *testing.T) {
	const ms = float64(time.Millisecond)
	random := rand.New(rand.NewPCG(3, 4))
	var times []float64
	for i := range 900 {
		if at := float64(i)*16.667*ms + 5*ms*random.Float64(); random.Float64() < 0.7 {
			times = append(times, at)
		}
	}
	for i := len(times) - 1; i >= 0; i-- {
		times[i] -= times[0]
	}
	got, together := periodOf(times, 12*ms, 19*ms)
	if math.Abs(got-16.667*ms) > 0.001*ms || together < 0.8 {
		t.Errorf("period %.5f ms, concentration %.2f", got/ms, together)
	}
}

// TestBeginsAreThinned checks that, of 5,000 begins, every 8th is kept, over the whole trace.
func TestBeginsAreThinned(t *testing.T) {
	var b begins
	for i := range int64(5000) {
		b.add(i, begin{sample: i})
	}
	list := b.list()
	if len(list) != 625 || b.n != len(list) || b.stride != 8 {
		t.Fatalf("%d of %d kept, every %d", len(list), b.n, b.stride)
	}
	for i, at := range list {
		if at.sample != int64(8*i) {
			t.Fatalf("entry %d has sample %d", i, at.sample)
		}
	}
}
