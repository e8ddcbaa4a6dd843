package view

import (
	"slices"
	"testing"
	"time"
)

// TestSpans checks that spans are returned as they were added; adjacent spans become one.
func TestSpans(t *testing.T) {
	var s spans
	if got := s.list(); got != nil {
		t.Errorf("list of no spans = %v, want nil", got)
	}
	for _, at := range [][2]time.Duration{{-7, -3}, {0, 1}, {1, 4}, {4, 5}, {9, 1 << 60}} {
		s.add(at[0], at[1])
	}
	if got, want := s.list(), []span{{-7, 4}, {0, 5}, {9, 1<<60 - 9}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestBitSet checks that a set has its added elements, also at both ends of its words.
func TestBitSet(t *testing.T) {
	b, want := newBitSet(130), []int32{0, 1, 63, 64, 127, 128, 129}
	for _, i := range []int32{129, 0, 64, 1, 63, 128, 127, 0} {
		b.add(int(i))
	}
	if got := b.list(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
