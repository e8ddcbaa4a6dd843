package instrument

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// script builds a truth by hand: a sequence of calls for each thread, on a clock that the test
// advances.
type script struct {
	symbols trace.Symbols
	methods map[string]trace.MethodID
	events  []trace.Event
	elapsed time.Duration
}

func newScript() *script { return &script{methods: map[string]trace.MethodID{}} }

func (s *script) method(name string, flags trace.MethodFlags) trace.MethodID {
	if id, ok := s.methods[name]; ok {
		return id
	}
	s.methods[name] = s.symbols.AddMethod(trace.Method{
		Class: "com.example.App", Name: name, Signature: "()V", File: "App.java", Flags: flags,
	})
	return s.methods[name]
}

// actor is one thread of a script.
type actor struct {
	s         *script
	id        trace.ThreadID
	wall, cpu time.Duration
	stack     []trace.MethodID
}

func (s *script) thread(name string, tid uint32, start time.Duration) *actor {
	id, err := s.symbols.AddThread(trace.Thread{TID: tid, Name: name, Start: start})
	if err != nil {
		panic(err)
	}
	return &actor{s: s, id: id, wall: start}
}

func (a *actor) add(m trace.MethodID, action trace.Action) {
	a.s.events = append(a.s.events, trace.Event{Wall: a.wall, CPU: a.cpu, Method: m, Thread: a.id, Action: action})
	a.s.elapsed = max(a.s.elapsed, a.wall)
}

// open puts frames on the stack before the trace begins.
func (a *actor) open(names ...string) *actor {
	for _, name := range names {
		a.enter(name)
		a.s.symbols.Threads[a.id].Open++
	}
	return a
}

func (a *actor) enter(name string) *actor {
	a.stack = append(a.stack, a.s.method(name, 0))
	a.add(a.stack[len(a.stack)-1], trace.Enter)
	return a
}

func (a *actor) leave(action trace.Action) *actor {
	last := len(a.stack) - 1
	a.add(a.stack[last], action)
	a.stack = a.stack[:last]
	return a
}

func (a *actor) exit() *actor   { return a.leave(trace.Exit) }
func (a *actor) unwind() *actor { return a.leave(trace.Unwind) }

// run advances both clocks while the thread uses the CPU; wait advances only the wall clock.
func (a *actor) run(d time.Duration) *actor {
	a.wall, a.cpu = a.wall+d, a.cpu+d
	return a
}

func (a *actor) wait(d time.Duration) *actor {
	a.wall += d
	return a
}

// ends ends the thread now.
func (a *actor) ends() { a.s.symbols.Threads[a.id].End = a.wall }

// truth returns the recording of the script.
func (s *script) truth() *trace.Recording {
	slices.SortStableFunc(s.events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	return &trace.Recording{
		Info:    trace.Info{Technique: trace.Truth, Elapsed: s.elapsed, PID: 4100, Start: time.Hour},
		Symbols: &s.symbols,
		Events:  trace.NewSliceReader(s.events),
	}
}

// randomTruth returns calls of random depth and length on some threads, with unwinds, recursion and
// waits. All times are whole microseconds, and each thread's CPU time is 0 at its first event.
func randomTruth(seed uint64, threads, calls int) *script {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := newScript()
	for i := range threads {
		start := time.Duration(0)
		if i > threads/2 {
			start = time.Duration(i) * time.Millisecond
		}
		a := s.thread("t", uint32(100+i), start)
		for range calls {
			for len(a.stack) > 0 && rng.IntN(3) == 0 {
				a.step(rng).leave(trace.Action(1 + rng.IntN(2)))
			}
			a.step(rng).enter(string(rune('a' + rng.IntN(12))))
			if len(a.stack) == 1 && a.cpu > 0 && a.first() {
				a.cpu = 0
			}
		}
		for len(a.stack) > 0 {
			a.step(rng).exit()
		}
	}
	return s
}

func (a *actor) first() bool {
	n := 0
	for _, e := range a.s.events {
		if e.Thread == a.id {
			n++
		}
	}
	if n == 1 {
		a.s.events[len(a.s.events)-1].CPU = 0
	}
	return n == 1
}

func (a *actor) step(rng *rand.Rand) *actor {
	d := time.Duration(rng.IntN(40)) * time.Microsecond
	if rng.IntN(4) == 0 {
		return a.wait(d)
	}
	return a.run(d)
}

func read(t testing.TB, rec *trace.Recording) []trace.Event {
	t.Helper()
	var b trace.Buffer
	if _, err := trace.Copy(&b, rec.Events); err != nil {
		t.Fatal(err)
	}
	return b.Events
}

func record(t testing.TB, truth *trace.Recording, cfg Config) (*trace.Recording, []trace.Event) {
	t.Helper()
	rec, err := Record(truth, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return rec, read(t, rec)
}
