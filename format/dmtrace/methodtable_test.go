package dmtrace

import (
	"math/rand/v2"
	"testing"

	"artifice/trace"
)

// TestMethodTable compares the table with a map. Ids include 0, the maximum, and ids with a stride.
func TestMethodTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var table methodTable
	if _, ok := table.find(0); ok {
		t.Error("an empty table has a method")
	}
	want := map[uint64]trace.MethodID{}
	for i := range trace.MethodID(50_000) {
		id := []uint64{uint64(rng.IntN(20_000)) * 40, rng.Uint64(), ^uint64(0), 0}[rng.IntN(2)+2*(rng.IntN(1000)/999)]
		table.set(id, i)
		want[id] = i
		absent := rng.Uint64()
		if _, ok := table.find(absent); ok {
			t.Fatalf("id %#x is found, but was never set", absent)
		}
	}
	for id, index := range want {
		if got, ok := table.find(id); !ok || got != index {
			t.Fatalf("id %#x: %d %t, want %d", id, got, ok, index)
		}
	}
}
