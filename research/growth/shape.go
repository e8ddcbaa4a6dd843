package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"time"

	"artifice/format/dmtrace"
	"artifice/trace"
)

// shape describes a generated trace. Its threads take turns; each opens frames up to the depth and
// then calls methods there, one after the other, to reach the given number of calling contexts with
// the deepest frame.
type shape struct {
	x        int64 // position on the axis
	threads  int
	depth    int
	methods  int
	contexts int // of each thread
	events   int64
}

// eventsWanted is the number of events of a trace, except in the sweeps of size and contexts:
// enough to make the program's start-up time negligible.
const eventsWanted = 2_000_000

// mostContexts is the maximum number of calling contexts of a trace; all traces of that sweep have
// four events for each of this number.
const mostContexts = 10_000_000

// turn is the number of events of a thread's turn.
const turn = 16

// sweeps returns the traces to measure. mib is the size of the largest in MiB.
func sweeps(mib int64) []sweep {
	usual := shape{threads: 4, depth: 16, methods: 1000, contexts: 1000, events: eventsWanted}
	list := func(name, axis, each string, from, to, step int64, set func(s *shape, x int64)) sweep {
		all := sweep{name: name, axis: axis, each: each}
		for x := from; x <= to; x *= step {
			s := usual
			s.x = x
			set(&s, x)
			all.shapes = append(all.shapes, s)
		}
		return all
	}
	return []sweep{
		list("threads", "threads", "thread", 1, 10_000, 10, func(s *shape, x int64) { s.threads, s.contexts = int(x), 10 }),
		list("depth", "frames of a stack", "frame", 1, 10_000, 10, func(s *shape, x int64) { s.depth = int(x) }),
		list("methods", "methods", "method", 100, 1_000_000, 10, func(s *shape, x int64) { s.methods, s.contexts, s.threads = int(x), int(x), 1 }),
		list("contexts", "calling contexts", "context", 100, mostContexts, 10, func(s *shape, x int64) {
			s.threads, s.methods, s.contexts, s.events = 1, 4000, int(x), 4*mostContexts
		}),
		list("size", "MiB of the file", "MiB", 1, mib, 2, func(s *shape, x int64) { s.events = x << 20 / 14 }),
	}
}

// thread is the state of one thread of a shape.
type thread struct {
	open  []trace.MethodID
	calls int // made at the deepest frame
}

// next returns the thread's next event: it opens frames up to the depth, and then calls a method
// that depends on the number of its calls. The calling frame changes its method after a number of
// contexts, so that no two callees have the same context.
func (s *shape) next(t *thread) (trace.MethodID, trace.Action) {
	leaves := min(s.methods, s.contexts)
	context := t.calls % s.contexts
	caller := trace.MethodID(context / leaves % s.methods)
	depth := len(t.open)
	switch {
	case depth == s.depth:
		t.calls++
		return t.open[depth-1], trace.Exit
	case depth < s.depth-2:
		return 0, trace.Enter
	case depth == s.depth-2:
		return caller, trace.Enter
	case depth > 0 && t.open[depth-1] != caller:
		return t.open[depth-1], trace.Exit
	}
	return trace.MethodID(context % leaves), trace.Enter
}

// make writes the trace in a process of its own. This keeps the memory of the current process
// small, which the system includes in the maximum of a new process.
func (s *shape) make(sweep string, size int64, name string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "-size", fmt.Sprint(size), "-make", sweep, "-x", fmt.Sprint(s.x), "-o", name)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("making a trace: %w\n%s", err, text)
	}
	return nil
}

// write writes the trace as a classic file.
func (s *shape) write(name string) error {
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	for i := range s.threads {
		if _, err := rec.Symbols.AddThread(trace.Thread{TID: uint32(1 + i), Name: fmt.Sprint("thread-", i)}); err != nil {
			return err
		}
	}
	for i := range s.methods {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * (1 + i)), Class: "C", Name: fmt.Sprint("m", i), Signature: "()V"})
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	w, err := dmtrace.NewWriter(file, rec, dmtrace.Options{Format: "art"})
	if err != nil {
		return err
	}
	var at time.Duration
	rng := rand.New(rand.NewPCG(1, 2))
	threads, batch := make([]thread, s.threads), make([]trace.Event, 0, trace.BatchSize)
	for i := range s.events {
		id := trace.ThreadID(i / turn % int64(s.threads))
		t := &threads[id]
		at += time.Duration(rng.IntN(2000)) * time.Nanosecond // 1 us on average, random to avoid aliasing
		e := trace.Event{Thread: id, Wall: at, CPU: at}
		if e.Method, e.Action = s.next(t); e.Action == trace.Enter {
			t.open = append(t.open, e.Method)
		} else {
			t.open = t.open[:len(t.open)-1]
		}
		if batch = append(batch, e); len(batch) == cap(batch) || i == s.events-1 {
			if err := w.WriteEvents(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return file.Close()
}
