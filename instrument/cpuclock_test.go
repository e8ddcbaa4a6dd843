package instrument

import (
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
)

// TestCPUClock checks CPU times, by hand. A thread's first reading that is not 0 is its zero.
// Differences are those of whole readings: of microseconds up to ART 15 (GetCpuMicroTime), of
// nanoseconds from 16 on (GetCpuNanoTime). The device's clocks are exact.
func TestCPUClock(t *testing.T) {
	cpu := []time.Duration{400, 900, 1900, 3100, 9850, 12000}
	want := map[time.Duration][]time.Duration{
		//           0  0 (unset), 1 µs is the zero, 3-1, 9-1, 12-1
		time.Microsecond: {0, 0, 0, 2000, 8000, 11000},
		1:                {0, 500, 1500, 2700, 9450, 11600},
	}
	for _, r := range art.All() {
		if r.VM != "art" {
			continue
		}
		truth := &trace.Recording{
			Info:    trace.Info{Technique: trace.Truth, Elapsed: time.Millisecond},
			Symbols: &trace.Symbols{Threads: []trace.Thread{{TID: 1, Name: "main"}}, Methods: []trace.Method{{ID: 4, Class: "x", Name: "a"}}},
		}
		var events []trace.Event
		for i, c := range cpu {
			events = append(events, trace.Event{Wall: time.Duration(i+1) * time.Microsecond, CPU: c, Action: trace.Action(i % 2)})
		}
		truth.Events = trace.NewSliceReader(events)
		_, got := record(t, truth, Config{Runtime: r})
		var have []time.Duration
		for _, e := range got {
			have = append(have, e.CPU)
		}
		if !slices.Equal(have, want[r.Tick]) {
			t.Errorf("%s: CPU times %v, want %v", r.Name, have, want[r.Tick])
		}
	}
}

// TestClockMeasurement checks that, up to ART 14, the first event is delayed by 32000 reads of the
// trace's clocks and two reads of the CPU clock. A trace of the wall clock has these two reads,
// too. From 15 on it is delayed by two reads of the wall clock.
func TestClockMeasurement(t *testing.T) {
	cost := Cost{CPURead: 3 * time.Microsecond, WallRead: 40}
	for _, r := range art.All() {
		if r.VM != "art" {
			continue
		}
		for clock, first := range map[trace.Clock]time.Duration{
			trace.Dual: 32000*3040 + 2*3000 + 3040,
			trace.Wall: 32000*40 + 2*3000 + 40,
		} {
			if !r.ZeroFirst {
				first = map[trace.Clock]time.Duration{trace.Dual: 3040, trace.Wall: 0}[clock]
			}
			if r.Name == "art15" || r.Name == "art16" || r.Name == "art17" {
				first += 2 * 40 // the start time is converted to the monotonic clock
			}
			truth := &trace.Recording{
				Info:    trace.Info{Technique: trace.Truth, Elapsed: time.Millisecond},
				Symbols: &trace.Symbols{Threads: []trace.Thread{{TID: 1, Name: "main"}}, Methods: []trace.Method{{ID: 4, Class: "x", Name: "a"}}},
				Events:  trace.NewSliceReader([]trace.Event{{CPU: 5000}}),
			}
			if _, got := record(t, truth, Config{Runtime: r, Cost: cost, Clock: clock}); len(got) != 1 || got[0].Wall != first {
				t.Errorf("%s, %s: %+v, want one event at %s", r.Name, clock, got, first)
			}
		}
	}
}
