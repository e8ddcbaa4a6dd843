package score

import "time"

// sum adds up a column of times.
func sum(column []time.Duration) time.Duration {
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
