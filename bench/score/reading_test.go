package score

import (
	"testing"
	"time"
)

// TestReadings: what readers make of a stack of 23 ms, 7 to 30.
func TestReadings(t *testing.T) {
	from, to := 7*time.Millisecond, 30*time.Millisecond
	for _, c := range []struct {
		reading Reading
		want    time.Duration
	}{
		{ExactStamps, 23 * time.Millisecond},
		{Resampled, 24 * time.Millisecond}, // at 8, 16, 24: three of 8 ms
		{RoundedUp, 30 * time.Millisecond},
	} {
		if got := c.reading.span(from, to, 8*time.Millisecond); got != c.want {
			t.Errorf("reading %d: %v, want %v", c.reading, got, c.want)
		}
	}
	if got := RoundedUp.span(from, from, 0); got != 0 {
		t.Errorf("no time, rounded up: %v", got)
	}
}
