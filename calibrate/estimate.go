package calibrate

import (
	"math"
	"slices"
	"time"
)

// Estimate is a figure with an interval around it: 95 % where it is a quantile
// or a fit, else the bounds that its comment names.
type Estimate struct {
	Value, Low, High time.Duration
	N                int // observations behind it; 0 when there is no estimate
}

// quantile returns the q-quantile of sorted, the value that a share q of them
// does not exceed, with the 95 % interval that order statistics give: the
// ranks n*q -+ 1.96*sqrt(n*q*(1-q)).
func quantile(sorted []time.Duration, q float64) Estimate {
	n := len(sorted)
	if n == 0 {
		return Estimate{}
	}
	at := func(rank float64) time.Duration {
		return sorted[min(n-1, max(0, int(math.Ceil(rank))-1))]
	}
	center := float64(n) * q
	reach := 1.96 * math.Sqrt(center*(1-q))
	return Estimate{Value: at(center), Low: at(center - reach), High: at(center + reach), N: n}
}

func sorted(values []time.Duration) []time.Duration {
	values = slices.Clone(values)
	slices.Sort(values)
	return values
}
