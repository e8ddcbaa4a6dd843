package measure

import (
	"math"
	"time"

	"artifice/art"
	"artifice/internal/recorder"
	"artifice/trace"
	"artifice/trace/stats"
)

// Cost is the cost of tracing: the app's additional time, and bytes on the disk.
//
// Source: own definitions, the usual ones.
//
// Example: an app that runs 10 s unobserved and 12 s under a sampler with 2000 pauses of 1 ms each:
// slowdown 1.2; its threads' CPU time did not change: CPU dilation 1.
type Cost struct {
	Length       time.Duration // length of the unobserved run
	Delay        time.Duration // by how much later the observed run ends
	Floating     bool          // the begin and end of the observed run are unknown
	TrueCPU      time.Duration // CPU time of all threads, unobserved; 0 if unknown
	CPU          time.Duration // CPU time of all threads, observed, or [Unknown]
	LongestPause time.Duration // longest time for which the tracer stopped the app, or [Unknown]
	Period       time.Duration // mean wall time from one sample to the next; 0 without samples
	Events       int64         // events recorded
	// number of events lost because the buffer was full, or [Unknown]
	Dropped int64
	Kept    int64 // number of samples recorded, if Dropped counts samples; else 0
	// changes of the threads' running and waiting times, as far as known
	Overhead recorder.Overhead
}

// Slowdown is the length of the observed run divided by that of the unobserved run; NaN if unknown.
func (c Cost) Slowdown() float64 {
	if c.Floating {
		return math.NaN()
	}
	return stats.Slowdown(c.Length, c.Delay)
}

// CPUDilation is the same ratio for CPU time; 1 if there is no CPU time.
func (c Cost) CPUDilation() float64 {
	if c.CPU == Unknown {
		return math.NaN()
	}
	return stats.Slowdown(c.TrueCPU, c.CPU-c.TrueCPU)
}

// EventsPerSecond is events recorded per second of the observed run.
func (c Cost) EventsPerSecond() float64 { return rate(c.Events, c.Length+c.Delay) }

// BytesPerSecond is bytes recorded per second of the observed run, in ART's
// classic file with both clocks.
func (c Cost) BytesPerSecond() float64 {
	return rate(art.RecordSize(trace.Dual)*c.Events, c.Length+c.Delay)
}

func rate(n int64, t time.Duration) float64 {
	if t <= 0 {
		return 0
	}
	return float64(n) / t.Seconds()
}

// Overflow is the share of events dropped because the buffer was full, 0 to 1; NaN if unknown. For
// tracers that lose samples, it is the share of samples.
func (c Cost) Overflow() float64 {
	switch {
	case c.Dropped == Unknown:
		return math.NaN()
	case c.Kept > 0:
		return ratio(c.Dropped, c.Kept+c.Dropped)
	}
	return ratio(c.Dropped, c.Events+c.Dropped)
}
