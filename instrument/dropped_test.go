package instrument

import (
	"testing"
	"time"

	"artifice/art"
)

// TestCostOfDroppedEvents checks that a dropped event costs as much as any other. Up to ART 13,
// events are still reported when the shared buffer is full (Trace::LogMethodTraceEvent of Android
// 13 records the overflow and returns). A thread with an event every µs, at 3 µs each, has 800 000
// events from 0 to 799 999 µs. At times, more delayed events exist than can wait. The run takes 799
// 999 µs + 800 000 · 3 µs.
func TestCostOfDroppedEvents(t *testing.T) {
	runtime, err := art.ByName("art13")
	if err != nil {
		t.Fatal(err)
	}
	l := &loop{threads: 1, left: 800_000}
	rec, err := Record(l.truth(), Config{Runtime: runtime, BufferSize: 1024, Cost: Cost{Hook: 3 * time.Microsecond}})
	if err != nil {
		t.Fatal(err)
	}
	events := read(t, rec)
	if want := 3_199_999 * time.Microsecond; rec.Info.Elapsed != want {
		t.Errorf("elapsed %v, want %v", rec.Info.Elapsed, want)
	}
	// The buffer has the header and records of 14 bytes: (1024 - 32) / 14.
	if len(events) != 70 || !rec.Info.Overflow {
		t.Errorf("%d events, overflow %t, want 70 and true", len(events), rec.Info.Overflow)
	}
}
