package encode

import (
	"strings"
	"time"

	"artifice/trace"
)

// Toplevel is the frame of time with no frame open; dmtracedump and Traceview use the same name.
// If the first line of a file states a unit, artifice wrote the file and this frame is not a
// method.
const Toplevel = "(toplevel)"

// The first line of a file of folded stacks states the unit of its numbers, because the format has
// no field for it: "# wall;us 0" or "# cpu;us 0". It is a comment for readers that support
// comments, and a stack with a count of 0 for others. Perfetto's trace_processor recognizes folded
// stacks only if each of the first three lines has a ";" and a number, so it would reject a plain
// comment. FlameGraph, speedscope and the Firefox Profiler ignore a count of 0.

// units are the unit names of convert's flag --unit.
var units = []struct {
	word string
	each time.Duration
}{{"ns", time.Nanosecond}, {"us", time.Microsecond}, {"ms", time.Millisecond}}

// Unit returns the line, with its line end, for times in the given unit on the given clock. It
// returns "" if the unit has no name.
func Unit(clock trace.Clock, unit time.Duration) string {
	for _, u := range units {
		if u.each == unit {
			return "# " + clockWord(clock) + ";" + u.word + " 0\n"
		}
	}
	return ""
}

// QuantityUnit returns the first line of folded stacks of a quantity other than time of threads,
// with its line end: "# inuse_space;bytes 0". If the quantity is a time, its numbers are in the
// given unit.
func QuantityUnit(q trace.Quantity, unit time.Duration) string {
	name := q.Unit
	if name == trace.Nanoseconds {
		for _, u := range units {
			if u.each == unit {
				name = u.word
			}
		}
	}
	return "# " + oneWord.Replace(q.Name) + ";" + oneWord.Replace(name) + " 0\n"
}

// oneWord replaces the separators of the line's parts.
var oneWord = strings.NewReplacer(";", ":", " ", "_", "\t", "_", "\n", "_", "\r", "_")

// ParseQuantity parses a line of [QuantityUnit], without its line end. unit is the unit of a time;
// 1 if the quantity is not a time.
func ParseQuantity(line []byte) (q trace.Quantity, unit time.Duration, ok bool) {
	text, isUnit := strings.CutPrefix(string(line), "# ")
	text, isZero := strings.CutSuffix(text, " 0")
	name, unitName, isPair := strings.Cut(text, ";")
	if !isUnit || !isZero || !isPair || name == "" || unitName == "" || strings.ContainsAny(text, " \t") || strings.Contains(unitName, ";") {
		return q, 0, false
	}
	for _, u := range units {
		if u.word == unitName {
			return trace.Quantity{Name: name, Unit: trace.Nanoseconds}, u.each, true
		}
	}
	return trace.Quantity{Name: name, Unit: unitName}, 1, true
}

// ParseUnit parses such a line, without its line end. cpu reports whether the clock is the thread's
// CPU time.
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
