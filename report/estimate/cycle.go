package estimate

import "math"

// Cycle describes runs that are aliased with the sampling interval.
type Cycle struct {
	Samples int     // length of the repeating pattern in samples
	Again   float64 // share of runs that recur at the same position of later repetitions, beyond chance
	Alike   float64 // number of repetitions with the same error; the variance is multiplied by it
}

// maxLag is the maximum distance in samples between two beginnings of runs that are compared. kept
// is the number of latest beginnings with which a new one is compared.
const (
	maxLag = 512
	kept   = 64
)

// minSteps is the minimum number of beginnings for distinguishing a cycle from chance.
const minSteps = 12

// steps counts the distances between the beginnings of runs: from each one to the earlier ones.
type steps struct {
	n           int64
	first, last int64   // sample numbers of the first and the last one
	recent      []int64 // the last ones, in order
	lags        *lags   // nil while all of them are in recent
	begins      begins  // the beginnings with their times
}

// lags counts pairs of beginnings by their distance in samples.
type lags [maxLag + 2]uint32

// recentRoom is the capacity of recent. When it is full, beginnings that are no longer compared are
// dropped.
const recentRoom = kept + 16

// add adds the beginning of a run. It counts no distances for the first ones: most methods have no
// more, and the counts take 2 KB.
func (s *steps) add(at begin) {
	sample := at.sample
	s.begins.add(s.n, at)
	if s.n == 0 {
		s.first = sample
	}
	if len(s.recent) == recentRoom {
		if s.lags == nil {
			s.lags = new(lags)
			s.lags.countAll(s.recent)
		}
		s.recent = s.recent[:copy(s.recent, s.recent[recentRoom-kept:])]
	}
	if s.lags != nil {
		s.lags.count(s.recent, sample)
	}
	s.recent = append(s.recent, sample)
	s.n++
	s.last = sample
}

// count counts the distances from a beginning to the earlier ones.
func (l *lags) count(before []int64, sample int64) {
	before = before[max(0, len(before)-kept):]
	for i := len(before) - 1; i >= 0; i-- {
		lag := uint64(sample - before[i])
		if lag >= uint64(len(l)) {
			break
		}
		l[lag]++
	}
}

// countAll counts the distances between all beginnings.
func (l *lags) countAll(begins []int64) {
	for i, sample := range begins {
		l.count(begins[:i], sample)
	}
}

