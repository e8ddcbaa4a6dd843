package cli

import (
	"runtime"
	"testing"
)

// TestBudgetEnded: what is held decides at the end of an input, not the garbage beside
// it, and not the room that Exceeded left for garbage.
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
	more := fill(size * 5 / 16) // nine sixteenths with what is held: less than Exceeded leaves room for
	if b.Exceeded() {
		t.Error("Exceeded counted garbage in the room that it left for it: is the test still of use?")
	}
	if !b.Ended() {
		t.Error("more than half of the budget is held at the end, and it has not been exceeded")
	}
	runtime.KeepAlive(held)
	runtime.KeepAlive(more)
}

// fill returns n bytes in pieces.
func fill(n int) (pieces [][]byte) {
	for ; n > 0; n -= 1 << 20 {
		pieces = append(pieces, make([]byte, 1<<20))
	}
	return pieces
}
