package estimate

import "math"

// Cycle describes runs that are in step with the sampler.
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
	first, last int64   // samples of the first and the last one
	recent      []int64 // the last ones, in order
	lags        *lags   // nil while all of them are in recent
	begins      begins  // with their times
}

// lags are pairs of beginnings by their distance in samples.
type lags [maxLag + 2]uint32

// recentRoom is how many beginnings have room in recent: once it is full, those that
// nothing is compared with any more give way.
const recentRoom = kept + 16

// add adds the beginning of a run. The first are only remembered: most methods have
// no more, and the distances take 2 KB.
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

// count counts the distances of a beginning to those before it.
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

// countAll counts the distances of beginnings to those before each.
func (l *lags) countAll(begins []int64) {
	for i, sample := range begins {
		l.count(begins[:i], sample)
	}
}

// counted returns s with all distances, in the memory of scratch where it has not
// counted them: valid until that is used again. That of nil is nil.
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

// cycle returns the cycle with which the runs are in step by themselves, or nil.
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

// inStepFrom is the factor from which runs count as in step.
const inStepFrom = 2

// held returns a cycle with the factor that the rhythm of its thread allows, or nil where that is none.
// Without a rhythm it is as it was.
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

// nearest returns the distance in samples at which most runs begin again, the shortest of those
// that are about as good: the app's own period, of which a cycle can be a multiple. It need not be a whole
// number of samples, and two distances share it then. 0 where there is none.
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

// multiples returns how many repetitions of a cycle of so many samples there are, and
// how many of them the counted distances reach, up to half of all.
func (s *steps) multiples(lag int) (repetitions float64, reached int) {
	repetitions = s.span() / float64(lag)
	return repetitions, min(s.reach()/lag, int(repetitions/2))
}

// pairs returns how many beginnings stand k repetitions after another one, for all k
// that the counted distances reach, and how many could.
func (s *steps) pairs(lag int) (have, possible float64) {
	repetitions, reached := s.multiples(lag)
	sum := uint64(0)
	for i := lag; i <= reached*lag; i += lag {
		sum += uint64(s.lags[i])
	}
	r := float64(reached)
	return float64(sum), float64(s.n) * (r - r*(r+1)/2/repetitions)
}

// moreThanChance reports whether runs come again after a cycle of so many samples
// more often than chance lets them.
func (s *steps) moreThanChance(lag int) bool {
	have, possible := s.pairs(lag)
	chance := s.density() * possible
	return have-chance > 5*math.Sqrt(chance)+4 && s.excess(have, possible) > minAgain
}

// excess is the share of the possible pairs that are there beyond chance.
func (s *steps) excess(have, possible float64) float64 {
	density := s.density()
	return (have/possible - density) / (1 - density)
}

// inStep returns how the runs are in step with a cycle of so many samples.
//
// The error of a sum of repetitions has the variance of one of them, times the
// number, times one plus twice the sum of their correlations. What begins at one
// place of the cycle is there again k repetitions later with an excess over chance
// that does not fade with k when app and sampler keep step: then the factor is
// the number of repetitions times that excess.
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
	noise := math.Sqrt(density/possible) / (1 - density)
	if s.excess(later, laterPossible) < again/2 {
		// It does not last: the rest of the repetitions are as if by chance.
		repetitions = min(repetitions, float64(reached))
	}
	near := (have+up+down)/possible - 3*density // that come again there or next to it
	if drift := math.Abs(up-down) / weighted / max(near, minAgain); drift*all > 1 {
		// Ends that move always in the same direction go through all errors in turn,
		// and these cancel out over one turn.
		return Cycle{}
	}
	return Cycle{lag, again, 1 + repetitions*max(0, again-2*noise)}
}

// minAgain is the least excess that counts: less is what a loop does that is not
// in step.
const minAgain = 0.1

// with returns what a cycle that was found in other methods of the thread does to
// these runs, or what they show by themselves, whichever is more.
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
