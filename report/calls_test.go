package report_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/report"
	"artifice/trace"
)

const ms = time.Millisecond

// events returns events of a main thread, derived by hand. One frame takes 10 ms. Another takes 20
// ms, in which draw takes 12 ms, including 3 ms in a call that waits. A frame of 30 ms ends by an
// exception together with its callee, and another frame is open at the end. A doFrame of another
// class is not a frame, and a nested doFrame is an ordinary method.
func events() []trace.Event {
	const (
		run = iota
		doFrame
		draw
		wait
		other
	)
	enter := func(at time.Duration, m trace.MethodID) trace.Event {
		return trace.Event{Wall: at, CPU: at / 2, Method: m, Action: trace.Enter}
	}
	exit := func(at time.Duration, m trace.MethodID) trace.Event {
		return trace.Event{Wall: at, CPU: at / 2, Method: m, Action: trace.Exit}
	}
	unwind := func(at time.Duration, m trace.MethodID) trace.Event {
		return trace.Event{Wall: at, CPU: at / 2, Method: m, Action: trace.Unwind}
	}
	return []trace.Event{
		exit(0, doFrame), // began before the trace
		enter(1*ms, run),
		enter(10*ms, doFrame), exit(20*ms, doFrame),
		enter(40*ms, doFrame), enter(44*ms, draw), enter(50*ms, wait), exit(53*ms, wait), exit(56*ms, draw), exit(60*ms, doFrame),
		enter(70*ms, other), exit(170*ms, other),
		enter(200*ms, doFrame), enter(205*ms, doFrame), enter(206*ms, draw), unwind(230*ms, draw), unwind(230*ms, doFrame), unwind(230*ms, doFrame),
		enter(300*ms, doFrame),
	}
}

func symbols() *trace.Symbols {
	s := &trace.Symbols{}
	s.AddThread(trace.Thread{TID: 1, Name: "main"})
	for _, m := range []trace.Method{{Class: "app.Main", Name: "run"}, {Class: "android.view.Choreographer", Name: "doFrame"}, {Class: "app.View", Name: "draw"}, {Class: "java.lang.Object", Name: "wait"}, {Class: "app.Video", Name: "doFrame"}} {
		s.AddMethod(m)
	}
	return s
}

func TestCallCollector(t *testing.T) {
	all := []report.Call{
		{Begin: 200 * ms, Took: 30 * ms, CPU: 15 * ms, Before: 170 * ms, Seen: 206 * ms, Parts: []report.Part{{2, 24 * ms}, {1, 6 * ms}}},
		{Begin: 40 * ms, Took: 20 * ms, CPU: 10 * ms, Before: 20 * ms, Seen: 56 * ms, Parts: []report.Part{{2, 9 * ms}, {1, 8 * ms}, {3, 3 * ms}}},
		{Begin: 10 * ms, Took: 10 * ms, CPU: 5 * ms, Before: 1 * ms, Seen: 10 * ms, Parts: []report.Part{{1, 10 * ms}}},
	}
	for _, c := range []struct {
		budget     time.Duration
		most, late int
		want       []report.Call
	}{
		{16 * ms, 0, 2, all[:2]},
		{16 * ms, 1, 2, all[:1]},
		{20 * ms, 0, 1, all[:1]}, // a frame as long as a period is on time
		{1 * ms, 0, 3, all},
		{1 * ms, 2, 3, all[:2]},
		{50 * ms, 0, 0, nil},
	} {
		f := &report.CallCollector{Symbols: symbols(), Frames: true, Over: c.budget, MaxCalls: c.most}
		for _, e := range events() {
			f.WriteEvents([]trace.Event{e})
		}
		got := f.Longest()
		if d := cmp.Diff(c.want, got); d != "" || f.Calls != 3 || f.Longer != c.late || f.Open != 1 {
			t.Errorf("longer than %s, at most %d: %d frames, %d late, %d open; -want +got:\n%s", c.budget, c.most, f.Calls, f.Longer, f.Open, d)
		}
	}
}

// TestSections checks that, in a trace of sections, frames are the sections with Choreographer's
// name, which includes the number of the vsync from Android 12 on.
func TestSections(t *testing.T) {
	for name, want := range map[string]int{"Choreographer#doFrame": 1, "Choreographer#doFrame 1234567": 1, "Choreographer#doFrameX": 0, "doFrame": 0, "traversal": 0} {
		s := &trace.Symbols{}
		s.AddThread(trace.Thread{TID: 1})
		s.AddMethod(trace.Method{Name: name})
		f := &report.CallCollector{Symbols: s, Frames: true}
		f.WriteEvents([]trace.Event{{}, {Wall: ms, Action: trace.Exit}})
		if f.Calls != want {
			t.Errorf("%s: %d frames, want %d", name, f.Calls, want)
		}
	}
}
