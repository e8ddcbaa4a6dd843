package measure

import (
	"math"
	"math/bits"
	"time"
)

// Unknown is a count that a trace does not contain.
const Unknown = -1

// Calls compares numbers of calls. A sampler that compares stacks merges and misses calls; it never
// invents one.
//
// Source: own definitions. A true call is seen if at least one sample fell into it; a reported call
// is one enter event.
//
// Example: 10 true calls, 6 seen, 3 reported: recall 0.6, reported/true 0.3, and a reported call
// represents 2 true ones.
type Calls struct {
	True     int64 // calls that really happened
	Seen     int64 // number of these into which a sample fell, or [Unknown]
	Reported int64 // calls in the observed trace
}

// Recall is the share of true calls that were seen, 0 to 1; NaN if unknown.
func (c Calls) Recall() float64 {
	if c.Seen == Unknown {
		return math.NaN()
	}
	return ratio(c.Seen, c.True)
}

// ReportedPerTrue is the number of reported calls per true call.
func (c Calls) ReportedPerTrue() float64 { return ratio(c.Reported, c.True) }

// MergeFactor is the number of true calls per reported call: 1 without merging; NaN if the calls
// seen are unknown.
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

// Durations is a histogram of call durations with 16 steps per doubling, so
// that it needs the same memory for any number of calls. The zero value is
// empty.
type Durations struct {
	counts []uint32
	total  int64
}

// stepBits is the binary logarithm of the steps per doubling.
const stepBits = 4

// Add counts one call. A negative duration counts as 0.
func (d *Durations) Add(t time.Duration) { d.AddCalls(t, 1) }

// AddCalls counts calls of one duration.
func (d *Durations) AddCalls(t time.Duration, calls int) {
	i := step(t)
	if i >= len(d.counts) {
		d.counts = append(d.counts, make([]uint32, i+1-len(d.counts))...)
	}
	d.counts[i] += uint32(calls)
	d.total += int64(calls)
}

// Total returns the number of calls.
func (d *Durations) Total() int64 { return d.total }

// step returns the histogram step of a duration: exact below 32 ns, then
// within 1/16.
func step(t time.Duration) int {
	if t < 1<<stepBits {
		return int(max(t, 0))
	}
	exponent := bits.Len64(uint64(t)) - 1 - stepBits
	return exponent<<stepBits + int(t>>exponent)
}

// KS is the Kolmogorov-Smirnov distance of two distributions of call durations: the largest
// difference of their distribution functions, from 0 to 1, at the ends of the histogram's steps. It
// is below the exact distance by at most the share of calls within one step. An empty distribution
// is at distance 1 from any other, and 0 from an empty one.
//
// Sampled calls are never shorter than a period, so the distance is mainly the share of true calls
// that are shorter. Its maximum is 1.
//
// Source: two-sample Kolmogorov-Smirnov statistic.
//
// Example: true calls of 1, 1, 1 and 8 ms, reported 4 and 8 ms: at 1 ms 3/4 of the true ones are
// done and no reported one: 0.75.
func KS(truth, seen *Durations) float64 {
	if truth.total == 0 || seen.total == 0 {
		if truth.total == seen.total {
			return 0
		}
		return 1
	}
	var t, s int64
	var most float64
	for i := range max(len(truth.counts), len(seen.counts)) {
		t += truth.at(i)
		s += seen.at(i)
		d := ratio(t, truth.total) - ratio(s, seen.total)
		most = max(most, d, -d)
	}
	return most
}

func (d *Durations) at(i int) int64 {
	if i >= len(d.counts) {
		return 0
	}
	return int64(d.counts[i])
}
