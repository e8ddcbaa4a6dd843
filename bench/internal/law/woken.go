package law

import (
	"math"
	"time"
)

// woken is the law of calls seen by samples of threads that wait. A thread has no pause in a call
// before the first sample of the call, so the call is seen exactly if the next sample begins within
// its length d. That depends on the time a from the last wait to the call, and on the length of
// that wait ([runs]): the thread woke in a pause with probability q = P/(X + P) and had a whole gap
// before it then, otherwise it woke anywhere in a gap. So a call is seen with probability
//
//	q·G(a, d) + (1 − q)·min(1, d/X)
//
// where G is the probability that a renewal process has a point in [a, a + d). A first call after a
// wait with d < X has G = 0, and is seen with probability d/(X + P), and not d/X. After a wait w
// shorter than a pause it is min(1, d/X) + w/X·(G(a, d) − mean of G(a + x, d) over x < w).
//
// Assumptions: waits are not aliased with the samples, and waits for the ticks of a clock are about
// as long as in the truth.
//
// Source: as for [runs].
//
// Example: calls of 0.5 ms after long waits, P = 1 ms, X = 1.25 ms: 0.5/2.25 = 22 % are seen. Of
// calls that begin 1 ms later, and end when the whole gap is over, 4/9 + 5/9·0.4 = 67 %.
type woken struct{ calls bins }

// callBegin describes the beginning of a call.
type callBegin struct {
	wall   time.Duration
	after  time.Duration // time in managed code since the last wait
	waited time.Duration // length of that wait; 0: there was none
}

// add counts a call at its end.
func (w *woken) add(c callBegin, end time.Duration) { w.calls.add(c.after, end-c.wall, c.waited) }

// seen returns the number of calls seen by samples that take a time, in ns.
func (w *woken) seen(gaps *gapLaw, stop float64) (sum float64) {
	for _, bin := range w.calls.inOrder() {
		after, length, waited := bin.after/bin.n, bin.length/bin.n, bin.waited/bin.n
		p := gaps.seenAnywhere(length)
		if waited > 0 {
			p = gaps.afterWait(waited, stop, p, func(place float64) float64 { return gaps.seenAfter(after+place, length) })
		}
		sum += bin.n * p
	}
	return sum
}

// seenAnywhere returns the probability that a sample comes within a length that begins at a random
// position of a gap.
func (l *gapLaw) seenAnywhere(length float64) (p float64) {
	for _, a := range l.atoms {
		p += a.weight * min(float64(a.gap), length) / float64(l.mean)
	}
	return p
}

// seenAfter returns the probability that a sample comes within a length that begins a time after
// the end of a sample. No sample comes if, for some k, the k-th gap ends before that length and the
// next gap ends after it. Sums of gaps are assumed to be normal, as in renewals.
func (l *gapLaw) seenAfter(after, length float64) float64 {
	x, variance := float64(l.mean), l.variance
	if after > 40*x {
		return l.seenAnywhere(length)
	}
	if length > x+6*math.Sqrt(variance) {
		return 1
	}
	normal := normal()
	missed := 1 - normal.below(after+length, x, math.Sqrt(variance))
	longest := float64(l.atoms[len(l.atoms)-1].gap)
	for k := 1.; ; k++ {
		mean, deviation := k*x, math.Sqrt(k*variance)
		if mean-6*deviation >= after {
			break
		}
		// the next gap, whatever its length, ends before the call
		if after+length-longest-mean > certain*deviation {
			continue
		}
		ended := normal.below(after, mean, deviation)
		for _, a := range l.atoms {
			missed += a.weight * max(0, ended-normal.below(after+length-float64(a.gap), mean, deviation))
		}
	}
	return max(0, 1-missed)
}
