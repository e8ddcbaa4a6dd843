package view

import (
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestLate checks lateness by hand. For frames in the trace, the main thread is late from the
// deadline to the end, counted once if two frames overlap. For calls of doFrame, it is late from
// 16.67 ms after their start. Samples do not determine lateness.
func TestLate(t *testing.T) {
	const ms = time.Millisecond
	recording := func() *trace.Recording {
		s := &trace.Symbols{}
		s.AddThread(trace.Thread{TID: 7, Name: "main"})
		s.AddThread(trace.Thread{TID: 8, Name: "worker"})
		s.AddMethod(trace.Method{Class: "android.view.Choreographer", Name: "doFrame"})
		s.AddMethod(trace.Method{Class: "a.B", Name: "c"})
		events := []trace.Event{
			{Method: 1, Thread: 1}, {Wall: 10 * ms}, {Wall: 11 * ms, Method: 1}, {Wall: 12 * ms, Method: 1, Action: trace.Exit}, {Wall: 20 * ms, Action: trace.Exit},
			{Wall: 30 * ms}, {Wall: 70 * ms, Action: trace.Exit}, {Wall: 80 * ms, Method: 1, Thread: 1, Action: trace.Exit},
		}
		return &trace.Recording{Symbols: s, Info: trace.Info{Clock: trace.Wall, Technique: trace.Truth}, Events: trace.NewSliceReader(events)}
	}
	recorded := recording()
	recorded.DisplayFrames = []trace.DisplayFrame{
		{PID: 7, Begin: 30 * ms, End: 70 * ms, Deadline: 46 * ms, Expected: true},
		{PID: 7, Begin: 12 * ms, End: 50 * ms, Deadline: 26 * ms, Expected: true},
		{PID: 7, Begin: 10 * ms, End: 20 * ms, Deadline: 26 * ms, Expected: true},
		{PID: 7, Begin: 1 * ms, End: 60 * ms},
		{PID: 9, Begin: 1 * ms, End: 60 * ms, Deadline: 3 * ms, Expected: true},
	}
	cpu, sampled := recording(), recording()
	cpu.Info.Clock, sampled.Info.Technique = trace.ThreadCPU, trace.Sampled
	for name, c := range map[string]struct {
		rec  *trace.Recording
		want []span
	}{
		"recorded": {recorded, []span{{26 * ms, 44 * ms}}},
		"calls":    {recording(), []span{{30*ms + time.Second/60, 40*ms - time.Second/60}}},
		"sampled":  {sampled, nil},
		"CPU":      {cpu, nil},
	} {
		r, err := Read(c.rec, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, th := range r.threads {
			want := c.want
			if th.id != 0 {
				want = nil
			}
			if !slices.Equal(th.late, want) {
				t.Errorf("%s, thread %d: late %v, want %v", name, th.id, th.late, want)
			}
		}
	}
}
