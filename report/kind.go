package report

import (
	"artifice/internal/words"
	"artifice/trace"
)

// Kind is what time a report is of.
type Kind uint8

const (
	// Running is wall time without that of methods in which a thread waits
	// ([trace.Method.Waits]). It takes in time in which a thread was ready and had no core.
	Running Kind = iota

	Wall // all wall time, waiting included
	CPU  // what the threads used of the cores
)

var kindWords = []string{"running", "wall", "cpu"}

// ParseKind returns what a word stands for: running, wall or cpu.
func ParseKind(s string) (Kind, error) { return words.Parse[Kind]("time", kindWords, s) }

// String returns the word.
func (k Kind) String() string { return words.Of(kindWords, k) }

// Clock returns the clock that the time is read from.
func (k Kind) Clock() trace.Clock {
	if k == CPU {
		return trace.ThreadCPU
	}
	return trace.Wall
}

// KindOf returns the most useful kind of time of a trace with these clocks: running time,
// for which a sampled trace has error bounds. For a trace sampled by CPU time, or with no
// other clock, it is CPU time.
func KindOf(has trace.Clock, ofCPU bool) Kind {
	if ofCPU || !has.HasWall() {
		return CPU
	}
	return Running
}
