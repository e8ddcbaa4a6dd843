package matrix

import (
	"time"

	"artifice/research/internal/art11"
	"artifice/trace"
)

// Costs on ART's clocks: prime numbers of nanoseconds, so that no time is a whole number of
// microseconds by chance.
var (
	pauses = art11.Costs{PerTick: 100403, PerThread: 7307, PerFrame: 1901, Overshoot: 83003}
	events = art11.Costs{CPURead: 3299, WallRead: 53, Hook: 1511, Seed: 7}
)

// fullBuffer is the size of a buffer that overflows.
const fullBuffer = 4000

// Ways returns the tracing options of the matrix for a truth, at 1, 5 and 10 ms; at ten times that
// if it is longer than a minute, which still gives more than 10,000 samples per hour. Recorded
// traces have no Again, since the effects of an earlier trace are unknown.
func Ways(truth *art11.Truth) (ways []art11.Way) {
	interval := time.Millisecond
	if truth.Elapsed() > time.Minute {
		interval *= 10
	}
	for _, clock := range []trace.Clock{trace.Dual, trace.Wall, trace.ThreadCPU} {
		if clock.HasCPU() && !truth.Clock().HasCPU() {
			continue
		}
		for _, to := range []art11.Way{{Clock: clock}, {Clock: clock, Streaming: true}, {Clock: clock, Buffer: fullBuffer}} {
			for _, times := range []time.Duration{1, 5, 10} {
				w := to
				w.Sampled, w.Interval = true, times*interval
				ways = append(ways, w)
			}
			for _, costs := range []bool{false, true} {
				w := to
				w.Sampled, w.Interval = true, interval
				if costs {
					w.Costs = pauses
					ways = append(ways, w)
				}
				w = to
				if costs {
					w.Costs = events
				}
				ways = append(ways, w)
				w.Debuggable = true
				ways = append(ways, w)
				w.Plain = true
				ways = append(ways, w)
				if !costs && !truth.Recorded() {
					w.Again = true
					ways = append(ways, w)
				}
			}
		}
	}
	return ways
}
