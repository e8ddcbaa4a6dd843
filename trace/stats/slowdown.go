package stats

import "time"

// Slowdown returns the ratio of a run's length with tracing to its length without: 1 +
// delay/length, where delay is the delay that tracing has caused by its end. The commands record,
// bench and score use this definition. A tracer without cost has a slowdown of 1.
//
// Example: an app that runs 10 s untraced and 2 s longer under a tracer has a slowdown of 1.2.
func Slowdown(length, delay time.Duration) float64 {
	if length <= 0 {
		return 1
	}
	return 1 + float64(delay)/float64(length)
}
