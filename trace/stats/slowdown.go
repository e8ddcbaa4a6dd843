package stats

import "time"

// Slowdown returns how many times longer a run takes when tracing delays its end:
// 1 + delay/length, where length is the run's without tracing. record, bench and
// score have this one definition; a tracer without cost has 1.
//
// Example: an app that runs 10 s unobserved and 2 s longer under a tracer has a
// slowdown of 1.2.
func Slowdown(length, delay time.Duration) float64 {
	if length <= 0 {
		return 1
	}
	return 1 + float64(delay)/float64(length)
}
