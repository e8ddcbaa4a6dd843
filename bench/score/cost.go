package score

import (
	"math"
	"time"

	"artifice/art"
	"artifice/trace"
)

// Cost is what tracing took from the app and from the disk.
//
// Source: own definitions, the usual ones.
//
// Example: an app that runs 10 s unobserved and 12 s under a sampler with 2000
// pauses of 1 ms each: wall dilation 1.2; its threads' CPU time did not change:
// CPU dilation 1.
type Cost struct {
	AppTime      time.Duration // length of the unobserved run
	WallTime     time.Duration // length of the observed run
	TrueCPU      time.Duration // CPU time of all threads, unobserved; 0 when unknown
	CPU          time.Duration // the same, observed
	LongestPause time.Duration // longest time for which the tracer stopped the app, or [Unknown]
	Period       time.Duration // mean wall time from sample to sample; 0 where there is none
	Events       int64         // events recorded
	Dropped      int64         // events lost because the buffer was full, or [Unknown]
}

// WallDilation is observed over unobserved length, 1 when the tracer is free:
// the slowdown.
func (c Cost) WallDilation() float64 { return dilation(c.WallTime, c.AppTime) }

// CPUDilation is the same for CPU time, 1 when CPU time is unknown.
func (c Cost) CPUDilation() float64 { return dilation(c.CPU, c.TrueCPU) }

func dilation(observed, unobserved time.Duration) float64 {
	if unobserved <= 0 {
		return 1
	}
	return float64(observed) / float64(unobserved)
}

// EventsPerSecond is events recorded per second of the observed run.
func (c Cost) EventsPerSecond() float64 { return rate(c.Events, c.WallTime) }

// BytesPerSecond is bytes recorded per second of the observed run, in ART's
// classic file with both clocks.
func (c Cost) BytesPerSecond() float64 { return rate(art.RecordSize(trace.Dual)*c.Events, c.WallTime) }

func rate(n int64, t time.Duration) float64 {
	if t <= 0 {
		return 0
	}
	return float64(n) / t.Seconds()
}

// Overflow is the share of events that found no room in the buffer, 0 to 1; NaN
// where that is not known.
func (c Cost) Overflow() float64 {
	if c.Dropped == Unknown {
		return math.NaN()
	}
	return per(c.Dropped, c.Events+c.Dropped)
}
