package writer_test

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"artifice/trace"
	"artifice/writer"
)

// TestPprofOnTwoCores: the profile is the same on one core and on two, with lots of
// events that end in a batch, between two and nowhere.
// All n events are there, and the last is n - 1 microseconds behind the first.
func TestPprofOnTwoCores(t *testing.T) {
	for _, n := range []int{1, 2, 1 << 19, 1<<19 + 1, 1<<19 + 1<<14, 700_000} {
		var profiles [2]bytes.Buffer
		for i := range profiles {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(i + 1))
			rec := &trace.Recording{Symbols: &trace.Symbols{}}
			rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
			rec.Symbols.AddMethod(trace.Method{ID: 4, Class: "C", Name: "a"})
			w, err := writer.NewPprof(&profiles[i], rec, writer.PprofConfig{})
			if err != nil {
				t.Fatal(err)
			}
			events := make([]trace.Event, n)
			for at := range events {
				us := time.Duration(at) * time.Microsecond
				events[at] = trace.Event{Action: trace.Action(at % 2), Wall: us, CPU: us}
			}
			for rest := events; len(rest) > 0; {
				k := min(len(rest), 4096)
				if err := w.WriteEvents(rest[:k]); err != nil {
					t.Fatal(err)
				}
				rest = rest[k:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if stats := w.Stats(); stats.Events != int64(n) || stats.Last != time.Duration(n-1)*time.Microsecond {
				t.Errorf("%d events on %d cores: %d were added, the last at %v", n, i+1, stats.Events, stats.Last)
			}
		}
		if !bytes.Equal(profiles[0].Bytes(), profiles[1].Bytes()) {
			t.Errorf("%d events: the profile differs on two cores", n)
		}
	}
}
