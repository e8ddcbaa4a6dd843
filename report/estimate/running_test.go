package estimate_test

import (
	"math"
	"testing"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
)

// runningTrace returns one thread that is sampled every 5 ms. One of six samples observes work, the
// others a wait. In each 30 ms, the CPU clock advances by 1 ms after the sample of work, and by 3
// ms before it, which the trace attributes to the wait.
func runningTrace(clock trace.Clock, wait string) *trace.Recording {
	const frames = 50
	symbols := &trace.Symbols{}
	thread, _ := symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	work, waits := symbols.AddMethod(trace.Method{Class: "a.A", Name: "work"}), symbols.AddMethod(trace.Method{Class: "a.A", Name: wait})
	var events []trace.Event
	add := func(m trace.MethodID, action trace.Action, wall, cpu time.Duration) {
		events = append(events, trace.Event{Thread: thread, Method: m, Action: action, Wall: wall * time.Millisecond, CPU: cpu * time.Millisecond})
	}
	for i := time.Duration(0); i < frames; i++ {
		wall, cpu := 30*i, 4*i
		add(work, trace.Enter, wall, cpu+3)
		add(work, trace.Exit, wall+5, cpu+4)
		add(waits, trace.Enter, wall+5, cpu+4)
		add(waits, trace.Exit, wall+30, cpu+7)
	}
	info := trace.Info{Clock: clock, Technique: trace.Sampled, Interval: 5 * time.Millisecond}
	return &trace.Recording{Info: info, Symbols: symbols, Events: trace.NewSliceReader(events)}
}

// TestRunningByClock checks that the CPU clock determines the running method. All of a thread's CPU
// time belongs to the method that samples observe running, 4 ms in each of 50 frames, and none to
// the method that waits, regardless of its name.
func TestRunningByClock(t *testing.T) {
	for _, wait := range []string{"await", "sleep"} {
		p, err := estimate.Read(runningTrace(trace.Dual, wait), estimate.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if p.RunningBy() != estimate.BySamples || p.Waits(0) || !p.Waits(1) {
			t.Fatalf("%s: running by %s, work waits: %t, %s waits: %t", wait, p.RunningBy(), p.Waits(0), wait, p.Waits(1))
		}
		self, total := p.RunningByMethod()
		if want := 200 * time.Millisecond; self[0] != want || total[0] != want || self[1] != 0 {
			t.Errorf("%s: work ran for %v of %v, %s for %v; want 200ms, 200ms and 0", wait, self[0], total[0], wait, self[1])
		}
		m := p.Method(0)
		scale := 200. / 250 // CPU time per wall time in the samples of work
		got := p.RunningTime(&m.Exclusive, self[0])
		if wall := m.Exclusive.Wall; wall.Value != 250*time.Millisecond || math.Abs(float64(got.Low)-scale*float64(wall.Low)) > 1 || got.High < got.Value {
			t.Errorf("%s: %+v of wall time %+v", wait, got, wall)
		}
	}
}

// TestRunningByName checks that names determine waits if there is no CPU clock. A method with an
// unknown name runs.
func TestRunningByName(t *testing.T) {
	p, err := estimate.Read(runningTrace(trace.Wall, "await"), estimate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	self, _ := p.RunningByMethod()
	if p.RunningBy() != estimate.ByNames || self[0] != 250*time.Millisecond || self[1] != 1250*time.Millisecond {
		t.Errorf("running by %s: work %v, await %v; want names, 250ms and 1.25s", p.RunningBy(), self[0], self[1])
	}
}

// TestRunningOfCalls checks that, in a trace of every call, each call ran for its CPU time.
func TestRunningOfCalls(t *testing.T) {
	rec := runningTrace(trace.Dual, "await")
	rec.Info.Technique = trace.Instrumented
	p, err := estimate.Read(rec, estimate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	self, _ := p.RunningByMethod()
	if p.RunningBy() != estimate.ByCPU || self[0] != 50*time.Millisecond || self[1] != 150*time.Millisecond {
		t.Errorf("running by %s: work %v, await %v; want cpu, 50ms and 150ms", p.RunningBy(), self[0], self[1])
	}
}
