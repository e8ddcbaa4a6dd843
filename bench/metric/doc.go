// Package metric holds the measures by which an observed trace is compared with
// the truth, one a file, each with its formula, unit, source and a worked
// example.
//
// A measure is a function of columns: slices with one value per method, per
// edge or per calling context, in the same order on both sides, so that it need
// not know what it compares. Package bench fills the columns and chooses the
// measures; bench/theory says what an ideal sampler would get.
//
// Times of the two sides are compared as shares wherever a tracer may have
// stretched time: a trace of a slowed app is not wrong because it is longer.
package metric

import "time"

// Sum adds up a column of times.
func Sum(column []time.Duration) time.Duration {
	var total time.Duration
	for _, t := range column {
		total += t
	}
	return total
}

// share is part/whole, 0 when there is nothing to share.
func share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// per is a/b, 0 when b is 0.
func per(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
