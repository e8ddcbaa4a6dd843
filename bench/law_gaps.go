package bench

import (
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

// A spread of the overshoot is replaced by equally likely gaps: so many for each
// row that has one, fewer when there are many such rows, since every gap has its
// cost per event.
const (
	fewestParts = 6
	mostParts   = 24
	allParts    = 120
)

// gapParts returns how many gaps stand for each spread of a sweep.
func gapParts(rows [][]*cell) int {
	spread := 0
	for _, row := range rows {
		if c := row[0]; c.mode.watch != nil && c.mode.watch(c.config).Cost.OvershootSpread > 0 {
			spread++
		}
	}
	return min(mostParts, max(fewestParts, allParts/max(1, spread)))
}

// gapsOf returns the law of a sampler's gaps, a spread in so many parts.
func gapsOf(c sampler.Config, parts int) gapLaw {
	if c.Schedule == sampler.Poisson {
		return gapLaw{poisson: true, mean: c.Interval, atoms: []gapAtom{{c.Interval, 1}}}
	}
	spread := float64(c.Cost.OvershootSpread)
	if spread == 0 {
		gap := c.Interval + c.Cost.Overshoot
		return gapLaw{mean: gap, atoms: []gapAtom{{gap, 1}}}
	}
	overshoot := distuv.Normal{Mu: float64(c.Cost.Overshoot), Sigma: spread}
	// The sampler cuts the normal distribution off at 0, which raises its mean.
	standard := distuv.UnitNormal
	z := overshoot.Mu / spread
	mean := spread*standard.Prob(z) + overshoot.Mu*standard.CDF(z)
	overshoots := make([]float64, parts)
	var sum float64
	for i := range overshoots {
		overshoots[i] = max(0, overshoot.Quantile((float64(i)+0.5)/float64(parts)))
		sum += overshoots[i]
	}
	law := gapLaw{mean: c.Interval + time.Duration(mean)}
	for _, o := range overshoots {
		gap := c.Interval + time.Duration(o*mean*float64(parts)/sum) // with the mean that it must have
		law.atoms = append(law.atoms, gapAtom{gap, 1 / float64(parts)})
	}
	return law
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
