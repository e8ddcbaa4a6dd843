package encode

import (
	"time"

	"artifice/trace"
)

// Toplevel is the frame of time with no frame open; dmtracedump and Traceview use the same name. In a
// file whose first line states a unit, this program wrote the file and the frame is no method.
const Toplevel = "(toplevel)"

// The first line of a file of folded stacks states the unit of its numbers, which the format has no
// field for: "# wall;us 0" or "# cpu;us 0". It is a comment for readers that support comments, and a
// stack with a count of 0 for others. Perfetto's trace_processor recognizes folded stacks only if each
// of the first three lines has a ";" and a number, so it would reject a plain comment. FlameGraph,
// speedscope and the Firefox Profiler ignore a count of 0.

// units are the names of units, as convert's flag --unit has them.
var units = []struct {
	word string
	each time.Duration
}{{"ns", time.Nanosecond}, {"us", time.Microsecond}, {"ms", time.Millisecond}}

// Unit returns the line for numbers that are times on a clock in a unit, with its line end; "" if
// the unit has no name.
func Unit(clock trace.Clock, unit time.Duration) string {
	for _, u := range units {
		if u.each == unit {
			return "# " + clockWord(clock) + ";" + u.word + " 0\n"
		}
	}
	return ""
}

// ParseUnit parses such a line, without its line end. cpu reports whether the clock is the thread's CPU
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
