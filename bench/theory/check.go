package theory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Check is one value of one law with a simulation that does not use the law.
type Check struct {
	Law    string  // what the law is about
	Case   string  // its parameters
	Value  float64 // what the law says
	Within float64 // how far the law itself may be off, where it is an approximation; else 0

	// Simulate measures the same by brute force.
	Simulate func(rng *rand.Rand) Estimate
}

// Estimate is a measured value with its standard error, 0 when the measurement
// has no randomness.
type Estimate struct {
	Value  float64
	StdErr float64
	N      int // independent values that StdErr was measured from; 0 where it is known
}

// Verdict is a check with what its simulation measured.
type Verdict struct {
	Check
	Measured Estimate
	Z        float64 // [ZScore]
}

// MaxZ is how many standard errors a law may be off. At 4 one true law in
// 16000 fails by chance.
const MaxZ = 4

// OK reports whether law and simulation agree.
func (v Verdict) OK() bool { return math.Abs(v.Z) <= MaxZ }

// String returns the verdict in one line.
func (v Verdict) String() string {
	return fmt.Sprintf("%-28s %-34s law %.5g, measured %.5g ± %.2g, z %+.1f", v.Law, v.Case, v.Value, v.Measured.Value, v.Measured.StdErr, v.Z)
}

// Run simulates the check with random numbers of its own: the same for the same
// seed, whatever other checks run.
func (c Check) Run(seed uint64) Verdict {
	m := c.Simulate(rand.New(rand.NewPCG(seed, hash(c.Law+"\x00"+c.Case))))
	return Verdict{c, m, ZScore(m, c.Value, c.Within)}
}

// ZScore is how many standard errors m lies from value, beyond a tolerance; if
// the error was measured, as a [NormalScore], so that the same limit means the
// same for few values and for many. A measurement without randomness agrees to
// nine digits or is infinitely far.
func ZScore(m Estimate, value, within float64) float64 {
	off := m.Value - value
	beyond := max(0, math.Abs(off)-within)
	switch {
	case beyond <= 1e-9*math.Max(1, math.Abs(value)):
		return 0
	case m.StdErr == 0:
		return math.Copysign(math.Inf(1), off)
	}
	t := math.Copysign(beyond/m.StdErr, off)
	if m.N < 2 {
		return t
	}
	return NormalScore(t, m.N-1)
}

// Checks returns every check of this package, law by law.
func Checks() []Check {
	var all []Check
	for _, law := range []func() []Check{
		callChecks, gapsChecks, totalChecks, recallChecks, loopChecks, alternatingChecks,
		poissonChecks, isolatedChecks, aliasingChecks, pauseChecks, hookChecks, floorChecks, kendallChecks, frontierChecks,
	} {
		all = append(all, law()...)
	}
	return all
}

// hash is FNV-1a: a stream number for a name.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// tally collects independent values of a simulation.
type tally struct {
	values []float64
}

func (t *tally) add(x float64) { t.values = append(t.values, x) }

// meanEstimate is the mean of the values.
func (t *tally) meanEstimate() Estimate {
	n := float64(len(t.values))
	var mean, variance float64
	for _, x := range t.values {
		mean += x / n
	}
	for _, x := range t.values {
		variance += (x - mean) * (x - mean) / (n - 1)
	}
	return Estimate{mean, math.Sqrt(variance / n), len(t.values)}
}

// stdDevEstimate is their standard deviation from a mean that is known, the root
// of a mean of squares; its error by the delta method. From the measured mean
// instead, values that are one of two equally likely ones would show no error of
// the first order, and an error far too small.
func (t *tally) stdDevEstimate(mean float64) Estimate {
	squares := &tally{}
	for _, x := range t.values {
		squares.add((x - mean) * (x - mean))
	}
	e := squares.meanEstimate()
	if e.Value == 0 {
		return Estimate{}
	}
	sd := math.Sqrt(e.Value)
	return Estimate{sd, e.StdErr / (2 * sd), e.N}
}

// repeat calls f n times and collects what it returns.
func repeat(n int, f func() float64) *tally {
	t := &tally{values: make([]float64, 0, n)}
	for range n {
		t.add(f())
	}
	return t
}

// ms is x milliseconds.
func ms(x float64) time.Duration { return time.Duration(math.Round(x * 1e6)) }

// inMS is d in milliseconds.
func inMS(d time.Duration) float64 { return float64(d) / 1e6 }
