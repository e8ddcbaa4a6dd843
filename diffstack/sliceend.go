package diffstack

import (
	"time"

	"artifice/internal/words"
)

// SliceEnd says when a frame is taken to have ended that the sample before
// still saw and this one does not. The truth is somewhere in between.
type SliceEnd uint8

const (
	EndNext   SliceEnd = iota // at this sample: ART, BlockCanaryX; too late by up to one interval
	EndLast                   // 10 ns after the sample before: btrace 3 on Android; too early
	EndCapped                 // at this sample, but 1 ms after the one before at most: btrace 3 on iOS
	EndMid                    // half-way between the two: no bias on average
)

var sliceEndNames = []string{"next", "last", "capped", "mid"}

// What btrace 3 adds to the time of the last sample, and its cap.
const (
	lastEpsilon = 10 * time.Nanosecond
	sliceCap    = time.Millisecond
)

// String returns the word that [ParseSliceEnd] takes.
func (e SliceEnd) String() string { return words.Of(sliceEndNames, e) }

// ParseSliceEnd reads "next", "last", "capped" or "mid".
func ParseSliceEnd(s string) (SliceEnd, error) {
	return words.Parse[SliceEnd]("slice end", sliceEndNames, s)
}

// Valid reports whether e is one of the four.
func (e SliceEnd) Valid() bool { return int(e) < len(sliceEndNames) }

// Between returns the end of a frame that was seen last at last and is gone at
// next; last <= next.
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
