package measure

import "time"

// Sum adds up a column of times.
func Sum(column []time.Duration) time.Duration {
	var total time.Duration
	for _, t := range column {
		total += t
	}
	return total
}

// Share is part/whole, 0 when there is nothing to share.
func Share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// ratio is a/b, 0 when b is 0.
func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
