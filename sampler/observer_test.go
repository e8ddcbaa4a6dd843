package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata/tracetest"

	"artifice/trace"

	"github.com/google/go-cmp/cmp"
)

// rewriter reconstructs the sampler's events from an observer's calls, and checks each Sample
// against the truth replayed up to its instant.
type rewriter struct {
	t      *testing.T
	truth  []trace.Event
	stacks map[trace.ThreadID][]trace.MethodID
	calls  map[trace.ThreadID][]int // index of each open frame's enter event, at the last sample
	events []trace.Event
	ended  map[trace.ThreadID]int
	hidden map[trace.MethodID]bool // methods that no stack walk reports
}

func (r *rewriter) Sample(l *Sample) {
	old := r.stacks[l.Thread]
	e := trace.Event{Wall: l.Wall, CPU: l.CPU, Thread: l.Thread, Action: trace.Exit}
	for i := len(old) - 1; i >= l.Same; i-- {
		e.Method = old[i]
		r.events = append(r.events, e)
	}
	e.Action = trace.Enter
	for _, m := range l.Stack[l.Same:] {
		e.Method = m
		r.events = append(r.events, e)
	}
	r.stacks[l.Thread] = slices.Clone(l.Stack)

	methods, calls := r.open(l.Thread, l.App, l.Rest)
	if !slices.Equal(methods, l.Stack) {
		r.t.Errorf("thread %d at %v: observed stack %v, the truth has %v", l.Thread, l.App, l.Stack, methods)
	}
	same := 0
	for before := r.calls[l.Thread]; same < min(len(calls), len(before)) && calls[same] == before[same]; {
		same++
	}
	if same != l.Old {
		r.t.Errorf("thread %d at %v: observed %d old calls, the truth has %d", l.Thread, l.App, l.Old, same)
	}
	r.calls[l.Thread] = calls
}

func (r *rewriter) Ended(l *Sample) {
	r.ended[l.Thread]++
	delete(r.stacks, l.Thread)
	delete(r.calls, l.Thread)
}

// open replays the truth up to and including the instant at, except for the thread's last events at
// that instant.
func (r *rewriter) open(id trace.ThreadID, at time.Duration, last int) (methods []trace.MethodID, calls []int) {
	var of []int // the thread's events
	for i, e := range r.truth {
		if e.Wall <= at && e.Thread == id {
			of = append(of, i)
		}
	}
	for _, i := range of[:len(of)-last] {
		switch e := r.truth[i]; {
		case r.hidden[e.Method]:
		case e.Action == trace.Enter:
			methods, calls = append(methods, e.Method), append(calls, i)
		case len(methods) > 0:
			methods, calls = methods[:len(methods)-1], calls[:len(calls)-1]
		}
	}
	return methods, calls
}

// TestObserver checks that the observer receives the events that the sampler writes, with the
// correct number of old calls.
func TestObserver(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	truth := nestedTruth(rng, 3, 600)
	for _, cfg := range []Config{{Interval: 40 * us}, {Interval: 7 * us, Cost: PhoneCost}, {Interval: 7 * us, Cost: PhoneCost, OneClock: true}, {Interval: 300 * us, Schedule: Poisson}} {
		rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: &trace.Symbols{}, Events: trace.NewSliceReader(truth)}
		for range 3 {
			rec.Symbols.AddThread(trace.Thread{})
		}
		for range 4 {
			rec.Symbols.AddMethod(trace.Method{})
		}
		var out trace.Buffer
		s, err := New(rec, cfg, &out)
		if err != nil {
			t.Fatal(err)
		}
		r := &rewriter{t: t, truth: truth, stacks: map[trace.ThreadID][]trace.MethodID{}, calls: map[trace.ThreadID][]int{}, ended: map[trace.ThreadID]int{}}
		s.SetObserver(r)
		if err := Run(rec, s); err != nil {
			t.Fatal(err)
		}
		for id := range 3 { // the order of threads does not matter
			observed, written := perThread(rec, r.events)[id], perThread(rec, out.Events)[id]
			if diff := cmp.Diff(written, observed); diff != "" {
				t.Errorf("interval %v, thread %d: events (-written +observed):\n%s", cfg.Interval, id, diff)
			}
		}
		for id := range trace.ThreadID(3) {
			if r.ended[id] != 1 {
				t.Errorf("interval %v: thread %d ended %d times, want once", cfg.Interval, id, r.ended[id])
			}
		}
	}
}

// TestObserverOfFreeLocks checks photo-import. Its threads wait for cores and locks. Many waits
// have zero duration, because the lock is free. If a thread and the owner of the lock are delayed
// equally, a sample can be in a wait of zero duration.
func TestObserverOfFreeLocks(t *testing.T) {
	rec := tracetest.Workload(t, "photo-import", time.Second)
	var events []trace.Event
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	r := &rewriter{t: t, truth: events, stacks: map[trace.ThreadID][]trace.MethodID{}, calls: map[trace.ThreadID][]int{}, ended: map[trace.ThreadID]int{}, hidden: map[trace.MethodID]bool{}}
	for id := range rec.Symbols.Methods {
		r.hidden[trace.MethodID(id)] = rec.Symbols.IsRuntime(trace.MethodID(id))
	}
	rec.Events = trace.NewSliceReader(events)
	s, err := New(rec, Config{Interval: 500 * us, Cost: PhoneCost}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.SetObserver(r)
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	if len(r.events) < 1000 {
		t.Errorf("only %d events", len(r.events))
	}
}

// nestedTruth returns events of threads that call and return at random, often within one
// microsecond.
func nestedTruth(rng *rand.Rand, threads, n int) []trace.Event {
	var stacks trace.Stacks
	var events []trace.Event
	now := time.Duration(0)
	for range n {
		id := trace.ThreadID(rng.IntN(threads))
		e := trace.Event{Wall: now, CPU: now, Method: trace.MethodID(rng.IntN(4)), Thread: id}
		if open := stacks.Of(id); len(open) > 5 || len(open) > 0 && rng.IntN(2) == 0 {
			e.Action, e.Method = trace.Exit, open[len(open)-1]
		}
		stacks.Apply(e)
		events = append(events, e)
		now += time.Duration(rng.IntN(8)) * us
	}
	return events
}
