package score

import "time"

// Reading is what a reader makes of a sampled trace. The zero value knows every
// sample, also those that found an unchanged stack and so left no event.
type Reading uint8

const (
	// AllSamples gives each sample the time until the next one.
	AllSamples Reading = iota

	// ExactStamps takes the events' stamps. A thread's time ends at its last
	// event: dmtracedump, Traceview.
	ExactStamps

	// Resampled takes samples of the exact timeline at multiples of the guessed
	// interval, here of the period, and gives each one interval: the Firefox
	// Profiler. Stacks shorter than that may vanish.
	Resampled

	// RoundedUp gives each time in one stack ceil(d/10 ms) ticks of 10 ms: readers
	// that count in jiffies.
	RoundedUp

	// CountTimesInterval gives each sample the nominal interval, whatever its stamp.
	CountTimesInterval
)

// HasSamples reports whether the reader is told of samples; others read events.
func (r Reading) HasSamples() bool { return r == AllSamples || r == CountTimesInterval }

// HasCPU reports whether the reader takes CPU stamps; others compute times that
// have none.
func (r Reading) HasCPU() bool { return r == AllSamples || r == ExactStamps }

// jiffy is what RoundedUp counts in.
const jiffy = 10 * time.Millisecond

// span returns how long a stack lasted, for this reader, that was the same from
// one stamp to another. interval is the one that the reader guesses.
func (r Reading) span(from, to, interval time.Duration) time.Duration {
	switch {
	case r == Resampled && interval > 0:
		return (to/interval - from/interval) * interval
	case r == RoundedUp && to > from:
		return (to - from + jiffy - 1) / jiffy * jiffy
	}
	return to - from
}
