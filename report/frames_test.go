package report_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/report"
	"artifice/trace"
)

// TestFrames checks frames by hand. A main thread is in run from 0 on and in draw from 10 to 18 ms,
// and uses the CPU for half of the time. Two frames overlap, one is of another process, and nothing
// runs in one.
func TestFrames(t *testing.T) {
	const run, draw = 1, 2
	s := symbols()
	s.AddThread(trace.Thread{TID: 2, Name: "worker"})
	events := []trace.Event{
		{Method: run}, {Method: run, Thread: 1},
		{Wall: 10 * ms, CPU: 5 * ms, Method: draw},
		{Wall: 18 * ms, CPU: 9 * ms, Method: draw, Action: trace.Exit},
		{Wall: 24 * ms, CPU: 12 * ms, Method: run, Action: trace.Exit},
		{Wall: 90 * ms, CPU: 12 * ms, Method: run}, {Wall: 91 * ms, CPU: 13 * ms, Method: run, Action: trace.Exit},
	}
	frames := []trace.DisplayFrame{
		{PID: 1, Begin: 16 * ms, End: 30 * ms},
		{PID: 1, Begin: -2 * ms, End: 17 * ms},
		{PID: 9, Begin: 0, End: 17 * ms},
		{PID: 1, Begin: 40 * ms, End: 50 * ms},
	}
	for _, c := range []struct {
		ofCPU bool
		cpu   []time.Duration
		parts [][]report.Part
	}{
		{false, []time.Duration{4 * ms, 8500 * time.Microsecond, 0, 0}, [][]report.Part{{{run, 6 * ms}, {draw, 2 * ms}}, {{run, 10 * ms}, {draw, 7 * ms}}, nil, nil}},
		// The samples at 0, 10 and 18 ms have 5, 4 and 3 ms of CPU time.
		{true, []time.Duration{3 * ms, 9 * ms, 0, 0}, [][]report.Part{{{run, 3 * ms}}, {{run, 5 * ms}, {draw, 4 * ms}}, nil, nil}},
	} {
		f := report.NewFrames(&trace.Recording{Symbols: s, Info: trace.Info{OfCPU: c.ofCPU}}, frames)
		for _, e := range events {
			f.WriteEvents([]trace.Event{e})
		}
		for i, got := range f.All() {
			want := report.Frame{DisplayFrame: frames[i], CPU: c.cpu[i], Parts: c.parts[i]}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("by CPU time %t, frame %d: -want +got:\n%s", c.ofCPU, i, d)
			}
		}
	}
}
