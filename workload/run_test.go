package workload

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
)

// TestEveryStep checks a program that uses every kind of step with fixed times. The events are
// computed by hand.
func TestEveryStep(t *testing.T) {
	p := mustRead(t, `
name: steps
duration: 1ms
methods:
  a.Main.root()V:
  a.Main.run()V:
    do:
      - self: 10us
      - call: a.Main.leaf
      - loop: 2
        do: [{self: 1us}, {call: a.Main.leaf}]
      - loop: 0
        do: [{call: a.Main.never}]
      - choose:
          - {weight: 0, do: [{call: a.Main.never}]}
          - {weight: 3, do: [{self: 2us}]}
          - {weight: 0, do: [{call: a.Main.never}]}
      - call: a.Main.never
        prob: 0
      - call: a.Main.risky
        catch: true
      - call: a.Main.poll
      - call: a.Main.deep
  a.Main.leaf()V: {do: [{self: 5us}]}
  a.Main.never()V:
  a.Main.risky()V:
    do:
      - loop: 3
        do:
          - call: a.Main.inner
      - call: a.Main.never
  a.Main.inner()V:
    do:
      - {self: 1us}
      - {throw: a.Failure.<init>}
      - {call: a.Main.never}
  a.Failure.<init>()V: {do: [{self: 1us}]}
  a.Main.poll()V: {wait: io, flags: native, do: [{until_next: 40us}]}
  a.Main.deep()V:
    do:
      - {call: a.Main.deep, below: 4}
      - {self: 7us, from: 4}
threads:
  - name: main
    tid: 5
    cpu: 1us
    stack: [a.Main.root]
    do:
      - call: a.Main.run
`)
	const want = `0 1000 5 enter a.Main.root()V
0 1000 5 enter a.Main.run()V	@1
10000 11000 5 enter a.Main.leaf()V	@1
15000 16000 5 exit a.Main.leaf()V
16000 17000 5 enter a.Main.leaf()V	@2
21000 22000 5 exit a.Main.leaf()V
22000 23000 5 enter a.Main.leaf()V	@2
27000 28000 5 exit a.Main.leaf()V
29000 30000 5 enter a.Main.risky()V	@7
29000 30000 5 enter a.Main.inner()V	@1
30000 31000 5 enter a.Failure.<init>()V	@1
31000 32000 5 exit a.Failure.<init>()V
31000 32000 5 unwind a.Main.inner()V
31000 32000 5 unwind a.Main.risky()V
31000 32000 5 enter a.Main.poll()V	@8
40000 32000 5 exit a.Main.poll()V
40000 32000 5 enter a.Main.deep()V	@9
40000 32000 5 enter a.Main.deep()V	@1
47000 39000 5 exit a.Main.deep()V
47000 39000 5 exit a.Main.deep()V
47000 39000 5 exit a.Main.run()V
47000 39000 5 exit a.Main.root()V
`
	rec := truthOf(t, p, Config{})
	if main := rec.Symbols.Threads[0]; main.Open != 1 || main.End != 0 {
		t.Errorf("before reading: %+v, want 1 frame open and no end", main)
	}
	if diff := cmp.Diff(want, textOf(t, rec)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if end := rec.Symbols.Threads[0].End; end != 47*time.Microsecond || rec.Info.Elapsed != end {
		t.Errorf("thread ends at %v, truth at %v, want 47us", end, rec.Info.Elapsed)
	}
}

// TestStackReturns checks that frames that are open at the start return one by one and continue.
// The events are computed by hand.
func TestStackReturns(t *testing.T) {
	p := mustRead(t, `
name: returns
duration: 100us
methods:
  a.M.outer()V:
  a.M.middle()V: {wait: lock}
  a.M.inner()V:
  a.M.leaf()V: {do: [{self: 30us}]}
threads:
  - name: main
    tid: 1
    cpu: 1us
    stack:
      - {frame: a.M.outer, then: [{self: 5us}, {loop: forever, do: [{call: a.M.leaf}]}]}
      - {frame: a.M.middle, then: [{self: 7us}]}
      - a.M.inner
    do: [{self: 10us}]
`)
	const want = `0 1000 1 enter a.M.outer()V
0 1000 1 enter a.M.middle()V
0 1000 1 enter a.M.inner()V
10000 11000 1 exit a.M.inner()V
17000 11000 1 exit a.M.middle()V
22000 16000 1 enter a.M.leaf()V	@1
52000 46000 1 exit a.M.leaf()V
52000 46000 1 enter a.M.leaf()V	@1
82000 76000 1 exit a.M.leaf()V
82000 76000 1 enter a.M.leaf()V	@1
`
	rec := truthOf(t, p, Config{})
	if diff := cmp.Diff(want, textOf(t, rec)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	e, err := p.expect(0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{5000, 7000, 10000, 0}, e.Once.Self); diff != "" {
		t.Errorf("self time in ns before the loop (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{0, 0, 0, 30000}, e.Round.Self); diff != "" {
		t.Errorf("self time in ns of a round (-want +got):\n%s", diff)
	}
}

// fourThreads has a thread of each kind: main continues after the truth's end, the second ends by
// itself, the third by an uncaught exception, and the fourth at the time stated in the file. A
// fifth begins after the end.
const fourThreads = `
name: fates
duration: 100us
methods:
  a.M.a()V: {do: [{self: 30us}]}
  a.M.b()V: {do: [{self: 30us}]}
  a.M.bad()V: {do: [{self: 1us}, {throw: a.E.<init>}]}
  a.E.<init>()V:
threads:
  - {name: main, tid: 1, cpu: 1us, stack: [a.M.a], do: [{loop: forever, do: [{call: a.M.b}]}]}
  - {name: late, tid: 2, cpu: 1us, start: 200us, do: [{call: a.M.a}]}
  - {name: short, tid: 3, cpu: 1us, start: 30us, stack: [a.M.a], do: [{call: a.M.b}]}
  - {name: dies, tid: 4, cpu: 1us, stack: [a.M.a], do: [{call: a.M.bad}, {call: a.M.b}]}
  - {name: cut, tid: 5, cpu: 1us, end: 45us, stack: [a.M.a], do: [{call: a.M.b}, {call: a.M.b}]}
  - {name: idle, tid: 6, cpu: 1us, end: 50us, stack: [a.M.a]}
  - {name: silent, tid: 7}
`

// TestThreadEndsAndTies checks ends of threads, and the order of equal times, computed by hand.
func TestThreadEndsAndTies(t *testing.T) {
	rec := truthOf(t, mustRead(t, fourThreads), Config{})
	const want = `0 1000 1 enter a.M.a()V
0 1000 1 enter a.M.b()V	@1
0 1000 4 enter a.M.a()V
0 1000 4 enter a.M.bad()V	@1
0 1000 5 enter a.M.a()V
0 1000 5 enter a.M.b()V	@1
0 1000 6 enter a.M.a()V
1000 2000 4 enter a.E.<init>()V	@1
1000 2000 4 exit a.E.<init>()V
1000 2000 4 unwind a.M.bad()V
1000 2000 4 unwind a.M.a()V
30000 31000 1 exit a.M.b()V
30000 31000 1 enter a.M.b()V	@1
30000 31000 5 exit a.M.b()V
30000 31000 5 enter a.M.b()V	@2
30000 1000 3 enter a.M.a()V
30000 1000 3 enter a.M.b()V	@1
45000 46000 5 exit a.M.b()V
45000 46000 5 exit a.M.a()V
50000 1000 6 exit a.M.a()V
60000 61000 1 exit a.M.b()V
60000 61000 1 enter a.M.b()V	@1
60000 31000 3 exit a.M.b()V
60000 31000 3 exit a.M.a()V
90000 91000 1 exit a.M.b()V
90000 91000 1 enter a.M.b()V	@1
`
	if diff := cmp.Diff(want, textOf(t, rec)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	type life struct {
		name       string
		start, end time.Duration
		open       int
	}
	var got []life
	for _, th := range rec.Symbols.Threads {
		got = append(got, life{th.Name, th.Start / time.Microsecond, th.End / time.Microsecond, th.Open})
	}
	wantLives := []life{{"main", 0, 0, 1}, {"dies", 0, 1, 1}, {"cut", 0, 45, 1}, {"idle", 0, 50, 1}, {"silent", 0, 0, 0}, {"short", 30, 60, 0}}
	if diff := cmp.Diff(wantLives, got, cmp.AllowUnexported(life{})); diff != "" {
		t.Errorf("lifetimes in us (-want +got):\n%s", diff)
	}
	if rec.Info.Elapsed != 100*time.Microsecond {
		t.Errorf("elapsed %v, want 100us: main continues after the end", rec.Info.Elapsed)
	}
}

// TestEndIsSetBeforeLastEvent checks that a truth sets a thread's end before it returns the
// thread's last event (see trace.Thread).
func TestEndIsSetBeforeLastEvent(t *testing.T) {
	rec := truthOf(t, mustRead(t, fourThreads), Config{})
	last := map[trace.ThreadID]time.Duration{}
	end := map[trace.ThreadID]time.Duration{}
	one := make([]trace.Event, 1)
	for {
		if n, _ := rec.Events.ReadEvents(one); n == 0 {
			break
		}
		last[one[0].Thread] = one[0].Wall
		end[one[0].Thread] = rec.Symbols.Threads[one[0].Thread].End
	}
	for id, th := range rec.Symbols.Threads {
		if th.End > 0 && (end[trace.ThreadID(id)] != th.End || last[trace.ThreadID(id)] != th.End) {
			t.Errorf("%s: end %v; at its last event, at %v, it was %v", th.Name, th.End, last[trace.ThreadID(id)], end[trace.ThreadID(id)])
		}
	}
}
