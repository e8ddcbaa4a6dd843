package trace

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestDepthAfter compares DepthAfter with the depth of a Stack after the same event.
func TestDepthAfter(t *testing.T) {
	for action := range Action(4) {
		for depth := range 3 {
			for method := range MethodID(2) { // the method of the open frames, and a different one
				var s Stack[struct{}]
				for range depth {
					s.Apply(&Event{}, struct{}{})
				}
				e := Event{Method: method, Action: action}
				s.Apply(&e, struct{}{})
				if got := DepthAfter(&e, depth); got != s.Depth() {
					t.Errorf("%s of method %d at depth %d: %d, want %d", action, method, depth, got, s.Depth())
				}
			}
		}
	}
}

// TestStacksFollowStack compares Stacks, one event at a time and in batches, with one [Stack] per
// thread, which uses [EffectOf]. The 200,000 events have random threads and few methods, so many
// exits do not match.
func TestStacksFollowStack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	events := make([]Event, 200_000)
	for i := range events {
		events[i] = Event{Thread: ThreadID(rng.IntN(1 + i/1000)), Method: MethodID(rng.IntN(3)), Action: Action(rng.IntN(4))}
		if rng.IntN(2) == 0 {
			events[i].Action = Enter
		}
	}
	var want []Effect
	var by [200]Stack[struct{}]
	deepest := 0
	for i := range events {
		_, effect := by[events[i].Thread].Apply(&events[i], struct{}{})
		want = append(want, effect)
		deepest = max(deepest, by[events[i].Thread].Depth())
	}
	var one, many Stacks
	for i, e := range events {
		if got := one.Apply(e); got != want[i] {
			t.Fatalf("event %d of %+v: effect %d, want %d", i, e, got, want[i])
		}
	}
	for at := 0; at < len(events); {
		k := min(1+rng.IntN(100), len(events)-at)
		n, misfit := many.ApplyMany(events[at : at+k])
		first := slices.IndexFunc(want[at:at+k], func(f Effect) bool { return f == Orphan || f == Mismatch })
		if first < 0 && (n != k || misfit != 0) || first >= 0 && (n != first+1 || misfit != want[at+first]) {
			t.Fatalf("of %d events at %d: applied %d, misfit %d; the first is %d", k, at, n, misfit, first)
		}
		at += n
	}
	if one.deepest() != deepest || many.deepest() != deepest {
		t.Errorf("the deepest stack has %d and %d frames, want %d", one.deepest(), many.deepest(), deepest)
	}
	for id := range by {
		for _, s := range []*Stacks{&one, &many} {
			if got := s.Of(ThreadID(id)); !slices.Equal(got, by[id].Methods()) {
				t.Errorf("thread %d has %v open, want %v", id, got, by[id].Methods())
			}
		}
	}
}

// TestNesting checks that orphan exits cause no warning, that mismatches are counted, and that the
// first mismatch is reported.
func TestNesting(t *testing.T) {
	var n Nesting
	symbols := &Symbols{Threads: []Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "io"}}, Methods: []Method{{Class: "a.B", Name: "f"}, {Class: "a.B", Name: "g"}}}
	event := func(us int, thread ThreadID, a Action, m MethodID) []Event {
		return []Event{{Wall: time.Duration(us) * time.Microsecond, Thread: thread, Method: m, Action: a}}
	}
	n.Add(event(1, 0, Exit, 0)) // an orphan
	n.Add(event(2, 0, Enter, 0))
	n.Add(event(3, 1, Enter, 1))
	n.Add(event(4, 0, Exit, 0))
	if w, ok := n.Warning("f.trace", Dual, symbols); ok {
		t.Errorf("a warning without a mismatch: %v", w)
	}
	n.Add(event(5, 1, Exit, 0))
	const one = "f.trace: the exit at 5µs on thread io names a.B.f, which is not the innermost method; the exit closes the innermost frame"
	if w, ok := n.Warning("f.trace", Dual, symbols); !ok || w.String() != one || w.Code != WarnNesting {
		t.Errorf("%v", w)
	}
	n.Add(event(6, 1, Exit, 1)) // an orphan: the frame is closed
	n.Add(event(7, 0, Enter, 1))
	n.Add(event(8, 0, Unwind, 0))
	const two = "f.trace: 2 exits do not name the innermost method, the first at 5µs on thread io (it names a.B.f); each closes the innermost frame"
	if w, ok := n.Warning("f.trace", Dual, symbols); !ok || w.String() != two {
		t.Errorf("%v", w)
	}
}
