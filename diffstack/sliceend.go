package diffstack

import (
	"time"

	"artifice/internal/words"
)

// SliceEnd is the assumed end of a frame that was on the stack at the previous sample and is not at
// this one. The actual end is in between.
type SliceEnd uint8

const (
	EndNext   SliceEnd = iota // at this sample: ART, BlockCanaryX; too late by up to one interval
	EndLast                   // 10 ns after the sample before: btrace 3 on Android; too early
	EndCapped                 // at this sample, but at most 1 ms after the previous one: btrace 3 on iOS
	EndMid                    // halfway between the two: unbiased
)

var sliceEndNames = []string{"next", "last", "capped", "mid"}

// The offset that btrace 3 adds to the time of the last sample, and its cap.
const (
	lastEpsilon = 10 * time.Nanosecond
	sliceCap    = time.Millisecond
)

// String returns the name that [ParseSliceEnd] accepts.
func (e SliceEnd) String() string { return words.Of(sliceEndNames, e) }

// ParseSliceEnd parses "next", "last", "capped" or "mid".
func ParseSliceEnd(s string) (SliceEnd, error) {
	return words.Parse[SliceEnd]("slice end", sliceEndNames, s)
}

// Valid reports whether e is one of the four.
func (e SliceEnd) Valid() bool { return int(e) < len(sliceEndNames) }

// Between returns the end of a frame that was last sampled at last and not at next; last <= next.
func (e SliceEnd) Between(last, next time.Duration) time.Duration {
	switch e {
	case EndLast:
		return min(last+lastEpsilon, next)
	case EndCapped:
		return min(last+sliceCap, next)
	case EndMid:
		return last + (next-last)/2
	}
	return next
}
