package view

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// TestSteps checks that steps are returned as they were added, for any times and methods, also
// after steps were removed.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	at := func() time.Duration {
		switch rng.IntN(4) {
		case 0:
			return time.Duration(rng.Uint64()) // of either sign
		case 1:
			return []time.Duration{math.MinInt64, math.MaxInt64, 0, -1}[rng.IntN(4)]
		default:
			return time.Duration(rng.IntN(1000)) * time.Microsecond
		}
	}
	var p stepList
	var want []step
	var places []place
	for range 20_000 {
		s := step{stamp: stamp{at(), at()}, End: rng.IntN(2) == 0}
		if !s.End {
			s.Method = trace.MethodID(rng.Uint32())
		}
		places = append(places, p.here())
		p.put(&s)
		want = append(want, s)
		if rng.IntN(100) == 0 {
			keep := max(0, len(want)-1-rng.IntN(64))
			p.cut(places[keep])
			want, places = want[:keep], places[:keep]
		}
	}
	begins, i := 0, 0
	for c := p.all(); c.next(); i++ {
		if !c.End {
			begins++
		}
		if w := want[i]; c.stamp != w.stamp || c.End != w.End || !c.End && c.Method != w.Method {
			t.Fatalf("step %d is %+v, want %+v", i, c.step, w)
		}
	}
	if i != len(want) || begins != p.begins || i < 10_000 {
		t.Errorf("%d steps, %d of them begins; want %d, %d", i, begins, len(want), p.begins)
	}
}
