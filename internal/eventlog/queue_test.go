package eventlog

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestQueue checks that events are unpacked as they were packed, including maximum numbers and
// decreasing times, and that blocks are reused.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var blocks Pool
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
			p := blocks.Queue()
			for i := range events {
				p.Add(&events[i])
			}
			r := p.Cursor()
			for i := range events {
				if got := r.Next(); got != events[i] {
					t.Fatalf("event %d of %d: %+v, want %+v", i, n, got, events[i])
				}
			}
			made = max(made, len(p.blocks))
			if p.Drop(); p.Len() != 0 || len(blocks.free) != made {
				t.Fatalf("%d events left, %d blocks free of %d", p.Len(), len(blocks.free), made)
			}
		}
	}
}

// TestTake checks that events are taken in order while others are added, and that a reader returns
// the remaining ones. A block is freed when its last event is taken.
func TestTake(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var blocks Pool
	p := blocks.Queue()
	var pending []trace.Event
	taken := make([]trace.Event, 3)
	made := 0
	for i := range 50_000 {
		if len(pending) > 0 && rng.IntN(1000) < 320 {
			n := p.Take(taken[:1+rng.IntN(len(taken))])
			if n == 0 || !slices.Equal(taken[:n], pending[:n]) {
				t.Fatalf("step %d: took %+v, want %+v", i, taken[:n], pending[:n])
			}
			pending = pending[n:]
		} else {
			e := trace.Event{Wall: time.Duration(rng.Int64N(1 << 40)), CPU: time.Duration(i), Thread: 2, Method: trace.MethodID(rng.Int32N(1 << 20)), Action: trace.Action(rng.IntN(3))}
			p.Add(&e)
			pending = append(pending, e)
		}
		made = max(made, len(p.blocks)+len(blocks.free))
		if p.Len() != len(pending) {
			t.Fatalf("step %d: %d events, want %d", i, p.Len(), len(pending))
		}
		if i%5000 > 0 {
			continue
		}
		r := p.Cursor()
		for k := range pending {
			if got := r.Next(); got != pending[k] {
				t.Fatalf("step %d, event %d: %+v, want %+v", i, k, got, pending[k])
			}
		}
	}
	for range pending {
		p.Take(taken[:1])
	}
	if n := p.Take(taken); n != 0 {
		t.Errorf("%d events more", n)
	}
	// Only the block that is being filled is not free yet.
	if p.Len() != 0 || len(p.blocks) > 1 || len(p.blocks)+len(blocks.free) != made {
		t.Errorf("%d events and %d blocks left, %d free of %d", p.Len(), len(p.blocks), len(blocks.free), made)
	}
}
