package calibrate

import (
	"math"
	"math/rand/v2"
	"time"
)

// minDistances is how many stamps behind others an estimate of the walk needs.
const minDistances = 10

// costs estimates the cost of a thread and of a frame: the two numbers, not
// below 0, for which threads*a + frames*b misses the stamps by the least sum of
// absolute differences. That is the median, which a few threads that were
// slow to be walked do not move. The intervals are the middle 95 % of 200
// bootstrap samples.
func (w *walk) costs() (perThread, perFrame Estimate) {
	if len(w.distances) < minDistances {
		return Estimate{}, Estimate{}
	}
	a, b := fit(w.distances)
	const repeats = 200
	rng := rand.New(rand.NewPCG(1, 2))
	var as, bs []time.Duration
	resample := make([]distance, min(len(w.distances), 2000))
	for range repeats {
		for i := range resample {
			resample[i] = w.distances[rng.IntN(len(w.distances))]
		}
		a, b := fit(resample)
		as, bs = append(as, a), append(bs, b)
	}
	as, bs = sorted(as), sorted(bs)
	around := func(v time.Duration, all []time.Duration) Estimate {
		return Estimate{v, min(v, all[repeats*25/1000]), max(v, all[repeats*975/1000]), len(w.distances)}
	}
	return around(a, as), around(b, bs)
}

// fit minimises the sum of |threads*a + frames*b - stamp| for a, b >= 0 by
// weighted least squares, each weight the inverse of the last difference.
func fit(all []distance) (perThread, perFrame time.Duration) {
	weights := make([]float64, len(all))
	for i := range weights {
		weights[i] = 1
	}
	var a, b float64
	const rounds, smallest = 30, 1000 // ns: stamps are in us
	for range rounds {
		a, b = weightedFit(all, weights)
		for i, d := range all {
			weights[i] = 1 / max(smallest, math.Abs(d.threads*a+d.frames*b-float64(d.stamp)))
		}
	}
	return time.Duration(a), time.Duration(b)
}

// weightedFit solves the normal equations of two unknowns; when one would be
// negative it is 0 and the other is fitted alone.
func weightedFit(all []distance, weights []float64) (a, b float64) {
	var tt, tf, ff, ts, fs float64
	for i, d := range all {
		w, s := weights[i], float64(d.stamp)
		tt += w * d.threads * d.threads
		tf += w * d.threads * d.frames
		ff += w * d.frames * d.frames
		ts += w * d.threads * s
		fs += w * d.frames * s
	}
	alone := func(xs, xx float64) float64 {
		if xx == 0 {
			return 0
		}
		return max(0, xs/xx)
	}
	det := tt*ff - tf*tf
	if det <= 1e-9*tt*ff {
		return alone(ts, tt), 0
	}
	a, b = (ts*ff-fs*tf)/det, (fs*tt-ts*tf)/det
	switch {
	case b < 0:
		return alone(ts, tt), 0
	case a < 0:
		return 0, alone(fs, ff)
	}
	return a, b
}
