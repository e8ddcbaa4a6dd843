package expect

import (
	"io"
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// noEvents is a Reader without events.
type noEvents struct{}

func (noEvents) ReadEvents([]trace.Event) (int, error) { return 0, io.EOF }

// dumps returns a recording with n samples of each of two threads, one every 10 ms. Thread 0 is in
// f. Thread 1 is in f for the first half and in g for the second.
func dumps(t *testing.T, n int, ofCPU bool) *Profile {
	t.Helper()
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, OfCPU: ofCPU}, Events: noEvents{}}
	f, g := rec.Symbols.AddMethod(trace.Method{Class: "a", Name: "f"}), rec.Symbols.AddMethod(trace.Method{Class: "a", Name: "g"})
	s := NewSnapshots(rec)
	for thread := range trace.ThreadID(2) {
		for i := range n {
			at := time.Duration(i) * 10 * time.Millisecond
			m := f
			if thread == 1 && i >= n/2 {
				m = g
			}
			x := trace.Snapshot{Thread: thread, Wall: at, Until: at + 10*time.Millisecond, Count: 1, Stack: []trace.MethodID{m}}
			if ofCPU {
				x.CPU = at
			}
			s.WriteSnapshot(&x)
		}
		end := trace.Snapshot{Thread: thread, Wall: time.Duration(n) * 10 * time.Millisecond, Until: time.Duration(n) * 10 * time.Millisecond}
		if ofCPU {
			end.CPU = end.Wall
		}
		s.WriteSnapshot(&end)
	}
	p, err := ReadProfile(rec, "dumps", s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTicks checks that 100 samples of wall time of two threads are 200 samples at 100 instants,
// and that each sample of CPU time is of a single thread.
func TestTicks(t *testing.T) {
	p := dumps(t, 100, false)
	if p.Clock != Wall || p.Samples != 200 || p.Ticks != 100 || p.time != 2*time.Second {
		t.Errorf("%v, %g samples, %g instants, %v", p.Clock, p.Samples, p.Ticks, p.time)
	}
	if f := p.shares[1]; math.Abs(f-0.75) > 1e-9 {
		t.Errorf("share of f: %g, want 0.75", f)
	}
	if p := dumps(t, 100, true); p.Clock != CPU || p.Samples != 200 || p.Ticks != 0 {
		t.Errorf("%v, %g samples, %g instants", p.Clock, p.Samples, p.Ticks)
	}
}
