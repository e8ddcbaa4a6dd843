package dumps

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/format"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// summaryOf reads dumps.
func summaryOf(t *testing.T, text string) *Summary {
	t.Helper()
	var c Collector
	s := tracetest.Dumps(t, text, format.DumpConfig{Watch: c.Watch})
	events := make([]trace.Event, trace.BatchSize)
	for {
		if _, err := s.ReadEvents(events); err != nil {
			break
		}
	}
	return c.Summary()
}

// dump returns a dump of ART with the given threads, each a header and lines.
func dump(second string, threads ...string) string {
	return "----- pid 7 at 2024-01-01 00:00:0" + second + " -----\nCmd line: app\n" + strings.Join(threads, "\n") + "\n----- end 7 -----\n\n"
}

const (
	main1 = "\"main\" prio=5 tid=1 Blocked\n  | sysTid=7 nice=0\n  at a.A.run(A.java:1)\n  - waiting to lock <0x0a> (a a.L) held by thread 2\n  - locked <0x0b> (a a.M)"
	main2 = "\"main\" prio=5 tid=1 Native\n  | sysTid=7 nice=0\n  at a.A.poll(Native method)\n  at a.A.run(A.java:2)"
	free  = "\"W\" prio=5 tid=2 Runnable\n  | sysTid=8 nice=0\n  at a.W.work(W.java:1)\n  - locked <0x0a> (a a.L)"
	stuck = "\"W\" prio=5 tid=2 Blocked\n  | sysTid=8 nice=0\n  at a.W.work(W.java:1)\n  - waiting to lock <0x0b> (a a.M) held by thread 1\n  - locked <0x0a> (a a.L)"
	third = "\"X\" prio=5 tid=3 Blocked\n  | sysTid=9 nice=0\n  at a.X.run(X.java:1)\n  - waiting to lock <0x0a> (a a.L)"
	sleep = "\"W\" prio=5 tid=2 Waiting\n  | sysTid=8 nice=0\n  at java.lang.Object.wait(Native method)\n  - waiting on <0x0a> (a a.L)\n  at a.W.work(W.java:1)\n  - locked <0x0a> (a a.L)"
)

// names returns the names of the threads of a chain.
func names(chain []LockWait) string {
	var list []string
	for _, l := range chain {
		list = append(list, l.Thread)
	}
	return strings.Join(list, " ")
}

// TestSummary checks the state, stack and methods that occur in most dumps.
func TestSummary(t *testing.T) {
	s := summaryOf(t, dump("1", free, main1)+dump("2", free, main2)+dump("3", free, main2)+strings.ReplaceAll(dump("4", main1), "pid 7", "pid 8"))
	if s.Dumps != 3 || s.Others != 1 || s.Process != "app" || len(s.Threads) != 2 {
		t.Fatalf("%d dumps, %d others, of %q, %d threads", s.Dumps, s.Others, s.Process, len(s.Threads))
	}
	m := s.Threads[0]
	if m.Name != "main" || m.Dumps != 3 || m.State != "Native" || m.Same != 2 || len(m.Stack) != 2 || m.Stack[0].Method != "poll" {
		t.Errorf("%+v", m)
	}
	got := map[string]Counts{}
	for _, m := range m.Methods {
		got[m.Frame.Method] = Counts{got[m.Frame.Method].Self + m.Self, got[m.Frame.Method].Total + m.Total}
	}
	if diff := cmp.Diff(map[string]Counts{"poll": {2, 2}, "run": {1, 3}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := names(m.Waits); got != "main W" { // from the first dump: main does not wait in later ones
		t.Errorf("main waits for %s", got)
	}
}

// TestDumpLocks checks chains of waiting threads. They follow the holder's number or the object,
// end with a thread that does not wait, and close in a deadlock. A thread in Object.wait does not
// hold the object.
func TestDumpLocks(t *testing.T) {
	s := summaryOf(t, dump("1", main1, free, third))
	if got := []string{names(s.Threads[0].Waits), names(s.Threads[2].Waits)}; got[0] != "main W" || got[1] != "X W" || len(s.Deadlocks) != 0 {
		t.Errorf("waits %q, deadlocks %v", got, s.Deadlocks)
	}
	if b := s.Blocked(); len(b) != 1 || b[0].Holder != "W" || strings.Join(b[0].Waiters, " ") != "main X" || b[0].Lock.Object != "<0x0a>" {
		t.Errorf("blocked: %+v", b)
	}
	s = summaryOf(t, dump("1", main1, stuck, third)+dump("2", main1, stuck, third))
	if got := names(s.Threads[0].Waits); got != "main W main" {
		t.Errorf("main waits for %s", got)
	}
	if len(s.Deadlocks) != 1 || names(s.Deadlocks[0]) != "main W" {
		t.Errorf("deadlocks %v, want one of main and W", s.Deadlocks)
	}
	s = summaryOf(t, dump("1", sleep, third))
	if got := names(s.Threads[1].Waits); got != "X" || len(s.Blocked()) != 0 {
		t.Errorf("X waits for %s, blocked %v", got, s.Blocked())
	}
}

// TestClopperPearson checks intervals of R's binom.test: 57.19 to 98.22 % for 12 of 14, and 0 to
// 30.85 % for 0 of 10.
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{12, 14, 0.5719, 0.9822}, {0, 10, 0, 0.3085}, {10, 10, 0.6915, 1}, {1, 1, 0.025, 1}} {
		low, high := clopperPearson(c.k, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

// TestFramesOfEachDump checks that a dump of a runtime's process without managed frames, before the
// others, does not make the native frames of the others count.
func TestFramesOfEachDump(t *testing.T) {
	bare := "\"main\" prio=5 tid=1 Native\n  | sysTid=7 nice=0\n  native: #00 pc 0000000000001000  /apex/libc.so (read+20)"
	mixed := bare + "\n  at a.A.poll(Native method)"
	s := summaryOf(t, dump("1", bare)+dump("2", mixed)+dump("3", mixed))
	got := map[string]int{}
	for _, m := range s.Threads[0].Methods {
		got[strings.TrimPrefix(m.Frame.Class+"."+m.Frame.Method, ".")] = m.Total
	}
	if diff := cmp.Diff(map[string]int{"read": 1, "a.A.poll": 2}, got); diff != "" {
		t.Error(diff)
	}
}
