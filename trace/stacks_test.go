package trace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestStacksFollowStack: Stacks, one event at a time and many at once, does what a [Stack] for each
// thread does, whose rule is [EffectOf]: 200,000 events of few methods, so that many exits do not fit,
// on threads that come as they like.
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
			t.Fatalf("of %d events at %d took in %d, misfit %d; the first is %d", k, at, n, misfit, first)
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
