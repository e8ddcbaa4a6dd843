package estimate

import "math"

// Cycle is how runs are in step with the sampler.
type Cycle struct {
	Samples int     // after so many samples the pattern begins again
	Again   float64 // share of the runs that come again at the same place of later repetitions, beyond chance
	Alike   float64 // how many repetitions have the same error: the variance is multiplied by it
}

// maxLag is how far apart the beginnings of two runs are that are compared, in
// samples, and kept how many of the last ones are remembered for it.
const (
	maxLag = 512
	kept   = 64
)

// minSteps is how many beginnings it takes to tell a cycle from chance.
const minSteps = 12

// steps counts how far apart the beginnings of runs are: of each one the distances
// to those before it.
type steps struct {
	n           int64
	first, last int64 // samples of the first and the last one
	recent      [kept]int64
	lags        [maxLag + 2]uint32 // pairs by distance
}

// add adds the beginning of a run.
func (s *steps) add(sample int64) {
	if s.n == 0 {
		s.first = sample
	}
	for i := range min(s.n, kept) {
		lag := sample - s.recent[(s.n-1-i)%kept]
		if lag > maxLag+1 {
			break
		}
		s.lags[lag]++
	}
	s.recent[s.n%kept] = sample
	s.n++
	s.last = sample
}

func (s *steps) span() float64    { return float64(s.last - s.first + 1) }
func (s *steps) density() float64 { return float64(s.n) / s.span() }

// reach is the greatest distance at which all pairs were counted.
func (s *steps) reach() int {
	if s.n <= kept {
		return maxLag
	}
	return min(maxLag, int(0.7*kept/s.density()))
}

// cycle returns the cycle with which the runs are in step by themselves, or nil.
func (s *steps) cycle() *Cycle {
	if s == nil || s.n < minSteps {
		return nil
	}
	var best *Cycle
	for lag := 2; lag <= s.reach()/2 && float64(lag) < s.span()/4; lag++ {
		c, sure := s.inStep(lag)
		if sure && (best == nil || c.Alike > 1.2*best.Alike || c.Alike > 0.8*best.Alike && c.Again > 1.5*best.Again) {
			best = &c
		}
	}
	if best == nil || best.Alike < 2 {
		return nil
	}
	return best
}

// inStep returns how the runs are in step with a cycle of so many samples, and
// whether that is more than chance.
//
// The error of a sum of repetitions has the variance of one of them, times the
// number, times one plus twice the sum of their correlations. What begins at one
// place of the cycle is there again k repetitions later with an excess over chance
// that does not fade with k when app and sampler keep step: then the factor is
// the number of repetitions times that excess.
func (s *steps) inStep(lag int) (c Cycle, sure bool) {
	repetitions, density := s.span()/float64(lag), s.density()
	var pairs, possible, later, laterPossible, up, down, weighted float64
	multiples := min(s.reach()/lag, int(repetitions/2))
	for k := 1; k <= multiples; k++ {
		have, could := float64(s.lags[k*lag]), float64(s.n)*(1-float64(k)/repetitions)
		pairs += have
		possible += could
		if 2*k > multiples {
			later += have
			laterPossible += could
		}
		up += float64(s.lags[k*lag+1])
		down += float64(s.lags[k*lag-1])
		weighted += float64(k) * could
	}
	if possible == 0 {
		return c, false
	}
	chance := density * possible
	again := (pairs/possible - density) / (1 - density)
	noise := math.Sqrt(density/possible) / (1 - density)
	sure = pairs-chance > 5*math.Sqrt(chance)+4 && again > minAgain
	if faded := (later/laterPossible - density) / (1 - density); faded < again/2 {
		// It does not last: the rest of the repetitions are as if by chance.
		repetitions = min(repetitions, float64(multiples))
	}
	near := (pairs+up+down)/possible - 3*density // that come again there or next to it
	if drift := math.Abs(up-down) / weighted / max(near, minAgain); drift*s.span()/float64(lag) > 1 {
		// Ends that move always in the same direction go through all errors in turn,
		// and these cancel out over one turn.
		return Cycle{}, false
	}
	return Cycle{lag, again, 1 + repetitions*max(0, again-2*noise)}, sure
}

// minAgain is the least excess that counts: less is what a loop does that is not
// in step.
const minAgain = 0.1

// with returns what a cycle that was found in other methods of the thread does to
// these runs, or what they show by themselves, whichever is more.
func (s *steps) with(thread, own *Cycle) *Cycle {
	if s == nil || s.n < 2 || thread == nil {
		return own
	}
	c, _ := s.inStep(thread.Samples)
	if c.Alike < 2 || own != nil && own.Alike >= c.Alike {
		return own
	}
	return &c
}
