package testdata

import (
	"slices"
	"time"

	"artifice/trace"
)

// Repeat returns events that have happened n times in a row, for benchmarks of long
// traces with the calls of a real one. Each time begins a microsecond behind the latest
// event of the one before; the events have to be in a file's order, which stays.
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
