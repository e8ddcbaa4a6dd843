package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestBudgetEnded checks that only memory in use counts at the end of an input: neither garbage nor
// the reserve that Exceeded leaves for garbage.
func TestBudgetEnded(t *testing.T) {
	const size = 256 << 20 // half of it may be in use
	b := NewMemoryBudget(size)
	defer b.End()
	used := fill(size / 4)
	func() {
		more := fill(size / 2)
		if !b.Exceeded() {
			t.Error("Exceeded = false with three quarters of the budget in use")
		}
		runtime.KeepAlive(more)
	}()
	if b.Exceeded() || b.Ended() {
		t.Error("Exceeded or Ended = true with a quarter of the budget in use")
	}
	more := fill(size * 5 / 16) // nine sixteenths in total: less than the limit of Exceeded
	if b.Exceeded() {
		t.Error("Exceeded = true with nine sixteenths of the budget in use; the test assumes a higher limit")
	}
	if !b.Ended() {
		t.Error("Ended = false with more than half of the budget in use")
	}
	runtime.KeepAlive(used)
	runtime.KeepAlive(more)
}

// TestBudgetSpares checks the limit of garbage: a tenth of the memory in use while 128 MiB are in
// use, and more while little is in use and after the end.
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
		t.Errorf("GC percent with little memory in use = %d, want 100", got)
	}
	used := fill(128 << 20)
	if b.Exceeded() {
		t.Error("Exceeded = true with 128 MiB of 4 GiB in use")
	}
	if got := percent(); got != 10 {
		t.Errorf("GC percent with 128 MiB in use = %d, want 10", got)
	}
	runtime.KeepAlive(used)
	b.End()
	if got := percent(); got != 100 {
		t.Errorf("GC percent after the end = %d, want 100", got)
	}
}

// fill allocates n bytes in pieces of 1 MiB.
func fill(n int) (pieces [][]byte) {
	for ; n > 0; n -= 1 << 20 {
		pieces = append(pieces, make([]byte, 1<<20))
	}
	return pieces
}
