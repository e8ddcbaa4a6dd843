package law

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// gapLaw is the distribution of the app time between two samples that the laws use.
type gapLaw struct {
	poisson  bool // exponential gaps: one atom at the mean
	mean     time.Duration
	atoms    []gapAtom
	variance float64 // variance of a gap, ns²
}

// newGapLaw returns the law of gaps that consist of these parts.
func newGapLaw(mean time.Duration, atoms ...gapAtom) gapLaw {
	l := gapLaw{mean: mean, atoms: atoms}
	for _, a := range atoms {
		d := float64(a.gap) - float64(mean)
		l.variance += a.weight * (a.variance + d*d)
	}
	return l
}

type gapAtom struct {
	gap      time.Duration // mean gap of the part
	weight   float64
	variance float64 // variance within the part, in ns²
}

// The normal distribution of the overshoot is divided into equally likely parts. Many narrow parts
// are needed if the spread is large relative to the gap, because the number of reported calls is
// not linear in the gap, and for apps aliased with the interval. Each part costs time at every
// event, so if many samplers have a spread, each gets fewer parts.
const (
	minParts        = 4
	maxParts        = 24
	allParts        = 64
	sufficientParts = 16
	partsPerGap     = 40 // number of parts for a spread equal to the gap
)

// gapParts is the minimum number of parts of a spread.
type gapParts int

// newGapParts distributes the parts over samplers.
func newGapParts(samplers []Sampler) gapParts {
	spread := 0
	for i := range samplers {
		if samplers[i].Spread > 0 {
			spread++
		}
	}
	return gapParts(min(sufficientParts, max(minParts, allParts/max(1, spread))))
}

// of returns the number of parts of one sampler's spread.
func (n gapParts) of(s *Sampler) int {
	part := float64(s.Spread) / float64(s.Interval+s.Overshoot)
	return max(int(n), min(maxParts, int(math.Ceil(partsPerGap*part))))
}

// least returns the time that the app runs in a sleep without overshoot.
func (s *Sampler) least() time.Duration { return s.Interval - s.Resume }

// gapsOf returns the law of a sampler's gaps. The normal distribution of the overshoot, which the
// sampler cuts off at 0, is divided into equally likely parts; each is replaced by its mean.
func gapsOf(s *Sampler, n gapParts) gapLaw {
	if s.Poisson {
		return gapLaw{poisson: true, mean: s.Interval, atoms: []gapAtom{{s.Interval, 1, 0}}}
	}
	if len(s.Overshoots) > 0 {
		return gapsOfTable(s, n.of(s))
	}
	mu, sigma := float64(s.Overshoot), float64(s.Spread)
	if sigma == 0 {
		gap := s.least() + s.Overshoot
		return newGapLaw(gap, gapAtom{gap, 1, 0})
	}
	var atoms []gapAtom
	var weight, mean, square float64 // cumulative up to the part
	for _, p := range borders(n.of(s)) {
		x := distuv.UnitNormal.Quantile(p)
		w, upTo, squareUpTo := p-weight, cutMean(mu, sigma, x), cutSquare(mu, sigma, x)
		o := (upTo - mean) / w
		atoms = append(atoms, gapAtom{s.least() + time.Duration(math.Round(o)), w, (squareUpTo-square)/w - o*o})
		weight, mean, square = p, upTo, squareUpTo
	}
	return newGapLaw(s.least()+time.Duration(math.Round(cutMean(mu, sigma, math.Inf(1)))), atoms...)
}

// borders returns the upper ends of n equally likely parts, as probabilities. The first and the
// last part are wide and are therefore divided again.
func borders(n int) []float64 {
	part := 1 / float64(n)
	list := []float64{part / 16, part / 4}
	for i := 1; i < n; i++ {
		list = append(list, float64(i)*part)
	}
	return append(list, 1-part/4, 1-part/16, 1)
}

// expect returns the mean of a function over all gaps, given its values at the atoms. It uses a
// second-order Taylor series around each atom.
func (l *gapLaw) expect(values []float64) (sum float64) {
	for i, a := range l.atoms {
		sum += a.weight * (values[i] + l.curvature(values, i)*a.variance/2)
	}
	return sum
}

// curvature returns the second derivative at the i-th atom, computed from its neighbors. It is 0 at
// the ends, which have little weight.
func (l *gapLaw) curvature(values []float64, i int) float64 {
	if i == 0 || i == len(l.atoms)-1 {
		return 0
	}
	left := float64(l.atoms[i].gap - l.atoms[i-1].gap)
	right := float64(l.atoms[i+1].gap - l.atoms[i].gap)
	if left <= 0 || right <= 0 { // they differ only by rounding
		return 0
	}
	return 2 * ((values[i+1]-values[i])/right - (values[i]-values[i-1])/left) / (left + right)
}

// gapsOfTable is gapsOf for a measured distribution of the overshoot.
func gapsOfTable(s *Sampler, parts int) gapLaw {
	whole, _ := tableMoments(s.Overshoots, 1)
	var atoms []gapAtom
	var weight, mean, square float64 // cumulative up to the part
	for _, p := range borders(parts) {
		upTo, squareUpTo := tableMoments(s.Overshoots, p)
		w := p - weight
		o := (upTo - mean) / w
		atoms = append(atoms, gapAtom{s.least() + time.Duration(math.Round(o)), w, max(0, (squareUpTo-square)/w-o*o)})
		weight, mean, square = p, upTo, squareUpTo
	}
	return newGapLaw(s.least()+time.Duration(math.Round(whole)), atoms...)
}

// tableMoments returns the integrals from 0 to p of the quantile and of its square.
//
// Source: the quantile is linear, a + s·t, between two entries of the table.
//
// Example: of the table 0, 1 they are p²/2 and p³/3.
func tableMoments(table []time.Duration, p float64) (mean, square float64) {
	steps := float64(len(table) - 1)
	for i := range len(table) - 1 {
		t := min(1, p*steps-float64(i)) // share of the step that is below p
		if t <= 0 {
			break
		}
		a, s := float64(table[i]), float64(table[i+1]-table[i])
		mean += t * (a + s*t/2) / steps
		square += t * (a*a + a*s*t + s*s*t*t/3) / steps
	}
	return mean, square
}

// cutMean returns E[max(0, X); X <= mu + x·sigma] of a normal X.
//
// Source: integration of t·φ(t); its integral is −φ(t).
//
// Example: with mu = 0, sigma = 1 and no bound it is φ(0) = 0.3989, the mean of the
// half of X that is above 0, and nothing of the rest.
func cutMean(mu, sigma, x float64) float64 {
	from := -mu / sigma // where X is 0
	if x <= from {
		return 0
	}
	n := distuv.UnitNormal
	return mu*(n.CDF(x)-n.CDF(from)) - sigma*(n.Prob(x)-n.Prob(from))
}

// cutSquare returns E[max(0, X)²; X <= mu + x·sigma] of a normal X.
//
// Source: as cutMean; the integral of t²·φ(t) is Φ(t) − t·φ(t).
//
// Example: with mu = 0, sigma = 1 and no bound it is 1/2.
func cutSquare(mu, sigma, x float64) float64 {
	from := -mu / sigma
	if x <= from {
		return 0
	}
	n := distuv.UnitNormal
	tail := func(x float64) float64 { // x·φ(x)
		if math.IsInf(x, 1) {
			return 0
		}
		return x * n.Prob(x)
	}
	return (mu*mu+sigma*sigma)*(n.CDF(x)-n.CDF(from)) - 2*mu*sigma*(n.Prob(x)-n.Prob(from)) - sigma*sigma*(tail(x)-tail(from))
}
