package art

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// TestPacked: what is unpacked is what was packed, also the largest numbers and
// times that go back, and blocks are used again.
func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var blocks pool
	var made int
	for _, n := range []int{0, 1, 10, 20000} {
		events := make([]trace.Event, n)
		for i := range events {
			events[i] = trace.Event{
				Wall: time.Duration(rng.Int64N(1 << 40)), CPU: time.Duration(rng.Int64N(1 << 20)), Thread: 7,
				Method: trace.MethodID(rng.Int64N(1 << 20)), Action: trace.Action(rng.IntN(3)),
			}
		}
		if n > 5 {
			events[3] = trace.Event{Wall: math.MaxInt64, CPU: math.MaxInt64, Thread: 7, Method: math.MaxInt32, Action: trace.Unwind}
			events[4] = trace.Event{Wall: 0, CPU: 0, Thread: 7}
		}
		for range 2 {
			var p packed
			for i := range events {
				p.add(&events[i], &blocks)
			}
			u := p.unpack()
			for i := range events {
				if got := u.next(); got != events[i] {
					t.Fatalf("event %d of %d: %+v, want %+v", i, n, got, events[i])
				}
			}
			made = max(made, len(p.blocks))
			if p.drop(&blocks); p.n != 0 || len(blocks.free) != made {
				t.Fatalf("%d events left, %d blocks free of %d", p.n, len(blocks.free), made)
			}
		}
	}
}
