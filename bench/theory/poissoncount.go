package theory

import (
	"fmt"
	"math"
	"time"

	"artifice/bench/paths"
)

// PoissonCount computes the call-count law of a truth for a Poisson sampler, one
// whose gaps are exponential with mean T, from the truth's [Stays]. It is exact
// for any workload.
//
// A stay of duration d is missed when no sample falls into it, so
//
//	P(a call of duration d is seen) = 1 − e^{−d/T}
//
// A reported call of path p begins at a sample that sees p while the one before
// did not. Let y be the probability that the last sample so far saw p; before the
// first sample nothing was seen. Samples come at the rate 1/T, whatever was
// before, and each makes the last sample's view that of now:
//
//	y′ = (1 − y)/T while p is on the stack, y′ = −y/T while it is not
//
// So 1 − y decays by e^{−d/T} in a stay, and y by e^{−g/T} in a gap of length g.
// Reported calls begin at the rate (1 − y)/T in a stay, which is y′. With y₀ at
// the begin of each stay
//
//	E[reported calls of p] = Σ (1 − y₀)(1 − e^{−d/T})
//
// over the stays of p: each reports the first sample that falls into it, unless
// the sample before, in a gap or stay ago, had seen p too. PoissonCount has the
// sums over all paths; [EachPath] keeps paths apart.
//
// Source: the Kolmogorov equation of the last sample's view, above.
//
// Example: p on the stack in [0, 1) and [2, 3) ms, T = 1 ms. Each stay is seen
// with probability 1 − e⁻¹ = 0.632. y is 0.632 at 1 ms and 0.632·e⁻¹ = 0.233 at
// 2 ms, so 0.632 + 0.767·0.632 = 1.117 calls are reported of 1.264 seen.
type PoissonCount struct {
	rates    []float64 // 1/T, per ns
	paths    []poissonPath
	reported []float64 // by interval, as is seen
	seen     []float64
}

// poissonPath is what the samples before remember of one path.
type poissonPath struct {
	last time.Duration // end of its last stay
	view []float64     // by interval: y then; nil before the first stay
}

// NewPoissonCount returns the law for samplers of these mean gaps, which are
// above 0.
func NewPoissonCount(intervals ...time.Duration) (*PoissonCount, error) {
	c := &PoissonCount{reported: make([]float64, len(intervals)), seen: make([]float64, len(intervals))}
	for _, t := range intervals {
		if t <= 0 {
			return nil, fmt.Errorf("call-count law of a Poisson sampler: interval %v: must be above 0", t)
		}
		c.rates = append(c.rates, 1/float64(t))
	}
	return c, nil
}

// stay implements [StayLaw].
func (c *PoissonCount) stay(p paths.ID, a stay) {
	if a.from == a.to {
		return // nothing is seen of it, nothing forgotten
	}
	for int(p) >= len(c.paths) {
		c.paths = append(c.paths, poissonPath{})
	}
	path := &c.paths[p]
	if path.view == nil {
		path.view = make([]float64, len(c.rates))
	}
	gap, d := float64(a.from-path.last), float64(a.to-a.from)
	path.last = a.to
	for i, rate := range c.rates {
		seen := -math.Expm1(-d * rate)
		y := path.view[i] * math.Exp(-gap*rate)
		reported := (1 - y) * seen
		c.seen[i] += seen
		c.reported[i] += reported
		path.view[i] = y + reported // 1 − (1 − y)e^{−d/T}
	}
}

// Reported returns the mean number of reported calls at the i-th interval.
func (c *PoissonCount) Reported(i int) float64 { return c.reported[i] }

// Seen returns the mean number of true calls that a sample falls into at the
// i-th interval.
func (c *PoissonCount) Seen(i int) float64 { return c.seen[i] }
