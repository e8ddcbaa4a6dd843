package estimate

import (
	"math"
	"testing"
	"time"
)

// TestVarianceRatio checks 1000 runs of samples with correlation λ = 1/2. Thinnings by k have 2000
// (1 − λ^k) starts. By the formula of varianceRatio's comment, with λ less its standard error,
// python3's math computes 0.23671…:
//
//	long = (1992-1875)/4; short = 1000-long; l = (500-long)/short - 1/sqrt(short)
//	y = -log(l); ((1/tanh(y/2) - 2/y)/(1-l)*short + long/6)/1000
func TestVarianceRatio(t *testing.T) {
	s := sum{wall: 2 * time.Second, samples: 2000, varWall: 1000 * 1e6 * 1e6} // a period of 1 ms, each run independent
	s.thin.runs = 1000
	for i, k := range thinnings {
		s.thin.starts[i] = uint32(2000 * (1 - math.Pow(0.5, float64(k))))
	}
	if got, want := s.varianceRatio(), 0.236714273336; math.Abs(got-want) > 1e-9 {
		t.Errorf("varianceRatio = %.12f, want %.12f", got, want)
	}
}

// TestSilenceAfterGap checks the variance of a run that begins after a time without samples. It is
// half of the square of that time; the previous run has the other half. After a gap of one sample,
// the gap's length already includes it.
func TestSilenceAfterGap(t *testing.T) {
	const ms = time.Millisecond
	for gap, want := range map[int64]float64{1: 0, 2: 4.5e12} {
		var r runs
		r.begin(stamp{point: point{sample: 1}})
		r.end(stamp{point: point{wall: ms, sample: 2}})
		r.begin(stamp{point: point{wall: 5 * ms, sample: 2 + gap}, silent: 3 * ms})
		r.end(stamp{point: point{wall: 6 * ms, sample: 3 + gap}})
		if r.silWall != want {
			t.Errorf("a gap of %d: %g ns² of silence, want %g", gap, r.silWall, want)
		}
	}
}
