package thread

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/trace"
)

// hooked returns a truth of one thread: +a enters a, -a leaves it, and a number is a time in µs.
// The first letter of a method's name selects its kind: n allocates, j is native, w waits for a
// lock, and g waits for the collector.
func hooked(text string) *trace.Recording {
	rec := busy(1, 0)
	rec.Symbols.Methods = nil
	ids := map[string]trace.MethodID{}
	var events []trace.Event
	var now, cpu time.Duration
	waits := false // the CPU clock does not advance
	for word := range strings.FieldsSeq(text) {
		var micros int
		if n, _ := fmt.Sscan(word, &micros); n == 1 && word[0] != '+' && word[0] != '-' {
			if !waits {
				cpu += time.Duration(micros)*us - now
			}
			now = time.Duration(micros) * us
			continue
		}
		name := word[1:]
		if _, ok := ids[name]; !ok {
			m := trace.Method{Class: "app.C", Name: name}
			switch name[0] {
			case 'n':
				m.Flags = trace.Allocates
			case 'j':
				m.Flags = trace.Native
			case 'w', 'p':
				m.Wait = trace.Lock
			case 'g':
				m.Wait = trace.GCPause
			}
			ids[name] = rec.Symbols.AddMethod(m)
		}
		action := trace.Enter
		if word[0] == '-' {
			action = trace.Exit
		}
		events = append(events, trace.Event{Wall: now, CPU: cpu, Method: ids[name], Action: action})
		waits = action == trace.Enter && rec.Symbols.Method(ids[name]).Wait != trace.Running
	}
	rec.Info.Elapsed = now
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// TestHooks checks small cases of btrace 3 against the steps of its decoder. Calls end 10 ns after
// their last sample. A blocking call that is longer than the interval is recorded from its start to
// its end, whatever the time of the last sample.
func TestHooks(t *testing.T) {
	for _, c := range []struct{ what, truth, want string }{
		{"allocations, at most each millisecond; equal stacks are one call", "0 +a 10 +n 20 -n 900 +n 1100 -n 1200 +n 1300 -n 2000 -a", "10 +a +n 1200.01 -n -a"},
		{"nothing without a hook", "0 +a 10 +b 5000 -b 9000 -a", ""},
		{"native calls are seen when they begin", "0 +a 10 +j 50 -j 2000 +j 3000 -j 4000 -a", "10 +a +j 2000.01 -j -a"},
		{"a blocking call", "0 +a 100 +w 1500 -w 2000 -a", "100 +a +w 1500.01 -w -a"},
		{"two of the same are not one", "0 +a 100 +w 1500 -w 1600 +w 3000 -w 4000 -a", "100 +a +w 1600 -w +w 3000.01 -w -a"},
		{"a short one after a look", "0 +a 10 +n 20 -n 30 +w 500 -w 600 -a", "10 +a +n 10.01 -n -a"},
		{"the collector's always", "0 +a 10 +n 20 -n 30 +g 500 -g 600 -a", "10 +a +n 10.01 -n 30 +g 500.01 -g -a"},
		{"what called something has no begin of its own", "0 +a 100 +w 200 +b 300 -b 1500 -w 1600 -a", "1500 +a +w 1500.01 -w -a"},
	} {
		rec, events, _ := record(t, hooked(c.truth), Config{Interval: ms, Timer: Hooks, Ends: diffstack.EndLast})
		if got := inWords(rec, events); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.what, got, c.want)
		}
	}
}

// TestParks checks that park is a hook of btrace 3 on the main thread only.
func TestParks(t *testing.T) {
	for thread, want := range []string{"100 +a +park 1500.01 -park -a", ""} {
		truth := hooked("0 +a 100 +park 1500 -park 2000 -a")
		truth.Symbols.AddThread(trace.Thread{TID: 2, Name: "other"})
		var events []trace.Event
		for e := range trace.All(truth.Events) {
			e.Thread = trace.ThreadID(thread)
			events = append(events, e)
		}
		truth.Events = trace.NewSliceReader(events)
		rec, recorded, _ := record(t, truth, Config{Interval: ms, Timer: Hooks, Ends: diffstack.EndLast})
		if got := inWords(rec, recorded); got != want {
			t.Errorf("thread %d: %q, want %q", thread, got, want)
		}
	}
}

// inWords returns a record in the notation of hooked.
func inWords(rec *trace.Recording, events []trace.Event) string {
	var words []string
	last := time.Duration(-1)
	for _, e := range events {
		if e.Wall != last {
			words = append(words, fmt.Sprint(float64(e.Wall)/1e3))
			last = e.Wall
		}
		words = append(words, string("+-"[e.Action])+rec.Symbols.Method(e.Method).Name)
	}
	return strings.Join(words, " ")
}

// TestRing checks that the last 20 s of samples every 50 ms are kept, plus one: 401 samples. In a
// run of 30 s with a call every 100 ms, they start at 9.95 s. Waiting threads are sampled, too.
func TestRing(t *testing.T) {
	var text strings.Builder
	text.WriteString("0 +a")
	for i := range 300 {
		fmt.Fprintf(&text, " %d +w %d -w", i*100_000+10_000, i*100_000+60_000)
	}
	text.WriteString(" 30000000 -a")
	rec, events, stats := record(t, hooked(text.String()), Config{Interval: 50 * ms, Timer: WallTimer, MainOnly: true, Keep: 20 * time.Second, Cost: Cost{Sample: us}})
	// The expiration at 50 ms is during a wait, without delay; that at 100 ms is while the thread
	// runs, and so on. The thread is delayed by 300 µs in total, so the last expirations are at
	// 29.95 s and 30 s.
	if stats.Samples != 600 || stats.Taken[0] != 300*us || rec.Info.Clock != trace.Wall {
		t.Errorf("%d samples took %s, clock %s", stats.Samples, stats.Taken[0], rec.Info.Clock)
	}
	if len(events) < 3 || events[0].Wall != 10*time.Second || events[1].Action != trace.Enter || events[1].Wall != 10*time.Second+50*ms {
		t.Errorf("begins with %+v", events[:min(3, len(events))])
	}
	if len(events) != 1+200*2 {
		t.Errorf("%d events", len(events))
	}
}
