package theory

import "time"

// Hook is the cost of one event of an instrumented run: clock read, hook and
// buffer write, the same at enter and exit. The clock is read at some fixed
// fraction of it; which one does not matter.
//
// Source: between the stamps of a call's enter and exit lies one whole event
// cost of its own, and two of every call below it.
//
// Example: at 3.35 µs an event a leaf of 50 ns is reported as 3.4 µs. A million
// of them in a run of 5 s, 1 % of its time, become 28.9 %, and their caller
// gains another 28.5 %.
type Hook struct {
	Event time.Duration // c, cost of one event
}

// Exclusive is the reported own time of a call with that true own time and
// that many direct callees: self + c + children·c.
func (h Hook) Exclusive(self time.Duration, children int) time.Duration {
	return self + h.Event*time.Duration(1+children)
}

// Inclusive is the reported duration of a call with calls calls in its subtree,
// itself included: true + c(2·calls − 1).
func (h Hook) Inclusive(d time.Duration, calls int) time.Duration {
	return d + h.Event*time.Duration(2*calls-1)
}

// Slowdown is the running time of the instrumented run over the true one at
// that many calls per second of the app's own time: 1 + 2cλ.
func (h Hook) Slowdown(callsPerSecond float64) float64 {
	return 1 + 2*h.Event.Seconds()*callsPerSecond
}

// LeafShare is the reported share of a leaf method that is called calls times
// for d each by a caller that does all the rest of a run of length total; and
// the share that the caller gains on top of its own time, from the same calls.
func (h Hook) LeafShare(calls int, d, total time.Duration) (leaf, callerGain float64) {
	n := float64(calls)
	c := float64(h.Event)
	run := float64(total) + 2*c*n
	return n * (float64(d) + c) / run, n * c / run
}
