package folded

import "time"

// Options are the options of folded stacks to write. The zero value is valid.
type Options struct {
	Value    Value
	Unit     time.Duration // of times; 0: microseconds
	ByThread bool          // the thread's name is the outermost frame; else the stacks of all threads are merged
}

// Value is the quantity that the number of a folded stack is.
type Value uint8

// The values.
const (
	Time  Value = iota // wall time, or CPU time where that is the only clock or samples were taken by it
	CPU                // CPU time
	Calls              // calls of the innermost frame, or its samples where they are known
)
