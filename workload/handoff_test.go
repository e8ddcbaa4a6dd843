package workload

import (
	"strings"
	"testing"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// every pauses the app. The starts of pauses have a fixed distance.
type every struct{ period, pause time.Duration }

func (e every) NextPause(wall time.Duration) (p recorder.Pause, ok bool) {
	k := max(1, (wall-e.pause)/e.period)
	for k*e.period+e.pause <= wall {
		k++
	}
	return recorder.Pause{From: k * e.period, To: k*e.period + e.pause}, true
}

func (every) Event(trace.ThreadID, time.Duration, trace.MethodID) time.Duration { return 0 }

// times returns the times at which a thread enters or leaves a method.
func times(t *testing.T, p *Program, cfg Config, thread, method string, action trace.Action) (at []time.Duration) {
	t.Helper()
	rec, err := p.Truth(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b trace.Buffer
	if _, err := trace.Copy(&b, rec.Events); err != nil {
		t.Fatal(err)
	}
	for _, e := range b.Events {
		if rec.Symbols.Thread(e.Thread).Name == thread && rec.Symbols.Method(e.Method).Name == method && e.Action == action {
			at = append(at, e.Wall)
		}
	}
	return at
}

const lockers = `
name: lockers
duration: 100ms
methods:
  a.Lock.enter()V: {wait: lock, do: [{lock: cache}]}
  a.Lock.hold()V: {do: [{self: 3ms}]}
  a.Lock.exit()V: {do: [{unlock: cache}]}
  a.Work.run()V: {do: [{call: a.Lock.enter}, {call: a.Lock.hold}, {call: a.Lock.exit}]}
threads:
  - {name: main, do: [{call: a.Work.run}]}
  - {name: second, do: [{self: 1ms}, {call: a.Work.run}]}
  - {name: third, do: [{self: 2ms}, {call: a.Work.run}]}
`

// TestLock checks three threads that request a lock at 0, 1 and 2 ms, and hold it for 3 ms each, in
// that order. The times are computed by hand. With pauses of 1 ms every 4 ms, earlier pauses delay
// each part.
func TestLock(t *testing.T) {
	const ms = time.Millisecond
	p := mustRead(t, lockers)
	for thread, want := range map[string][2]time.Duration{"main": {0, 0}, "second": {3 * ms, 3 * ms}, "third": {6 * ms, 7 * ms}} {
		for i, cfg := range []Config{{}, {Tracer: every{4 * ms, ms}}} {
			if got := times(t, p, cfg, thread, "enter", trace.Exit); len(got) != 1 || got[0] != want[i] {
				t.Errorf("%s has the lock at %v, want %v", thread, got, want[i])
			}
		}
	}
}

const handlers = `
name: handlers
duration: 100ms
methods:
  a.Queue.take()V: {wait: lock, do: [{take: frames}]}
  a.Queue.put()V: {do: [{put: frames}]}
  a.Future.get()V: {wait: lock, do: [{await: ready}]}
  a.Future.set()V: {do: [{complete: ready}]}
  a.Decode.run()V: {do: [{self: 2ms}]}
  a.Draw.run()V: {do: [{self: 5ms}]}
threads:
  - {name: main, do: [{call: a.Future.get}, {loop: 3, do: [{call: a.Queue.take}, {call: a.Draw.run}]}]}
  - {name: decoder, do: [{call: a.Decode.run}, {call: a.Future.set}, {loop: 3, do: [{call: a.Decode.run}, {call: a.Queue.put}]}]}
  - {name: late, do: [{self: 9ms}, {call: a.Future.get}]}
`

// TestQueueAndFuture checks a decoder that is ready at 2 ms and puts frames at 4, 6 and 8 ms, while
// main draws each frame for 5 ms. A thread that arrives after the future is complete does not wait.
// The times are computed by hand.
func TestQueueAndFuture(t *testing.T) {
	const ms = time.Millisecond
	p := mustRead(t, handlers)
	for _, c := range []struct {
		thread, method string
		want           []time.Duration
	}{
		{"main", "get", []time.Duration{2 * ms}},
		{"late", "get", []time.Duration{9 * ms}},
		{"main", "take", []time.Duration{4 * ms, 9 * ms, 14 * ms}},
	} {
		got := times(t, p, Config{}, c.thread, c.method, trace.Exit)
		if len(got) != len(c.want) {
			t.Fatalf("%s leaves %s at %v, want %v", c.thread, c.method, got, c.want)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s leaves %s at %v, want %v", c.thread, c.method, got, c.want)
			}
		}
	}
}

// TestHandoffsRefused checks that incomplete handoffs are rejected in one sentence, with line and
// column: handoffs that no step releases, gives or waits for; waits outside of methods that wait;
// and cycles of waits.
func TestHandoffsRefused(t *testing.T) {
	for _, c := range []struct{ methods, threads, want string }{
		{"a.A.lock()V: {wait: lock, do: [{lock: x}]}", "{name: main, do: [{call: a.A.lock}]}", `x.yaml:4:34: lock x is never released: no step has unlock: x`},
		{"a.A.take()V: {wait: lock, do: [{take: x}]}", "{name: main, do: [{call: a.A.take}]}", `4:34: threads wait here forever: no step has put: x`},
		{"a.A.set()V: {do: [{complete: x}]}", "{name: main, do: [{call: a.A.set}]}", `4:21: no step waits for this step; add a step with await: x`},
		{"a.A.lock()V: {do: [{lock: x}, {unlock: x}]}", "{name: main, do: [{call: a.A.lock}]}", `4:22: only a method with a wait, such as wait: lock, can have this step`},
		{"a.A.lock()V: {wait: lock, do: [{lock: x}, {unlock: x}, {self: 1ms}]}", "{name: main, do: [{call: a.A.lock}]}", `4:58: a method that waits for another thread (line 4) cannot also wait for a time`},
		{"a.A.f()V: {do: [{unlock: x}]}", "{name: main, do: [{lock: x}, {call: a.A.f}]}", `6:23: only a method with a wait can have this step`},
		{"a.A.f()V: {wait: lock, do: [{put: x}, {lock: x}]}", "{name: main, do: [{call: a.A.f}]}", `4:48: x is a queue in line 4, and a lock here; rename one of them`},
		{"a.A.f()V: {do: [{put: a b}]}", "{name: main, do: [{call: a.A.f}]}", `4:25: the name of a queue must be one word`},
		{"a.A.f()V: {wait: lock, do: [{until_next: 0ms}]}", "{name: main, do: [{call: a.A.f}]}", `4:44: a period must be above 0`},
	} {
		text := "name: x\nduration: 1s\nmethods:\n  " + c.methods + "\nthreads:\n  - " + c.threads + "\n"
		_, err := ReadYAML(strings.NewReader(text), "x.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.methods, err, c.want)
		}
	}
}

// TestUnboundedWait checks errors of handoffs that occur only when threads run.
func TestUnboundedWait(t *testing.T) {
	const methods = "name: x\nduration: 1s\nmethods:\n" +
		"  a.A.lockX()V: {wait: lock, do: [{lock: x}]}\n" +
		"  a.A.lockY()V: {wait: lock, do: [{lock: y}]}\n" +
		"  a.A.unlock()V: {do: [{unlock: x}, {unlock: y}]}\n" +
		"  a.A.take()V: {wait: lock, do: [{take: q}]}\n" +
		"  a.A.put()V: {do: [{put: q}]}\n" +
		"  a.A.work()V: {do: [{self: 1ms}]}\n" +
		"  a.A.see()V: {wait: lock, do: [{await: f}]}\n" +
		"  a.A.set()V: {do: [{complete: f}]}\n" +
		"  a.A.see2()V: {wait: lock, do: [{await: g}]}\n" +
		"  a.A.set2()V: {do: [{complete: g}]}\nthreads:\n"
	const busy = "  - {name: busy, do: [{loop: forever, do: [{call: a.A.work}]}]}\n" // so that time advances
	for _, c := range []struct{ threads, want string }{
		{"  - {name: main, do: [{call: a.A.lockX}, {call: a.A.work}, {call: a.A.lockY}, {call: a.A.unlock}]}\n" +
			"  - {name: other, do: [{call: a.A.lockY}, {call: a.A.work}, {call: a.A.lockX}, {call: a.A.unlock}]}\n",
			"x.yaml:4:35: a cycle of waits at 1ms: other for lock x (line 4), which main has; main for lock y (line 5), which other has"},
		{"  - {name: main, do: [{call: a.A.lockX}, {call: a.A.lockX}]}\n",
			"x.yaml:4:35: thread main waits at 0s for lock x, which it holds itself"},
		{"  - {name: main, do: [{call: a.A.lockX}, {call: a.A.work}]}\n",
			"x.yaml:4:35: lock x is never released: thread main ends at 1ms and holds the lock"},
		{"  - {name: main, do: [{call: a.A.unlock}]}\n",
			"x.yaml:6:24: thread main releases lock x at 0s, but does not hold it"},
		{"  - {name: \"w%d\", count: 2, do: [{call: a.A.work}, {call: a.A.take}, {call: a.A.put}]}\n  - {name: idle}\n",
			"x.yaml:7:34: all threads wait forever from 1ms on: w1 for queue q (line 7); w2 for queue q (line 7)"},
		{"  - {name: main, do: [{call: a.A.take}, {call: a.A.put}]}\n" + busy,
			"x.yaml:7:34: a cycle of waits at 0s: main for queue q (line 7), where only main puts items"},
		{"  - {name: main, do: [{call: a.A.lockX}, {call: a.A.work}, {call: a.A.take}, {call: a.A.unlock}]}\n" + // holds a lock that other needs, the only one that puts
			"  - {name: other, do: [{call: a.A.lockY}, {call: a.A.lockX}, {call: a.A.put}, {call: a.A.unlock}]}\n" + busy,
			"x.yaml:7:34: a cycle of waits at 1ms: main for queue q (line 7), where only other puts items; other for lock x (line 4), which main has"},
		{"  - {name: main, do: [{call: a.A.see}, {call: a.A.set2}]}\n  - {name: other, do: [{call: a.A.see2}, {call: a.A.set}]}\n" + busy,
			"x.yaml:12:34: a cycle of waits at 0s: other for future g (line 12), which only main completes; main for future f (line 10), which only other completes"},
	} {
		p, err := ReadYAML(strings.NewReader(methods+c.threads), "x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		rec, err := p.Truth(Config{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = trace.Copy(&trace.Buffer{}, rec.Events); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
