package testdata

import (
	"slices"
	"time"

	"artifice/trace"
)

// Repeat returns events repeated n times, for benchmarks of long traces with the calls of a real
// one. Each repetition begins a microsecond after the latest event of the previous one. events
// must be in the order of a file, which Repeat keeps.
func Repeat(events []trace.Event, n int) []trace.Event {
	out := slices.Clone(events)
	var wall, cpu time.Duration
	for _, e := range events {
		wall, cpu = max(wall, e.Wall+time.Microsecond), max(cpu, e.CPU)
	}
	for i := 1; i < n; i++ {
		for _, e := range events {
			e.Wall += time.Duration(i) * wall
			e.CPU += time.Duration(i) * cpu
			out = append(out, e)
		}
	}
	return out
}
