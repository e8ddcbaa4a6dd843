package measure

import (
	"math"
	"time"

	"artifice/art"
	"artifice/internal/recorder"
	"artifice/trace"
	"artifice/trace/stats"
)

// Cost is what tracing cost: the app's time, and bytes on the disk.
//
// Source: own definitions, the usual ones.
//
// Example: an app that runs 10 s unobserved and 12 s under a sampler with 2000
// pauses of 1 ms each: slowdown 1.2; its threads' CPU time did not change: CPU
// dilation 1.
type Cost struct {
	Length       time.Duration     // of the unobserved run
	Delay        time.Duration     // how much later the observed run ends
	Floating     bool              // it is not known when the observed run began and ended
	TrueCPU      time.Duration     // CPU time of all threads, unobserved; 0 when unknown
	CPU          time.Duration     // the same, observed, or [Unknown]
	LongestPause time.Duration     // longest time for which the tracer stopped the app, or [Unknown]
	Period       time.Duration     // mean wall time from sample to sample; 0 where there is none
	Events       int64             // events recorded
	Dropped      int64             // events lost because the buffer was full, or [Unknown]
	Kept         int64             // samples recorded, where Dropped counts samples; else 0
	Overhead     recorder.Overhead // what became of the threads' running and waiting, as far as it is known
}

// Slowdown is observed over unobserved length of the run; NaN where that is not
// known.
func (c Cost) Slowdown() float64 {
	if c.Floating {
		return math.NaN()
	}
	return stats.Slowdown(c.Length, c.Delay)
}

// CPUDilation is the same for CPU time; 1 where there is none.
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

// Overflow is the share of events, or of samples where those are what is lost, that
// found no room in the buffer, 0 to 1; NaN where that is not known.
func (c Cost) Overflow() float64 {
	switch {
	case c.Dropped == Unknown:
		return math.NaN()
	case c.Kept > 0:
		return ratio(c.Dropped, c.Kept+c.Dropped)
	}
	return ratio(c.Dropped, c.Events+c.Dropped)
}
