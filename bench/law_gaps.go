package bench

import (
	"math"
	"time"

	"artifice/sampler"

	"gonum.org/v1/gonum/stat/distuv"
)

// gapLaw is the distribution of the app time between two samples, as the laws
// take it.
type gapLaw struct {
	poisson bool // exponential gaps: one atom, the mean
	mean    time.Duration
	atoms   []gapAtom
}

type gapAtom struct {
	gap    time.Duration
	weight float64
}

// A spread of the overshoot is replaced by equally likely gaps. They must lie
// close where the spread is a large part of the gap, since reported calls bend with
// it; and there must be enough of them for apps that are in resonance. Each has
// its cost per event, so where many rows have a spread they get fewer.
const (
	fewestGaps = 6
	mostGaps   = 36
	allGaps    = 96
	enoughGaps = 24
	gapsPerGap = 70 // for a spread as large as the gap
)

// gapParts says how many gaps stand for a spread: at least so many.
type gapParts int

// newGapParts shares out the gaps of a sweep.
func newGapParts(rows [][]*cell) gapParts {
	spread := 0
	for _, row := range rows {
		if c := row[0]; c.mode.watch != nil && c.mode.watch(c.config).Cost.OvershootSpread > 0 {
			spread++
		}
	}
	return gapParts(min(enoughGaps, max(fewestGaps, allGaps/max(1, spread))))
}

// of returns how many gaps stand for one sampler's.
func (n gapParts) of(c *sampler.Config) int {
	part := float64(c.Cost.OvershootSpread) / float64(c.Interval+c.Cost.Overshoot)
	return max(int(n), min(mostGaps, int(math.Ceil(gapsPerGap*part))))
}

// gapsOf returns the law of a sampler's gaps. The normal distribution of the
// overshoot, which the sampler cuts off at 0, is divided into equally likely parts,
// each of which becomes its mean.
func gapsOf(c *sampler.Config, n gapParts) gapLaw {
	if c.Schedule == sampler.Poisson {
		return gapLaw{poisson: true, mean: c.Interval, atoms: []gapAtom{{c.Interval, 1}}}
	}
	mu, sigma := float64(c.Cost.Overshoot), float64(c.Cost.OvershootSpread)
	if sigma == 0 {
		gap := c.Interval + c.Cost.Overshoot
		return gapLaw{mean: gap, atoms: []gapAtom{{gap, 1}}}
	}
	parts := n.of(c)
	law := gapLaw{mean: c.Interval + time.Duration(cutMean(mu, sigma, math.Inf(1)))}
	before := 0.0
	for i := range parts {
		upTo := cutMean(mu, sigma, distuv.UnitNormal.Quantile(float64(i+1)/float64(parts)))
		mean := float64(parts) * (upTo - before)
		law.atoms = append(law.atoms, gapAtom{c.Interval + time.Duration(mean), 1 / float64(parts)})
		before = upTo
	}
	return law
}

// cutMean returns E[max(0, X); X <= mu + x·sigma] of a normal X.
//
// Source: integration of t·φ(t), whose integral is −φ(t).
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

// callLaw says how many calls are reported and seen at the i-th of its gaps, on
// average.
type callLaw interface {
	Reported(i int) float64
	Seen(i int) float64
}

// gapSet are the gaps at which a call law is to be known.
type gapSet struct {
	gaps  []time.Duration
	place map[time.Duration]int
	law   callLaw
}

// add makes gap one of them, once.
func (s *gapSet) add(gap time.Duration) {
	if s.place == nil {
		s.place = map[time.Duration]int{}
	}
	if _, ok := s.place[gap]; !ok && gap > 0 {
		s.place[gap] = len(s.gaps)
		s.gaps = append(s.gaps, gap)
	}
}
