package report

import (
	"gonum.org/v1/gonum/stat/distuv"

	"artifice/report/estimate"
)

// Z95 is the 97.5 % quantile of the normal distribution.
const Z95 = 1.959963984540054

// Hottest returns the probability p that the first of several times is the longest. It assumes that
// their errors are independent and normal, with a different width on each side as in their
// intervals. It is 1 if there is no other time, or if no time has an error. usable is false if p is
// too small to be stated: below 80 %, the first time is the longest more often than p, mostly
// because the intervals of apps aliased with the sampling interval are wide (research/trust).
//
// Times with an interval below that of the first do not affect p.
//
// Note: the times of a thread compete for it, so their errors are correlated, by −√(pq) for small
// shares p and q. Hottest ignores that.
func Hottest(times []estimate.Time) (p float64, usable bool) {
	const steps, least = 400, 0.8
	if len(times) == 0 {
		return 0, false
	}
	sum := 0.0
	for i := range steps {
		x := quantile(times[0], (float64(i)+0.5)/steps)
		longest := 1.0
		for _, other := range times[1:] {
			if other.High >= times[0].Low {
				longest *= below(other, x)
			}
		}
		sum += longest
	}
	p = sum / steps
	return p, p >= least
}

// quantile returns the p-quantile of a time.
func quantile(t estimate.Time, p float64) float64 {
	z := distuv.UnitNormal.Quantile(p)
	if z < 0 {
		return float64(t.Value) + z*float64(t.Value-t.Low)/Z95
	}
	return float64(t.Value) + z*float64(t.High-t.Value)/Z95
}

// below returns the probability that a time is below x.
func below(t estimate.Time, x float64) float64 {
	side := float64(t.High - t.Value)
	if x < float64(t.Value) {
		side = float64(t.Value - t.Low)
	}
	switch d := x - float64(t.Value); {
	case side > 0:
		return distuv.UnitNormal.CDF(d * Z95 / side)
	case d < 0:
		return 0
	case d == 0:
		return 0.5
	}
	return 1
}
