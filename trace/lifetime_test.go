package trace

import (
	"testing"
	"time"
)

// TestLifetimes checks every rule of [Lifetimes] on a thread with its last event at 30, in a trace
// of 100.
func TestLifetimes(t *testing.T) {
	for _, c := range []struct {
		name        string
		thread      Thread
		technique   Technique
		open        bool
		end, latest time.Duration
	}{
		{"recorded end", Thread{End: 60, AtStop: Alive}, Instrumented, true, 60, 60},
		{"recorded end before the last event", Thread{End: 20}, Sampled, true, 30, 30},
		{"truth", Thread{}, Truth, false, 100, 100},
		{"alive, every call", Thread{AtStop: Alive}, Instrumented, false, 100, 100},
		{"alive, sampled", Thread{AtStop: Alive}, Sampled, true, 100, 100},
		{"exited, sampled", Thread{AtStop: Exited}, Sampled, true, 30, 100},
		{"exited, no frames", Thread{AtStop: Exited}, Instrumented, false, 30, 30},
		{"not stated, every call", Thread{}, Instrumented, true, 100, 100},
		{"not stated, no frames", Thread{}, Instrumented, false, 30, 30},
		{"not stated, sampled", Thread{}, Sampled, true, 30, 100},
		{"not stated, unknown technique", Thread{}, UnknownTechnique, true, 100, 100},
	} {
		rec := &Recording{Info: Info{Elapsed: 100}, Symbols: &Symbols{Threads: []Thread{c.thread}}}
		end, latest := NewLifetimes(rec, c.technique, 40).End(0, 30, c.open)
		if end != c.end || latest != c.latest {
			t.Errorf("%s: end %d, latest %d, want %d and %d", c.name, end, latest, c.end, c.latest)
		}
	}
}

func TestStop(t *testing.T) {
	for _, c := range []struct {
		info Info
		want time.Duration
	}{
		{Info{Elapsed: 100}, 100},
		{Info{Elapsed: 10}, 40}, // a file written while threads continued
		{Info{}, 40},
		{Info{Elapsed: 100, Overflow: true}, 40},
		{Info{Elapsed: 25 * time.Hour}, 40},
		{Info{Elapsed: 25 * time.Hour, Technique: Truth}, 25 * time.Hour},
	} {
		if got := (&Recording{Info: c.info}).Stop(40); got != c.want {
			t.Errorf("%+v: stop %v, want %v", c.info, got, c.want)
		}
	}
}
