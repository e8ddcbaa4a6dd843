package recorder

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestFindTimer checks ends at known ticks, and ends without a timer.
func TestFindTimer(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	ticks := func(n int, period, jitter time.Duration, skip float64) (ends []time.Duration) {
		for at := 5 * ms; len(ends) < n; at += period {
			if random.Float64() >= skip {
				ends = append(ends, at+time.Duration(random.NormFloat64()*float64(jitter)))
			}
		}
		return ends
	}
	for _, c := range []struct {
		name   string
		ends   []time.Duration
		period time.Duration // 0: none
		within time.Duration
	}{
		{"each vsync", ticks(100, frame, 300*us, 0), frame, 20 * us},
		{"some vsyncs", ticks(40, frame, 300*us, 0.6), frame, 30 * us},
		{"each vsync of 120 Hz", ticks(60, frame/2, 200*us, 0.2), frame / 2, 20 * us},
		{"few", ticks(15, frame, 0, 0), 0, 0},
		{"a timer of 1 ms", ticks(100, ms, 0, 0), 0, 0}, // below the minimum period
		{"spread over half of the period", ticks(100, frame, frame/4, 0), 0, 0},
	} {
		l, ok := findTimer(c.ends)
		if ok != (c.period > 0) || ok && (l.Period < c.period-c.within || l.Period > c.period+c.within) {
			t.Errorf("%s: %+v %v, want %v", c.name, l, ok, c.period)
		}
		for _, at := range []time.Duration{0, 1, 50} {
			tick := l.Phase + at*l.Period
			if ok && (!l.Has(tick) || !l.Has(tick+l.Period/11) || !l.Has(tick-l.Period/11) || l.Has(tick+l.Period/2) || l.Has(tick-l.Period/9)) {
				t.Errorf("%s: Has of %+v is wrong at tick %d", c.name, l, at)
			}
		}
	}
	// Waits of random lengths fit no timer. The tail of the resultant length is exp(−n·R²) (Mardia
	// and Jupp, 2000, 4.3). So each of at most 69 periods fits 24 ends with a probability below
	// 1e-8, before least squares.
	found := 0
	for range 2000 {
		ends := make([]time.Duration, 24)
		at := time.Duration(0)
		for i := range ends {
			at += time.Duration(random.ExpFloat64() * float64(30*ms))
			ends[i] = at
		}
		if _, ok := findTimer(ends); ok {
			found++
		}
	}
	if found > 2 {
		t.Errorf("%d of 2000 random lists fit a timer, want 0", found)
	}
	t.Logf("%d of 2000 random lists fit a timer, want 0", found)
}
