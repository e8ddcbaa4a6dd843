package testdata

import (
	"slices"
	"testing"
)

// TestSome: n of all, in their order and each at most once, and over many tries each of
// them; everything where the tests are exhaustive.
func TestSome(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	t.Setenv("EXHAUSTIVE", "")
	met := map[int]bool{}
	for range 1000 {
		some := Some(quiet{t}, all, 3)
		if len(some) != 3 || !slices.IsSorted(some) || len(slices.Compact(slices.Clone(some))) != 3 {
			t.Fatalf("%v", some)
		}
		for _, i := range some {
			met[i] = true
		}
	}
	if len(met) != len(all) { // one is never chosen in 1000 tries with a chance of 10^-153
		t.Errorf("only %v were chosen", met)
	}
	if got := Some(quiet{t}, all, 20); len(got) != len(all) || Times(1, 2) != 1 {
		t.Errorf("%v of more than there are", got)
	}
	t.Setenv("EXHAUSTIVE", "1")
	if got := Some(quiet{t}, all, 3); len(got) != len(all) || Times(1, 2) != 2 {
		t.Errorf("exhaustive: %v", got)
	}
}

// quiet logs nothing.
type quiet struct{ *testing.T }

func (quiet) Logf(string, ...any) {}
