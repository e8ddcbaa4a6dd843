package folded

import "time"

// Options are the options of folded stacks to write. The zero value is valid.
type Options struct {
	Value    Value
	Unit     time.Duration // unit of times; 0: microseconds
	ByThread bool          // the thread's name is the outermost frame; else the stacks of all threads are merged
}

// Value is the meaning of the number of a folded stack.
type Value uint8

// The values.
const (
	// wall time; CPU time if it is the only clock or the trace was sampled by CPU time
	Time  Value = iota
	CPU         // CPU time
	Calls       // calls of the innermost frame, or its samples if they are known
)
