package score

import (
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
)

// TestHeaderOffsets checks the offsets that agree with the first events of a truth, at 5 ms, and of
// a trace sampled every 10 ms (11 dumps in 100 ms), in which a call may begin up to 10 ms late. The
// header of the trace allows for 8 ms of the runtime's own work.
func TestHeaderOffsets(t *testing.T) {
	const ms = time.Millisecond
	info := trace.Info{VM: "art", Technique: trace.Sampled, Elapsed: 100 * ms, ClockOverhead: 8 * ms / art.ClockReads}
	cfg := Config{Dumps: func() int64 { return 11 }}
	known := &summary{rec: &trace.Recording{Info: trace.Info{Technique: trace.Truth}}, first: 5 * ms}
	for first, want := range map[time.Duration][]time.Duration{
		14 * ms: {0, 8 * ms}, // 9 or 1 ms late
		20 * ms: {8 * ms},    // 15 or 7 ms late
		30 * ms: {8 * ms},    // 25 or 17 ms late: the latter is closer to the interval
		9 * ms:  {0},         // 4 ms late, or 4 ms early
	} {
		seen := &summary{rec: &trace.Recording{Info: info}, first: first}
		if got := headerOffsets(cfg, runLengths{floating: true}, known, seen); !slices.Equal(got, want) {
			t.Errorf("first event at %v: %v, want %v", first, got, want)
		}
	}
}
