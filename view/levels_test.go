package view

import (
	"testing"
	"time"
)

// TestFirstWidth checks that the first width is the smallest power of two that exceeds the length
// of three quarters of the calls.
func TestFirstWidth(t *testing.T) {
	for short, want := range map[int]int64{75: 4, 74: 128} { // short calls have 3 units; the others have 100
		var thread thread
		for i := range 100 {
			d := 3 * time.Microsecond
			if i >= short {
				d = 100 * time.Microsecond
			}
			start := time.Duration(i) * time.Millisecond
			thread.steps.begin(stamp{Main: start}, 0)
			thread.steps.shut(stamp{Main: start + d})
		}
		e := encoder{unit: time.Microsecond}
		if got, _ := e.firstWidth(&thread); got != want {
			t.Errorf("%d of 100 calls are short: %d, want %d", short, got, want)
		}
	}
}
