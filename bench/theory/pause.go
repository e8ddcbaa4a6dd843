package theory

import "time"

// Pause is what a stop-the-world sampler does to the app's clock: it runs for
// Run between two samples, then stands still for Stop.
//
// Assumptions: the thread runs managed code all the time (threads in native
// code or blocked are not stopped), and Stop is much shorter than what is
// measured.
//
// Source: a thread of d running time meets d/X pauses.
//
// Example: T = 1 ms, overshoot 0.25 ms, pause 1 ms: X = 1.25 ms, slowdown
// 1 + 1/1.25 = 1.8, period 2.25 ms.
type Pause struct {
	Run  time.Duration // X, time between two samples, > 0
	Stop time.Duration // P, pause of one sample
}

// Slowdown is the wall time of a run under sampling over that without: 1 + P/X,
// not 1 + P/T. As T goes to 0 it stays below 1 + P/overshoot.
func (p Pause) Slowdown() float64 { return 1 + ratio(p.Stop, p.Run) }

// Period is the wall time from sample to sample.
func (p Pause) Period() time.Duration { return p.Run + p.Stop }

// Phase is a part of a run whose samples all cost the same pause, because its
// stacks are equally deep or its threads equally many.
type Phase struct {
	Time  time.Duration // true running time
	Pause Pause
}

// WallShares are the shares of the phases in the wall time of the sampled run:
// proportional to D(1 + P/X). A phase with costly samples is overstated, and no
// number of samples mends that. CPU time is not: its shares stay D.
//
// Example: equal times, X = 1.15 ms, pauses 50 and 250 µs: the second phase gets
// 1.2174/(1.0435 + 1.2174) = 53.85 %.
func WallShares(phases []Phase) []float64 {
	shares := make([]float64, len(phases))
	var sum float64
	for i, p := range phases {
		shares[i] = float64(p.Time) * p.Pause.Slowdown()
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}
