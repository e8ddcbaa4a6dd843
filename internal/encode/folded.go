package encode

import (
	"time"

	"artifice/internal/words"
)

// FoldedValue is what the number of a folded stack counts.
type FoldedValue uint8

const (
	FoldedTime  FoldedValue = iota // wall time, or CPU time where that is the only clock or samples were taken by it
	FoldedCPU                      // CPU time
	FoldedCalls                    // enters of the innermost frame, or samples where they are known
)

// ParseFoldedValue returns the value called time, cpu or calls.
func ParseFoldedValue(s string) (FoldedValue, error) {
	return words.Parse[FoldedValue]("value", []string{"time", "cpu", "calls"}, s)
}

// FoldedUnit is what a folded stack's time is counted in.
type FoldedUnit time.Duration

// ParseFoldedUnit returns the unit called ns, us or ms; "" is us.
func ParseFoldedUnit(s string) (FoldedUnit, error) {
	if s == "" {
		return 0, nil
	}
	units := []time.Duration{time.Nanosecond, time.Microsecond, time.Millisecond}
	i, err := words.Parse[uint8]("unit", []string{"ns", "us", "ms"}, s)
	if err != nil {
		return 0, err
	}
	return FoldedUnit(units[i]), nil
}

// FoldedThreads is whether folded stacks tell their thread.
type FoldedThreads uint8

const (
	ThreadsMerged FoldedThreads = iota // stacks of all threads together
	ThreadsFirst                       // the thread's name is the outermost frame
)
