package eventlog

import (
	"math"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestRunEntries checks that packed events are read as they were written, also at the limits of
// short entries. Events within the limits take 12 bytes, others 25.
func TestRunEntries(t *testing.T) {
	const step, cpu = 1<<23 - 1, 1<<31 - 1 // ns
	fits := []trace.Event{
		{},
		{Wall: step, CPU: cpu, Method: 1<<21 - 1, Thread: math.MaxUint16, Action: MaxAction},
		{Wall: -1, CPU: -cpu - 1, Action: trace.Unwind},
	}
	longer := []trace.Event{
		{Wall: step},
		{Wall: step, CPU: cpu + 1},
		{Wall: step, CPU: -cpu - 2},
		{Wall: step, Method: 1 << 21, Thread: 9},
		{Wall: step, Method: math.MaxUint32, Action: MaxAction, Site: trace.MaxSite},
		{Wall: -2 - step},
		{Wall: math.MaxInt64, CPU: math.MinInt64, Thread: math.MaxUint16},
	}
	events := slices.Concat(fits, longer, []trace.Event{{Wall: math.MaxInt64, CPU: math.MaxInt64}})
	var b []byte
	wall := time.Duration(0)
	for i := range events {
		before := len(b)
		b = appendPacked(b, &events[i], wall, events[i].Wall, events[i].CPU)
		wall = events[i].Wall
		if want := map[bool]int{true: briefBytes, false: longBytes}[i < len(fits)]; len(b)-before != want {
			t.Errorf("event %d takes %d bytes, want %d", i, len(b)-before, want)
		}
	}
	for _, at := range []int{1, 4, len(events)} { // capacity in events
		wall, rest := time.Duration(0), b
		var got []trace.Event
		for len(rest) > 0 {
			p := make([]trace.Event, at)
			n, used := unpack(p, rest, 1, wall, math.MaxInt64)
			got, rest, wall = append(got, p[:n]...), rest[used:], p[n-1].Wall
		}
		if !slices.Equal(got, events) {
			t.Errorf("%d at a time: %+v, want %+v", at, got, events)
		}
	}
}

// TestOrderOfOddEvents checks that events without a short encoding keep their order: pauses, jumps
// of the CPU time, call sites and large numbers.
func TestOrderOfOddEvents(t *testing.T) {
	var events []trace.Event
	for i := range 5000 {
		wall := time.Duration(i) * time.Microsecond
		e := trace.Event{Wall: wall, CPU: wall / 2, Thread: trace.ThreadID(i % 7), Method: trace.MethodID(i)}
		switch i % 11 {
		case 3:
			e.CPU = math.MaxInt64 - time.Duration(i)
		case 5:
			e.Site = trace.Site(i)
		case 7:
			e.Method = math.MaxUint32 - trace.MethodID(i)
		}
		if i >= 2500 {
			e.Wall += time.Hour
		}
		events = append(events, e)
	}
	o, err := Order(trace.NewSliceReader(events), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for range 2 { // read again after Rewind
		if got := readAll(t, o); !slices.Equal(got, events) {
			t.Error("events that were in order are read in another order")
		}
		if err := o.Rewind(); err != nil {
			t.Fatal(err)
		}
	}
}
