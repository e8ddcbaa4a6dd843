package plan

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// parts contains the times of a method in equal parts of a trace. The width of the parts doubles as
// the trace grows, so that a trace of at least one second has 1024 to 2048 parts.
type parts struct {
	width time.Duration
	times []time.Duration // by part, without trailing zeros
}

const (
	maxParts   = 2048
	firstWidth = 500 * time.Microsecond
)

// add adds a stretch of time in which the method is on top of the stack.
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

// reach doubles the width of the parts until they include a time.
func (p *parts) reach(to time.Duration) {
	for to > p.width*maxParts {
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

// The trace is cut into batches, and the variance of their means is computed. Shorter batches give
// a more precise variance, as long as a burst is shorter than a batch. With maxBatches, a batch of
// a trace of 4 s has 50 ms, three frames of a display. minBatches are long enough for most
// bursts, and show whether shorter batches are, too.
const (
	maxBatches = 80
	minBatches = 20
)

// freedomOf returns the degrees of freedom of a variance from overlapping batches.
func freedomOf(batches int) float64 { return 1.5 * float64(batches-1) }

// variance returns the variance of the method's time in runs of this length, in ns². It uses the
// shortest batches with a variance within two standard errors of that of the longest.
func (p *parts) variance(length time.Duration) spread {
	longest := spread{p.batched(length, minBatches), freedomOf(minBatches)}
	for batches := maxBatches; batches > minBatches; batches /= 2 {
		some := spread{p.batched(length, batches), freedomOf(batches)}
		// The logarithm of a variance has the standard error √(2/freedom), and longer batches
		// contain the data of shorter ones.
		if off := math.Abs(math.Log(some.variance / longest.variance)); off <= 2*math.Sqrt(2/longest.freedom-2/some.freedom) {
			return some
		}
	}
	return longest
}

// batched returns the variance by overlapping batch means: with n parts and m parts a batch, the
// mean has the variance m/((n−m+1)(n−m)) Σ (mean of a batch − mean of all)².
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
	// A trace has length/width parts, and its variance is proportional to its length.
	return mean * float64(n) * float64(length) / float64(p.width)
}

// spread is a variance, in ns², with its degrees of freedom.
type spread struct{ variance, freedom float64 }

// scaled returns the spread with the variance multiplied by a factor.
func (s spread) scaled(by float64) spread { return spread{s.variance * by, s.freedom} }

// estimated is a variance with its 90 % confidence limits.
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

// fewTraces is the number of degrees of freedom below which the variance between traces is much
// less precise than that within traces, which is used instead if both agree.
const fewTraces = 20

// like reports whether the variance between traces agrees with that within traces: the ratio of two
// estimates of one variance has the F distribution, and has to lie between its 5 % and 90 %
// quantiles (Snedecor). The upper limit is stricter, because a level can only increase the variance
// between traces.
func (s spread) like(within spread) bool {
	f := distuv.F{D1: s.freedom, D2: within.freedom}
	ratio := s.variance / within.variance
	return ratio >= f.Quantile(0.05) && ratio <= f.Quantile(0.9)
}
