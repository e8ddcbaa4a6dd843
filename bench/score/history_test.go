package score

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace/calltree"
)

// TestHistory checks that a history removes only visits that no reader can request.
func TestHistory(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	a, b := &SampleScorer{}, &SampleScorer{}
	m := history{readers: []historyReader{a, b}}
	var all []visit
	longest := 0
	for range 100_000 {
		at := time.Duration(1)
		if len(all) > 0 {
			at = all[len(all)-1].at + time.Duration(rng.IntN(3))
		}
		to := visit{at, calltree.Node(1 + rng.IntN(9))}
		all = append(all, to)
		m.add(0, to)
		longest = max(longest, len(m.visits[0]))
		reader := a
		if rng.IntN(4) == 0 {
			reader = b
		}
		if rng.IntN(1500) > 0 {
			continue
		}
		from, now := reader.since(0), at+time.Duration(rng.IntN(5))
		want := map[calltree.Node]time.Duration{}
		for i, v := range all {
			until := now
			if i+1 < len(all) {
				until = all[i+1].at
			}
			want[v.context] += max(0, until-max(from, v.at))
		}
		m.during(0, from, now, func(p calltree.Node, d time.Duration) { want[p] -= d })
		for p, d := range want {
			if d != 0 {
				t.Fatalf("from %d to %d: time of path %d is %d too small", from, now, p, d)
			}
		}
		reader.sampledOf(0, now)
	}
	// The slower reader reads once every 6000 visits on average.
	if longest >= len(all)/2 {
		t.Errorf("history keeps up to %d of %d visits, want less than half", longest, len(all))
	}
}
