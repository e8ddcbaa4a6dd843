package estimate

import "math"

// thinnings are the factors by which a trace is thinned: of every so many samples
// one is kept.
var thinnings = [...]int64{2, 3, 4, 6, 8}

// thinned counts the calls of one context that would be reported if fewer samples
// had been taken: a call is one run of samples that show the context on the
// stack, so that all offsets of a thinning by k together report as many calls as
// there are samples that show it while the k-th before does not.
type thinned struct {
	calls   uint32
	starts  [len(thinnings)]uint32 // over all offsets
	history uint8                  // bit j: the sample j+1 before the last end shows the context
}

// run adds a run of so many samples, so many samples behind the last one.
func (t *thinned) run(gap, samples int64) {
	t.calls++
	if gap >= 8 {
		t.history = 0
	} else {
		t.history <<= gap
	}
	for i, k := range thinnings {
		for back := k - 1; back >= 0 && back >= k-samples; back-- {
			if t.history>>back&1 == 0 {
				t.starts[i]++
			}
		}
	}
	if samples >= 8 {
		t.history = 0xff
	} else {
		t.history = t.history<<samples | (1<<samples - 1)
	}
}

// add adds what another context has.
func (t *thinned) add(o *thinned) {
	t.calls += o.calls
	for i := range t.starts {
		t.starts[i] += o.starts[i]
	}
}

// estimate returns the true number of calls where the thinnings agree with the
// form of calls and gaps of exponential length, by which the share (1−e^−x)/x of
// the calls is reported, x being proportional to the interval. Where they do not,
// or too few calls are reported, it is not known.
func (t *thinned) estimate() Calls {
	c := Calls{Reported: int64(t.calls), Low: float64(t.calls), High: math.Inf(1)}
	n := float64(t.calls)
	if t.calls < minCalls {
		return c
	}
	// Each thinning k tells x, the smallest steps the most surely.
	var ratios [len(thinnings)]float64
	for i, k := range thinnings {
		ratios[i] = float64(t.starts[i]) / float64(k) / n
	}
	x := solveRatio(2, ratios[0])
	if math.IsNaN(x) || x > maxCallsX {
		return c
	}
	for i, k := range thinnings[1:] {
		expected := reportedShare(float64(k)*x) / reportedShare(x)
		// The thinned count has about n r/k independent events, and there are k of it.
		if math.Abs(ratios[i+1]-expected) > 2*math.Sqrt(expected/n)+0.03 {
			return c
		}
	}
	se := math.Sqrt(ratios[0] / n)
	low, high := solveRatio(2, min(1, ratios[0]+z95*se)), solveRatio(2, ratios[0]-z95*se)
	if math.IsNaN(high) || high > maxCallsX {
		return c
	}
	c.Known = true
	c.Value = n / reportedShare(x)
	c.Low = max(n, (n-z95*math.Sqrt(n))/reportedShare(low))
	c.High = (n + z95*math.Sqrt(n)) / reportedShare(high)
	return c
}

// minCalls is how many reported calls an estimate needs, and maxCallsX how long
// the interval may be beside the calls: beyond it, the curve says nothing.
const (
	minCalls  = 20
	maxCallsX = 3
)

// reportedShare is (1−e^−x)/x, the share of calls that is reported at an interval
// of x correlation times.
func reportedShare(x float64) float64 {
	if x < 1e-9 {
		return 1
	}
	return -math.Expm1(-x) / x
}

// solveRatio returns the x for which k times the interval reports the share ratio
// of the calls that the interval reports; NaN where none does.
func solveRatio(k, ratio float64) float64 {
	low, high := 0.0, 50.0
	at := func(x float64) float64 { return reportedShare(k*x) / reportedShare(x) }
	switch {
	case ratio >= 1:
		return 0
	case ratio <= at(high):
		return math.NaN()
	}
	for range 60 {
		if middle := (low + high) / 2; at(middle) > ratio {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