// counted returns s with all distances counted. If s had not counted them, the result uses scratch
// and is valid until scratch is reused. For nil it returns nil.
func (s *steps) counted(scratch *lags) *steps {
	if s == nil || s.lags != nil {
		return s
	}
	*scratch = lags{}
	scratch.countAll(s.recent)
	all := *s
	all.lags = scratch
	return &all
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

// cycle returns the cycle with which the runs are aliased, judged by themselves; nil if there is
// none.
func (s *steps) cycle(r *rhythm, period float64) *Cycle {
	if s == nil || s.n < minSteps {
		return nil
	}
	var best Cycle
	for lag := 2; lag <= s.reach()/2 && float64(lag) < s.span()/4; lag++ {
		if !s.moreThanChance(lag) {
			continue
		}
		c := s.inStep(lag)
		if best.Samples == 0 || c.Alike > 1.2*best.Alike || c.Alike > 0.8*best.Alike && c.Again > 1.5*best.Again {
			best = c
		}
	}
	return s.held(best, r, period)
}

// inStepFrom is the minimum variance factor for which runs count as aliased.
const inStepFrom = 2

// held returns a cycle with its factor limited to that of the thread's rhythm; nil if the factor is
// below inStepFrom. Without a rhythm it keeps the factor.
func (s *steps) held(c Cycle, r *rhythm, period float64) *Cycle {
	if c.Alike < inStepFrom {
		return nil
	}
	if r == nil {
		return &c
	}
	if c.Alike = min(c.Alike, r.alike(s.span(), period)); c.Alike < inStepFrom {
		return nil
	}
	return &c
}

// nearest returns the most frequent distance in samples between beginnings, the shortest one in a
// near tie: the app's own period. A cycle can be a multiple of it. The period need not be a whole
// number of samples; two distances then share the counts. It returns 0 if there is none.
func (s *steps) nearest() float64 {
	both := func(lag int) float64 { return float64(s.lags[lag] + s.lags[lag+1]) }
	most, reach := 0., s.reach()
	for i := 1; i < reach; i++ {
		most = max(most, both(i))
	}
	for i := 1; i < reach && most > 0; i++ {
		if both(i) < 0.6*most {
			continue
		}
		for i+1 < reach && both(i+1) > both(i) {
			i++
		}
		return float64(i) + float64(s.lags[i+1])/both(i)
	}
	return 0
}

// multiples returns the number of repetitions of a cycle of lag samples, and how many of them the
// counted distances cover, up to half of all.
func (s *steps) multiples(lag int) (repetitions float64, reached int) {
	repetitions = s.span() / float64(lag)
	return repetitions, min(s.reach()/lag, int(repetitions/2))
}

// pairs returns the number of pairs of beginnings that are k repetitions apart, summed over all k
// that the counted distances cover, and the maximum of that number.
func (s *steps) pairs(lag int) (have, possible float64) {
	repetitions, reached := s.multiples(lag)
	sum := uint64(0)
	for i := lag; i <= reached*lag; i += lag {
		sum += uint64(s.lags[i])
	}
	r := float64(reached)
	return float64(sum), float64(s.n) * (r - r*(r+1)/2/repetitions)
}

// moreThanChance reports whether runs recur after a cycle of lag samples more often than by chance.
func (s *steps) moreThanChance(lag int) bool {
	have, possible := s.pairs(lag)
	chance := s.density() * possible
	return have-chance > 5*math.Sqrt(chance)+4 && s.excess(have, possible) > minAgain
}

// excess returns the share of possible pairs that exist beyond chance.
func (s *steps) excess(have, possible float64) float64 {
	return beyondChance(have, possible, s.density())
}

// beyondChance returns the share of possible pairs of runs that exist beyond chance, if runs have
// this density.
func beyondChance(have, possible, density float64) float64 {
	return (have/possible - density) / (1 - density)
}

// chanceError returns the standard error of that share if only chance pairs runs.
func chanceError(possible, density float64) float64 {
	return math.Sqrt(density/possible) / (1 - density)
}

// inStep returns the factor by which aliasing with a cycle of lag samples multiplies the variance.
//
// The variance of a sum of repetitions is the variance of one, times their number, times one plus
// twice the sum of their correlations. A run at one position of the cycle recurs k repetitions
// later with an excess over chance. If app and sampler are aliased, the excess does not decay with
// k, and the factor is the number of repetitions times the excess.
func (s *steps) inStep(lag int) Cycle {
	density := s.density()
	have, possible := s.pairs(lag)
	if possible == 0 {
		return Cycle{}
	}
	repetitions, reached := s.multiples(lag)
	all := repetitions
	var later, laterPossible, up, down, weighted float64
	for k := 1; k <= reached; k++ {
		could := float64(s.n) * (1 - float64(k)/repetitions)
		if 2*k > reached {
			later += float64(s.lags[k*lag])
			laterPossible += could
		}
		up += float64(s.lags[k*lag+1])
		down += float64(s.lags[k*lag-1])
		weighted += float64(k) * could
	}
	again := s.excess(have, possible)
	noise := chanceError(possible, density)
	if s.excess(later, laterPossible) < again/2 {
		// The excess decays: the other repetitions are independent.
		repetitions = min(repetitions, float64(reached))
	}
	near := (have+up+down)/possible - 3*density // that recur at that distance or at an adjacent one
	if drift := math.Abs(up-down) / weighted / max(near, minAgain); drift*all > 1 {
		// If ends always move in the same direction, they go through all errors in turn, which
		// cancel over one turn.
		return Cycle{}
	}
	return Cycle{lag, again, 1 + repetitions*max(0, again-2*noise)}
}

// minAgain is the minimum excess. Loops that are not aliased have less.
const minAgain = 0.1

// with returns the cycle of these runs: their own cycle, or one found in other methods of the
// thread, whichever has the larger effect.
func (s *steps) with(thread, own *Cycle, r *rhythm, period float64) *Cycle {
	if s == nil || s.n < 2 || thread == nil {
		return own
	}
	c := s.inStep(thread.Samples)
	also := s.held(c, r, period)
	if also == nil || own != nil && own.Alike >= also.Alike {
		return own
	}
	return also
}
