package workload

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
)

// schedLog collects the scheduling events of the cores.
type schedLog struct {
	trace.Buffer
	facts []trace.SchedEvent
}

func (f *schedLog) WriteSched(events []trace.SchedEvent) error {
	f.facts = append(f.facts, events...)
	return nil
}

// schedule returns a truth of p and its scheduling.
func schedule(t *testing.T, p *Program, cfg Config) (*trace.Recording, *schedLog) {
	t.Helper()
	rec := truthOf(t, p, cfg)
	f := &schedLog{}
	if _, err := trace.Copy(f, rec.Events); err != nil {
		t.Fatal(err)
	}
	return rec, f
}

// lines returns the scheduling as text, without wakeups, which an auditor checks.
func (f *schedLog) lines(rec *trace.Recording) string {
	name := func(id int) string {
		if id == trace.NoThread {
			return "idle"
		}
		return rec.Symbols.Threads[id].Name
	}
	var b strings.Builder
	for _, e := range f.facts {
		if e.Kind == trace.SchedWaking || e.Kind == trace.SchedBlocked {
			continue
		}
		fmt.Fprintf(&b, "%v core %d ", e.Wall, e.Core)
		switch e.Kind {
		case trace.SchedSwitch:
			fmt.Fprintf(&b, "%s %c to %s\n", name(e.Prev), "RSDX"[e.State], name(e.Next))
		case trace.SchedWakeup:
			fmt.Fprintf(&b, "%s wakes\n", name(e.Next))
		case trace.CoreSpeed:
			fmt.Fprintf(&b, "%d kHz\n", e.Value)
		case trace.CoreIdle:
			fmt.Fprintf(&b, "idle state %d\n", e.Value)
		}
	}
	return b.String()
}

// TestSlicesWithoutContention checks that slices follow each other while no other thread waits. A
// thread that arrives at 9 ms waits for the end of the third slice, at 12 ms, because the used part
// of the current slice counts.
func TestSlicesWithoutContention(t *testing.T) {
	rec, f := schedule(t, mustRead(t, strings.Replace(twoOnOne, "name: b,", "name: b, start: 9ms,", 1)), Config{})
	got := f.lines(rec)
	if want := "9ms core 0 b wakes\n12ms core 0 a R to b\n16ms core 0 b R to a\n"; !strings.Contains(got, want) {
		t.Errorf("the core:\n%swant in it\n%s", got, want)
	}
}

// TestThreadEndsWhileWaiting checks a thread b that ends at 2 ms without having had a core. Without
// it, a does its 10 ms at half the speed.
func TestThreadEndsWhileWaiting(t *testing.T) {
	rec, f := schedule(t, mustRead(t, strings.Replace(twoOnOne, "name: b,", "name: b, end: 2ms,", 1)), Config{})
	want := `0s core 0 idle state 0
0s core 0 a wakes
0s core 0 b wakes
0s core 0 idle state -1
0s core 0 idle R to a
20ms core 0 a X to idle
20ms core 0 idle state 0
`
	if diff := cmp.Diff(want, f.lines(rec)); diff != "" {
		t.Errorf("the core (-want +got):\n%s", diff)
	}
}

// twoOnOne has two threads that each work for 10 ms and end, on one core of half speed, in slices
// of 4 ms: 40 ms in total. First a runs for 4 ms, then b for 4 ms, and so on; each has the core
// five times.
const twoOnOne = `
name: two
cores: [{speed: 0.5}]
slice: 4ms
duration: 1s
methods:
  A.work: {do: [{self: 10ms}]}
threads:
  - {name: a, do: [{call: A.work}]}
  - {name: b, do: [{call: A.work}]}
`

