package law

import (
	"math"
	"time"

	"artifice/trace/calltree"
)

// poissonCount is the call-count law of a truth for a Poisson sampler (exponential gaps with mean
// T), computed from the truth's activations. It is exact for any workload.
//
// An activation of duration d is missed if no sample falls into it, so
//
//	P(a call of duration d is seen) = 1 − e^{−d/T}
//
// A reported call of context c begins at a sample that sees c while the one before did not. Let y
// be the probability that the last sample so far saw c; it is 0 before the first sample. Samples
// come at the rate 1/T, independent of the past, and each sees the current state:
//
//	y′ = (1 − y)/T while c is on the stack, y′ = −y/T while it is not
//
// So 1 − y is multiplied by e^{−d/T} in an activation, and y by e^{−g/T} in a gap of length g.
// Reported calls begin at the rate (1 − y)/T in an activation, which is y′. With y₀ at the
// beginning of each activation
//
//	E[reported calls of c] = Σ (1 − y₀)(1 − e^{−d/T})
//
// over the activations of c: the first sample that falls into an activation begins a reported call,
// unless the previous sample saw c, too. poissonCount contains the sums over all contexts.
//
// Source: the Kolmogorov equation for the observation of the last sample, above.
//
// Example: c on the stack in [0, 1) and [2, 3) ms, T = 1 ms. Each activation is seen with
// probability 1 − e⁻¹ = 0.632. y is 0.632 at 1 ms and 0.632·e⁻¹ = 0.233 at 2 ms, so 0.632 +
// 0.767·0.632 = 1.117 calls are reported of 1.264 seen.
type poissonCount struct {
	rates    []float64 // 1/T, per ns
	contexts []poissonContext
	reported []float64 // by interval, like seen
	seen     []float64
}

// poissonContext is the state of the previous samples with respect to one context.
type poissonContext struct {
	last time.Duration // end of its last activation
	view []float64     // by interval: y at that time; nil before the first activation
}

// newPoissonCount returns the law for samplers with these mean gaps, which must be above 0.
func newPoissonCount(intervals ...time.Duration) *poissonCount {
	c := &poissonCount{reported: make([]float64, len(intervals)), seen: make([]float64, len(intervals))}
	for _, t := range intervals {
		c.rates = append(c.rates, 1/float64(t))
	}
	return c
}

// add implements [activationLaw].
func (c *poissonCount) add(p calltree.Node, a activation) {
	if a.from == a.to {
		return // an activation of length 0 has no effect
	}
	for int(p) >= len(c.contexts) {
		c.contexts = append(c.contexts, poissonContext{})
	}
	at := &c.contexts[p]
	if at.view == nil {
		at.view = make([]float64, len(c.rates))
	}
	gap, d := float64(a.from-at.last), float64(a.to-a.from)
	at.last = a.to
	for i, rate := range c.rates {
		seen := -math.Expm1(-d * rate)
		y := at.view[i] * math.Exp(-gap*rate)
		reported := (1 - y) * seen
		c.seen[i] += seen
		c.reported[i] += reported
		at.view[i] = y + reported // 1 − (1 − y)e^{−d/T}
	}
}

// end implements [activationLaw].
func (c *poissonCount) end() { c.contexts = nil }

// Reported returns the mean number of reported calls at the i-th interval.
func (c *poissonCount) Reported(i int) float64 { return c.reported[i] }

// Seen returns the mean number of true calls that a sample falls into at the
// i-th interval.
func (c *poissonCount) Seen(i int) float64 { return c.seen[i] }
