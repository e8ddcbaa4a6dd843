package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestBudgetEnded: at the end of an input, only memory in use counts, without garbage and without
// the reserve that Exceeded leaves for garbage.
func TestBudgetEnded(t *testing.T) {
	const size = 256 << 20 // half of it may be in use
	b := NewMemoryBudget(size)
	defer b.End()
	held := fill(size / 4)
	func() {
		more := fill(size / 2)
		if !b.Exceeded() {
			t.Error("three quarters of the budget are held, and it is not exceeded")
		}
		runtime.KeepAlive(more)
	}()
	if b.Exceeded() || b.Ended() {
		t.Error("a quarter of the budget is held, and it is exceeded")
	}
	more := fill(size * 5 / 16) // nine sixteenths in total: less than the limit of Exceeded
	if b.Exceeded() {
		t.Error("Exceeded counted garbage in the room that it left for it: is the test still of use?")
	}
	if !b.Ended() {
		t.Error("more than half of the budget is held at the end, and it has not been exceeded")
	}
	runtime.KeepAlive(held)
	runtime.KeepAlive(more)
}

// TestBudgetSpares: while 128 MiB are in use, garbage may be a tenth of this size. It may be more
// while little is in use, and after the work is done.
func TestBudgetSpares(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	percent := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	runtime.GC() // garbage of other tests
	b := NewMemoryBudget(4 << 30)
	b.Exceeded()
	if got := percent(); got != 100 {
		t.Errorf("with little in use %d %%, want 100", got)
	}
	held := fill(128 << 20)
	if b.Exceeded() {
		t.Error("128 MiB of 4 GiB are held, and it is exceeded")
	}
	if got := percent(); got != 10 {
		t.Errorf("with 128 MiB in use %d %%, want 10", got)
	}
	runtime.KeepAlive(held)
	b.End()
	if got := percent(); got != 100 {
		t.Errorf("after the work %d %%, want 100", got)
	}
}

// fill returns n bytes in pieces.
func fill(n int) (pieces [][]byte) {
	for ; n > 0; n -= 1 << 20 {
		pieces = append(pieces, make([]byte, 1<<20))
	}
	return pieces
}
