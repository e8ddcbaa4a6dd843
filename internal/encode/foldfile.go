// Package foldfile is what the writer and the reader of folded stacks share: the line that
// says what their numbers count, which the format has no place for.
//
// It is the first line of a file, "# wall;us 0" or "# cpu;us 0": a comment for those who
// know comments, and for all others a stack that nothing was counted of. Perfetto's
// trace_processor takes a file for folded stacks only if each of the first three lines has
// a ";" and a number, so that a plain comment would make it refuse the file; FlameGraph,
// speedscope and the Firefox Profiler add nothing up of a 0.
package encode

import (
	"time"

	"artifice/trace"
)

// Toplevel is the frame of the time in which a thread has no frame open. Where a file says
// what its numbers count, the file is ours and the frame no method.
const FoldfileToplevel = "(toplevel)"

// units are the words for units, as convert's flag --unit has them.
var units = []struct {
	word string
	each time.Duration
}{{"ns", time.Nanosecond}, {"us", time.Microsecond}, {"ms", time.Millisecond}}

// Unit returns the line for numbers that are times on a clock in a unit, with its end; ""
// where the unit is none of those that it has words for.
func Unit(clock trace.Clock, unit time.Duration) string {
	for _, u := range units {
		if u.each == unit {
			return "# " + clockWord(clock) + ";" + u.word + " 0\n"
		}
	}
	return ""
}

// ParseUnit reads such a line, without its end. cpu says that the clock is the thread's CPU
// time.
func ParseUnit(line []byte) (unit time.Duration, cpu, ok bool) {
	for _, u := range units {
		for _, clock := range []trace.Clock{trace.Wall, trace.ThreadCPU} {
			if string(line) == "# "+clockWord(clock)+";"+u.word+" 0" {
				return u.each, clock == trace.ThreadCPU, true
			}
		}
	}
	return 0, false, false
}

func clockWord(clock trace.Clock) string {
	if clock.HasWall() {
		return "wall"
	}
	return "cpu"
}
