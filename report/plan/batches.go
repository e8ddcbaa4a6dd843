package plan

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// parts are the times of a method in equal parts of a trace. The parts double when the trace gets longer than
// they reach, so that there are 1024 to 2048 of them in a trace of one second or more.
type parts struct {
	width time.Duration
	times []time.Duration // by part; those after the last one that has some are left out
}

const (
	mostParts  = 2048
	firstWidth = 500 * time.Microsecond
)

// add adds a stretch of time in which the method is seen.
func (p *parts) add(from, to time.Duration) {
	if p.width == 0 {
		p.width = firstWidth
	}
	p.reach(to)
	for from < to {
		i := int(from / p.width)
		for len(p.times) <= i {
			p.times = append(p.times, 0)
		}
		until := min(to, time.Duration(i+1)*p.width)
		p.times[i] += until - from
		from = until
	}
}

// reach doubles the parts until they reach to a time.
func (p *parts) reach(to time.Duration) {
	for to > p.width*mostParts {
		p.width *= 2
		n := (len(p.times) + 1) / 2
		for i := range n {
			sum := p.times[2*i]
			if 2*i+1 < len(p.times) {
				sum += p.times[2*i+1]
			}
			p.times[i] = sum
		}
		p.times = p.times[:n]
	}
}

// A batch is the part of a trace whose mean is compared with others: the more fit beside each other, the better the variance that they give
// is known, as long as a burst is shorter than a batch. mostBatches are 50 ms in a trace of 4 s, three frames of a display;
// fewestBatches are right for most bursts, and tell whether shorter batches are.
const (
	mostBatches   = 80
	fewestBatches = 20
)

// freedomOf returns how many degrees of freedom the variance has that overlapping batches give.
func freedomOf(batches int) float64 { return 1.5 * float64(batches-1) }

// variance returns that of the method's time in runs as long as the trace, in ns²: by the shortest batches whose variance is
// within two standard errors of that of the longest.
func (p *parts) variance(length time.Duration) spread {
	longest := spread{p.batched(length, fewestBatches), freedomOf(fewestBatches)}
	for batches := mostBatches; batches > fewestBatches; batches /= 2 {
		some := spread{p.batched(length, batches), freedomOf(batches)}
		// The logarithm of a variance has the standard error √(2/freedom), and the longer batches have the data of the shorter ones.
		if off := math.Abs(math.Log(some.variance / longest.variance)); off <= 2*math.Sqrt(2/longest.freedom-2/some.freedom) {
			return some
		}
	}
	return longest
}

// batched returns that variance by overlapping batch means: of n parts of which m make a batch, the mean has the variance
// m/((n−m+1)(n−m)) Σ (mean of a batch − mean of all)².
func (p *parts) batched(length time.Duration, batches int) float64 {
	if p.width == 0 || length <= 0 {
		return 0
	}
	p.reach(length)
	n := int(length / p.width)
	m := n / batches
	if m == 0 {
		return 0
	}
	at := func(i int) float64 {
		if i < len(p.times) {
			return float64(p.times[i])
		}
		return 0
	}
	all, batch := 0.0, 0.0
	for i := range n {
		all += at(i)
		if i < m {
			batch += at(i)
		}
	}
	squares := 0.0
	for first := 0; ; first++ {
		off := batch/float64(m) - all/float64(n)
		squares += off * off
		if first+m == n {
			break
		}
		batch += at(first+m) - at(first)
	}
	mean := float64(m) / (float64(n-m+1) * float64(n-m)) * squares
	// A whole trace is length/width parts; its variance is in proportion to its length.
	return mean * float64(n) * float64(length) / float64(p.width)
}

// spread is a variance, in ns², with its degrees of freedom.
type spread struct{ variance, freedom float64 }

// scaled returns the spread with the variance multiplied.
func (s spread) scaled(by float64) spread { return spread{s.variance * by, s.freedom} }

// estimated is a variance with the limits within which it is with 90 %.
type estimated struct{ variance, low, high float64 }

func (e estimated) scaled(by float64) estimated {
	return estimated{e.variance * by, e.low * by, e.high * by}
}

func (s spread) estimated() estimated {
	limit := func(p float64) float64 {
		return s.variance * s.freedom / distuv.ChiSquared{K: s.freedom}.Quantile(p)
	}
	return estimated{s.variance, limit(0.95), limit(0.05)}
}

// fewTraces is up to how many degrees of freedom the variance between traces is so much less sure than that within them
// that the latter is taken where both are alike.
const fewTraces = 20

// like reports whether the variance between traces may be that within them: the ratio of two estimates of one variance has
// the F distribution, and is between its quantiles of 5 % and of 90 % (Snedecor). A level that makes traces differ by more
// has to be seen more than one that makes them differ by less, which there is not.
func (s spread) like(within spread) bool {
	f := distuv.F{D1: s.freedom, D2: within.freedom}
	ratio := s.variance / within.variance
	return ratio >= f.Quantile(0.05) && ratio <= f.Quantile(0.9)
}
