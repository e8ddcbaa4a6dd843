package thread

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
)

// snapshotList keeps snapshots.
type snapshotList struct {
	trace.Buffer
	all []trace.Snapshot
}

func (l *snapshotList) WriteSnapshot(s *trace.Snapshot) error {
	c := *s
	c.Stack = append([]trace.MethodID(nil), s.Stack...)
	l.all = append(l.all, c)
	return nil
}

// TestSnapshots checks a thread that runs for 10.5 ms, waits for 10 ms and runs for 9.5 ms. There
// is a sample for each ms of its CPU time, 10 before the wait and 9 after it, and each represents
// the following ms. The CPU time of a sample is the sum that earlier samples represent; all are
// final when the thread ends. A wall-time sampler also samples the waiting thread, and its sample
// is valid until the next stack.
func TestSnapshots(t *testing.T) {
	truth := func() *trace.Recording {
		rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: trace.Dual, Elapsed: 30 * ms}, Symbols: &trace.Symbols{}}
		rec.Symbols.AddThread(trace.Thread{TID: 1, End: 30 * ms})
		run, wait := rec.Symbols.AddMethod(trace.Method{Name: "run"}), rec.Symbols.AddMethod(trace.Method{Name: "park", Class: "java.util.concurrent.locks.LockSupport"})
		rec.Events = trace.NewSliceReader([]trace.Event{
			{Method: run},
			{Method: wait, Wall: 10*ms + 500*us, CPU: 10*ms + 500*us},
			{Method: wait, Wall: 20*ms + 500*us, CPU: 10*ms + 500*us, Action: trace.Exit},
			{Method: run, Wall: 30 * ms, CPU: 20 * ms, Action: trace.Exit},
		})
		return rec
	}
	run, waits := []trace.MethodID{0}, []trace.MethodID{0, 1}
	for _, c := range []struct {
		timer Timer
		want  []trace.Snapshot
	}{
		{ThreadTimer, []trace.Snapshot{
			{Wall: 1 * ms, Until: 11 * ms, Count: 10, Stack: run},
			{Wall: 21 * ms, Until: 30 * ms, CPU: 10 * ms, Count: 9, Stack: run, Same: 1},
			{Wall: 30 * ms, Until: 30 * ms, CPU: 19 * ms},
		}},
		{WallTimer, []trace.Snapshot{
			{Wall: 1 * ms, Until: 11 * ms, Count: 10, Stack: run},
			{Wall: 11 * ms, Until: 21 * ms, Count: 10, Stack: waits, Same: 1},
			{Wall: 21 * ms, Until: 30 * ms, Count: 9, Stack: run, Same: 1},
			{Wall: 30 * ms, Until: 30 * ms},
		}},
	} {
		rec, err := Record(truth(), Config{Interval: ms, Timer: c.timer})
		if err != nil {
			t.Fatal(err)
		}
		var got snapshotList
		if _, err := trace.Copy(&got, rec.Events); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got.all); diff != "" {
			t.Errorf("timer %d (-want +got):\n%s", c.timer, diff)
		}
	}
}

// TestMissedTick checks a thread that works for 9 ms and waits for the tick at 10 ms, by hand. A
// sample every 3 ms takes 0.5 ms of the running thread, so the thread arrives at 10.5 ms, misses
// that tick and waits for the one at 20 ms. Samples at 12, 15 and 18 ms are in the wait, and have
// these times.
func TestMissedTick(t *testing.T) {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 10 * ms, Clock: trace.Dual}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "work"})
	rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "wait", Wait: trace.IO, Period: 10 * ms})
	rec.Symbols.AddThread(trace.Thread{TID: 1})
	rec.Events = trace.NewSliceReader([]trace.Event{
		{}, {Wall: 9 * ms, CPU: 9 * ms, Action: trace.Exit}, {Wall: 9 * ms, CPU: 9 * ms, Method: 1}, {Wall: 10 * ms, CPU: 9 * ms, Method: 1, Action: trace.Exit},
	})
	var times []time.Duration
	count(t, rec, Config{Interval: 3 * ms, Timer: WallTimer, MainOnly: true, Cost: Cost{Sample: 500 * us}}, func(s *Sample) { times = append(times, s.Stamp.Wall) })
	if want := []time.Duration{3 * ms, 6 * ms, 9 * ms, 12 * ms, 15 * ms, 18 * ms}; !slices.Equal(times, want) {
		t.Errorf("samples at %v, want %v", times, want)
	}
}