// TestSlices checks slices worked out by hand. b waits from 0 to 4, 8 to 12 … ms, and a from 4 to 8
// … ms. At speed 0.5, 10 ms of work take 20 ms on the core, so a ends at 36 ms and b at 40 ms. CPU
// times start at 100 us.
func TestSlices(t *testing.T) {
	rec, f := schedule(t, mustRead(t, twoOnOne), Config{})
	want := `0s core 0 idle state 0
0s core 0 a wakes
0s core 0 b wakes
0s core 0 idle state -1
0s core 0 idle R to a
4ms core 0 a R to b
8ms core 0 b R to a
12ms core 0 a R to b
16ms core 0 b R to a
20ms core 0 a R to b
24ms core 0 b R to a
28ms core 0 a R to b
32ms core 0 b R to a
36ms core 0 a X to b
40ms core 0 b X to idle
40ms core 0 idle state 0
`
	if diff := cmp.Diff(want, f.lines(rec)); diff != "" {
		t.Errorf("the core (-want +got):\n%s", diff)
	}
	var calls []string
	for _, e := range f.Events {
		if e.Method == 0 {
			calls = append(calls, fmt.Sprint(rec.Symbols.Thread(e.Thread), " ", e.Action, " ", e.Wall, " ", e.CPU))
		}
	}
	wantCalls := []string{"a enter 0s 100µs", "b enter 4ms 100µs", "a exit 36ms 20.1ms", "b exit 40ms 20.1ms"}
	if diff := cmp.Diff(wantCalls, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if rec.Info.Elapsed != 40*time.Millisecond {
		t.Errorf("%s long, want 40ms", rec.Info.Elapsed)
	}
}

// TestPriorities checks preemption by hand. ui (priority 100) wakes at 5, 10, 15 and 20 ms, and
// works for 2 ms except the last time; it preempts any thread immediately. The third thread arrives
// at 1 ms with main's priority and waits for the end of main's slice of 4 ms. It has the core from
// 4 to 5 ms and, because its slice continues, from 7 to 10 ms, when its 4 ms of work are done. Main
// has done 4 ms of its 12 by then, 3 more at 15, 3 more at 20, and the last 2 at 22 ms.
func TestPriorities(t *testing.T) {
	rec, f := schedule(t, mustRead(t, `
name: priorities
cores: [{}]
duration: 30ms
methods:
  A.work: {do: [{self: 12ms}]}
  A.short: {do: [{self: 4ms}]}
  A.frame: {do: [{self: 2ms}, {call: A.wait}]}
  A.wait: {wait: lock, do: [{self: 3ms}]}
threads:
  - {name: main, do: [{call: A.work}]}
  - {name: third, start: 1ms, do: [{call: A.short}]}
  - {name: ui, priority: 100, start: 5ms, do: [{loop: 3, do: [{call: A.frame}]}]}
`), Config{})
	want := `0s core 0 idle state 0
0s core 0 main wakes
0s core 0 idle state -1
0s core 0 idle R to main
1ms core 0 third wakes
4ms core 0 main R to third
5ms core 0 ui wakes
5ms core 0 third R to ui
7ms core 0 ui S to third
10ms core 0 ui wakes
10ms core 0 third X to ui
12ms core 0 ui S to main
15ms core 0 ui wakes
15ms core 0 main R to ui
17ms core 0 ui S to main
20ms core 0 ui wakes
20ms core 0 main R to ui
20ms core 0 ui X to main
22ms core 0 main X to idle
22ms core 0 idle state 0
`
	if diff := cmp.Diff(want, f.lines(rec)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestClocks checks a core with clocks of 500, 1000 and 2000 MHz that rise every 2 ms. It does a
// quarter, half and all of the work of its speed. Of 10 ms, 0.5 are done at 2 ms, 1.5 at 4 ms, and
// the other 8.5 at 12.5 ms. After 1 ms of waiting it keeps its clock. After 2 ms, at 19.5 ms, it
// starts at the lowest clock: 1 ms of work is done at 19.5 + 2 + 1 = 22.5 ms.
func TestClocks(t *testing.T) {
	rec, f := schedule(t, mustRead(t, `
name: clocks
cores: [{mhz: [500, 1000, 2000], ramp: 2ms}]
duration: 30ms
methods:
  A.work: {do: [{self: 10ms}, {call: A.one}, {self: 4ms}, {call: A.two}, {self: 1ms}]}
  A.one: {wait: sleep, do: [{self: 1ms}]}
  A.two: {wait: io, do: [{self: 2ms}]}
threads:
  - {name: main, do: [{call: A.work}]}
`), Config{})
	want := `0s core 0 500000 kHz
0s core 0 idle state 0
0s core 0 main wakes
0s core 0 idle state -1
0s core 0 idle R to main
2ms core 0 1000000 kHz
4ms core 0 2000000 kHz
12.5ms core 0 main S to idle
12.5ms core 0 idle state 0
13.5ms core 0 main wakes
13.5ms core 0 idle state -1
13.5ms core 0 idle R to main
17.5ms core 0 main D to idle
17.5ms core 0 idle state 0
19.5ms core 0 main wakes
19.5ms core 0 idle state -1
19.5ms core 0 500000 kHz
19.5ms core 0 idle R to main
21.5ms core 0 1000000 kHz
22.5ms core 0 main X to idle
22.5ms core 0 idle state 0
`
	if diff := cmp.Diff(want, f.lines(rec)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCoreChoice checks three threads on a slow core (0) and a fast one (1). a takes the fast core,
// and b the slow one. c, which is more urgent, arrives at 1 ms and takes the slower core, because
// both threads have the same priority. b continues where a has ended, on the fast core.
func TestCoreChoice(t *testing.T) {
	rec, f := schedule(t, mustRead(t, `
name: choice
cores: [{speed: 0.5}, {speed: 1}]
duration: 30ms
methods:
  A.two: {do: [{self: 2ms}]}
  A.five: {do: [{self: 5ms}]}
threads:
  - {name: a, do: [{call: A.two}]}
  - {name: b, do: [{call: A.two}]}
  - {name: c, priority: 90, start: 1ms, do: [{call: A.five}]}
`), Config{})
	want := `0s core 0 idle state 0
0s core 1 idle state 0
0s core 1 a wakes
0s core 0 b wakes
0s core 0 idle state -1
0s core 0 idle R to b
0s core 1 idle state -1
0s core 1 idle R to a
1ms core 0 c wakes
1ms core 0 b R to c
2ms core 1 a X to b
3.5ms core 1 b X to idle
3.5ms core 1 idle state 0
11ms core 0 c X to idle
11ms core 0 idle state 0
`
	if diff := cmp.Diff(want, f.lines(rec)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestScheduledTooLong checks the maximum of 100 hours, because times on cores are counted in
// thousandths of a ns.
func TestScheduledTooLong(t *testing.T) {
	if _, err := mustRead(t, twoOnOne).Truth(Config{Duration: 101 * time.Hour}); err == nil || !strings.Contains(err.Error(), "must be at most 100h0m0s") {
		t.Errorf("101 hours: %v", err)
	}
}
