package theory

import "time"

// Loop is a path that is On the stack for a time, then Off, for ever: a frame
// loop. An ideal systematic sampler watches it.
//
// Consecutive samples that both see the path make one reported call, so with
// L = On + Off and τ = T mod L
//
//	reported/true calls = (min(On, τ) − max(0, τ − Off)) / T
//
// At T = L, 2L, … nothing is ever seen to start.
//
// Source: the call-count law ([CallCount]) with C(T) of a rectangular wave.
//
// Example: On = 0.9 ms, Off = 0.1 ms, T = 0.5 ms: (0.5 − 0.4)/0.5 = 0.2. Four
// calls in five merge.
type Loop struct {
	On, Off time.Duration
}

// Period is L = On + Off.
func (l Loop) Period() time.Duration { return l.On + l.Off }

// Duty is the share of time on the stack.
func (l Loop) Duty() float64 { return ratio(l.On, l.Period()) }

// ReportedPerTrue is the expected number of reported calls per true call.
func (l Loop) ReportedPerTrue(interval time.Duration) float64 {
	tau := interval % l.Period()
	starts := min(l.On, tau) - max(0, tau-l.Off) // measure of {on at t, off at t−T} in one period
	return ratio(starts, interval)
}
