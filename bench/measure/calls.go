package measure

import "math"

// Unknown stands for a count that the reader of a trace cannot tell.
const Unknown = -1

// Calls compares calls by number. A sampler that compares stacks merges calls
// and misses calls; it never invents one.
//
// Source: own definitions. A true call is seen when at least one sample fell
// into it; a reported call is one enter event.
//
// Example: 10 true calls, 6 seen, 3 reported: recall 0.6, reported/true 0.3, and
// a reported call stands for 2 true ones.
type Calls struct {
	True     int64 // calls that really happened
	Seen     int64 // of these, calls that a sample fell into, or [Unknown]
	Reported int64 // calls in the observed trace
}

// Recall is the share of true calls that were seen, 0 to 1; NaN where that is not
// known.
func (c Calls) Recall() float64 {
	if c.Seen == Unknown {
		return math.NaN()
	}
	return ratio(c.Seen, c.True)
}

// ReportedPerTrue is the number of reported calls per true call.
func (c Calls) ReportedPerTrue() float64 { return ratio(c.Reported, c.True) }

// MergeFactor is how many true calls a reported call stands for: 1 when none
// were merged; NaN where the calls seen are not known.
func (c Calls) MergeFactor() float64 {
	if c.Seen == Unknown {
		return math.NaN()
	}
	return ratio(c.Seen, c.Reported)
}

// Recall is the share of the entries (methods, contexts) with calls in truth
// that have at least one in seen, 0 to 1.
//
// Example: truth 5, 1, 0, 2 calls, seen 1, 0, 0, 2: 2/3.
func Recall(truth, seen []int64) float64 {
	var all, found int64
	for i := range truth {
		if truth[i] == 0 {
			continue
		}
		all++
		if seen[i] > 0 {
			found++
		}
	}
	return ratio(found, all)
}
