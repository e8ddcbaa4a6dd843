package law

import "time"

// pause is what a stop-the-world sampler does to the app's clock: the app runs for
// Run between two samples, then stands still for Stop.
//
// Assumptions: all threads run managed code all the time (threads in native code
// or blocked are not stopped: see waits), and Stop is much shorter than what is measured.
//
// Source: a thread that runs for a time d meets d/Run pauses.
//
// Example: interval 1 ms, overshoot 0.25 ms, pause 1 ms: Run is 1.25 ms, slowdown
// 1 + 1/1.25 = 1.8, period 2.25 ms.
type pause struct {
	Run  time.Duration // between two samples, > 0
	Stop time.Duration // of one sample
}

// slowdown is the wall time of a run under sampling over that without:
// 1 + Stop/Run. As the interval goes to 0 it stays below 1 + Stop/overshoot.
func (p pause) slowdown() float64 { return 1 + ratio(p.Stop, p.Run) }

// period is the wall time from sample to sample.
func (p pause) period() time.Duration { return p.Run + p.Stop }

// ratio is a/b as a number.
func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
