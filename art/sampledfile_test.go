package art

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestStartOffset: 32000 reads of 3.348 us, as stated in the header of a trace of Android 9, take
// 107.136 ms. Dalvik reads its start time later, and a truth has no tracer.
func TestStartOffset(t *testing.T) {
	for _, c := range []struct {
		info trace.Info
		want time.Duration
	}{
		{trace.Info{VM: "art", ClockOverhead: 3348}, 107136 * time.Microsecond},
		{trace.Info{VM: "art"}, 0},
		{trace.Info{VM: "dalvik", ClockOverhead: 3348}, 0},
		{trace.Info{VM: "art", ClockOverhead: 3348, Technique: trace.Truth}, 0},
	} {
		if got := StartOffset(&c.info); got != c.want {
			t.Errorf("%+v: %v, want %v", c.info, got, c.want)
		}
	}
}
