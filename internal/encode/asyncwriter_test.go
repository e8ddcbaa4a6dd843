package encode

import (
	"runtime"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// TestAsyncWriter compares the calls and times of a profile that another core aggregates with those
// of the events. There is a call of 1 µs every 2 µs. Events are in reused batches of all lengths
// around that of a handed-over block.
func TestAsyncWriter(t *testing.T) {
	for _, cores := range []int{1, 2} {
		for _, calls := range []int{0, 1, asyncEvents/2 - 1, asyncEvents / 2, asyncEvents/2 + 1, 5 * asyncEvents} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: &trace.Symbols{}}
			p, err := NewProfileStacks(rec, ProfileConfig{})
			if err != nil {
				t.Fatal(err)
			}
			batch := make([]trace.Event, 0, 1000)
			for i := range calls {
				at := time.Duration(2*i) * time.Microsecond
				batch = append(batch, trace.Event{Wall: at}, trace.Event{Wall: at + time.Microsecond, Action: trace.Exit})
				if len(batch) == cap(batch) || i == calls-1 {
					p.WriteEvents(batch)
					clear(batch)
					batch = batch[:0]
				}
			}
			p.Finish()
			var counted int64
			var took time.Duration
			p.Each(func(trace.ThreadID) error { return nil }, func(s *calltree.Stack) error {
				if len(s.Frames) > 0 {
					counted += s.Count
					took += s.Self.Wall
				}
				return nil
			})
			if want := time.Duration(calls) * time.Microsecond; counted != int64(calls) || took != want || p.Stats().Events != int64(2*calls) {
				t.Errorf("%d cores: %d calls of %v in %d events, want %d of %v in %d", cores, counted, took, p.Stats().Events, calls, want, 2*calls)
			}
		}
	}
}
