package theory

import (
	"math"
	"time"
)

// Alternating is a path that is on and off the stack for exponentially
// distributed times with means On and Off. An ideal systematic sampler watches
// it, where nothing else is said.
//
// All such paths lie on one curve: with τc = On·Off/(On+Off) and x = T/τc
//
//	reported/true calls = (1 − e^{−x})/x
//
// Source: the call-count law ([CallCount]) with the autocorrelation of a
// two-state Markov chain, which decays with τc.
//
// Example: On = Off = 2 ms has τc = 1 ms. At T = 1 ms x = 1: 63 % of the calls
// are reported, and they last 2/0.632 = 3.16 ms on average.
type Alternating struct {
	On, Off time.Duration
}

// Correlation is τc, the time over which the path forgets its state.
func (a Alternating) Correlation() time.Duration {
	return time.Duration(float64(a.On) * ratio(a.Off, a.On+a.Off))
}

// Duty is the share of time on the stack.
func (a Alternating) Duty() float64 { return ratio(a.On, a.On+a.Off) }

// ReportedPerTrue is the expected number of reported calls per true call.
func (a Alternating) ReportedPerTrue(interval time.Duration) float64 {
	return Universal(ratio(interval, a.Correlation()))
}

// ReportedPerTruePoisson is the same for a Poisson sampler: 1/(1 + x). A gap of
// length X lies between a sample that does not see the path and one that does
// with probability ρ(1 − ρ)(1 − e^{−X/τc}), ρ the duty; where (1 − e^{−x})/x has
// one gap, here e^{−X/τc} has the mean 1/(1 + x).
//
// Example: x = 1 reports half of the calls; a systematic sampler reports 63 %.
func (a Alternating) ReportedPerTruePoisson(interval time.Duration) float64 {
	return 1 / (1 + ratio(interval, a.Correlation()))
}

// MeanReported is the mean duration of the reported calls: On·x/(1 − e^{−x}).
// Towards long intervals it is T/(1 − duty): a 5 µs callee at 95 % duty sampled
// every ms shows as calls of 20 ms.
func (a Alternating) MeanReported(interval time.Duration) time.Duration {
	return time.Duration(float64(a.On) / a.ReportedPerTrue(interval))
}

// Universal is the curve (1 − e^{−x})/x of reported/true calls over x = T/τc.
func Universal(x float64) float64 {
	if x == 0 {
		return 1
	}
	return -math.Expm1(-x) / x
}
