package theory

import (
	"fmt"
	"time"

	"artifice/bench/paths"
)

// CallCount computes the call-count law of a truth, from its [Stays].
//
// A path is one reported call for as long as consecutive samples see it. So for
// any workload and an ideal systematic sampler with a uniform phase
//
//	E[reported calls of p] = (L_p − Λ_p(T)) / T
//
// with L_p the time p is on the stack and Λ_p(T) the time it is on the stack at
// t and at t − T, p counting as off before the thread's first event. A sample at
// an event's instant sees the state after it. In a truth whose stamps are whole
// microseconds the reported calls, summed over the T phases j + ½ µs, are
// L_p − Λ_p(T) exactly, as integers. CallCount has the sums over all paths;
// [EachPath] keeps paths apart.
//
// Source: a reported call begins at each sample that sees p while the one
// before did not; every instant is a sample of exactly one phase.
//
// Example: p on the stack in [0, 3) and [4, 6) µs, T = 2 µs: L = 5; shifted by 2
// it is on in [2, 5) and [6, 8), so Λ = 1 + 1 = 2 and the two phases report 3 calls
// together, 1.5 on average.
type CallCount struct {
	intervals []time.Duration
	lags      *lags
	paths     []selfOverlap
	on        time.Duration   // Σ L_p
	overlap   []time.Duration // Σ Λ_p, by place of the lag
	lengths   []lengthClass   // by how many lags are not above the duration
}

// lengthClass are the calls whose durations have the same place among the lags.
type lengthClass struct {
	calls int64
	time  time.Duration
}

// NewCallCount returns the law for these intervals, which are above 0.
func NewCallCount(intervals ...time.Duration) (*CallCount, error) {
	for _, t := range intervals {
		if t <= 0 {
			return nil, fmt.Errorf("call-count law: interval %v: must be above 0", t)
		}
	}
	return &CallCount{
		intervals: intervals, lags: newLags(intervals),
		overlap: make([]time.Duration, len(intervals)), lengths: make([]lengthClass, len(intervals)+1),
	}, nil
}

// stay implements [StayLaw].
func (c *CallCount) stay(p paths.ID, a stay) {
	for int(p) >= len(c.paths) {
		c.paths = append(c.paths, selfOverlap{})
	}
	d := a.to - a.from
	class := &c.lengths[c.lags.above(d)]
	class.calls++
	class.time += d
	c.on += d
	c.paths[p].add(a, c.lags, c.overlap)
}

// OnStack returns Σ L_p, the time on the stack summed over paths.
func (c *CallCount) OnStack() time.Duration { return c.on }

// Starts returns Σ L_p − Λ_p(T) for the i-th interval: the time during which a
// sample would start a reported call, summed over paths.
func (c *CallCount) Starts(i int) time.Duration {
	for p := range c.paths {
		c.paths[p].count(c.lags, c.overlap)
	}
	return c.on - c.overlap[c.lags.place[i]]
}

// Reported returns the mean number of reported calls at the i-th interval, over
// all phases.
func (c *CallCount) Reported(i int) float64 { return ratio(c.Starts(i), c.intervals[i]) }

// Seen returns the mean number of true calls that a sample falls into at the
// i-th interval, over all phases: Σ min(1, d/T).
func (c *CallCount) Seen(i int) float64 {
	var sum time.Duration
	for notAbove, class := range c.lengths {
		if notAbove <= c.lags.place[i] { // so d < T
			sum += class.time
		} else {
			sum += time.Duration(class.calls) * c.intervals[i]
		}
	}
	return ratio(sum, c.intervals[i])
}
