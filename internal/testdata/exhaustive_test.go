package testdata

import (
	"flag"
	"slices"
	"testing"
)

// TestSome checks that Some returns n of all cases, in order and each at most once, and that many
// calls return each case. If the tests are exhaustive, it returns all cases.
func TestSome(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	t.Setenv("EXHAUSTIVE", "")
	t.Setenv("TESTSEED", "")
	chosen := map[int]bool{}
	for range 1000 {
		some := Some(quiet{t}, all, 3)
		if len(some) != 3 || !slices.IsSorted(some) || len(slices.Compact(slices.Clone(some))) != 3 {
			t.Fatalf("%v", some)
		}
		for _, i := range some {
			chosen[i] = true
		}
	}
	if len(chosen) != len(all) { // one case is never chosen in 1000 calls with probability 10^-153
		t.Errorf("only %v were chosen", chosen)
	}
	if got := Some(quiet{t}, all, 20); len(got) != len(all) || Times(1, 2) != 1 {
		t.Errorf("Some of 10 cases with n = 20 is %v, want all cases", got)
	}
	t.Setenv("EXHAUSTIVE", "1")
	if got := Some(quiet{t}, all, 3); len(got) != len(all) || Times(1, 2) != 2 {
		t.Errorf("exhaustive: %v", got)
	}
}

// TestSeed checks that TESTSEED determines the choice of a test, and that other seeds choose other
// cases.
func TestSeed(t *testing.T) {
	all := make([]int, 100)
	for i := range all {
		all[i] = i
	}
	t.Setenv("EXHAUSTIVE", "")
	some := func(seed string) []int {
		t.Setenv("TESTSEED", seed)
		return Some(quiet{t}, all, 50)
	}
	first := some("1")
	if again := some("1"); !slices.Equal(first, again) {
		t.Errorf("one seed chooses %v and %v", first, again)
	}
	if other := some("2"); slices.Equal(first, other) { // there are 10^29 choices
		t.Errorf("two seeds choose %v", first)
	}
	if other := some(""); slices.Equal(first, other) {
		t.Errorf("no seed chooses those of seed 1")
	}
}

// TestSeldom checks that a test is sometimes skipped, but never if the tests are exhaustive or -run
// selects tests.
func TestSeldom(t *testing.T) {
	t.Setenv("TESTSEED", "")
	skipped := func(exhaustive, run string) (n int) {
		t.Setenv("EXHAUSTIVE", exhaustive)
		before := flag.Lookup("test.run").Value.String()
		flag.Set("test.run", run)
		defer flag.Set("test.run", before)
		for range 1000 {
			Seldom(skips{t, &n}, 3)
		}
		return n
	}
	if n := skipped("", ""); n < 500 || n > 850 { // 667 on average; 15 standard deviations are 224
		t.Errorf("%d of 1000 were skipped, want 500 to 850", n)
	}
	if n, named := skipped("1", ""), skipped("", "TestX"); n != 0 || named != 0 {
		t.Errorf("%d of 1000 exhaustive and %d of 1000 selected tests were skipped, want 0", n, named)
	}
}

// skips counts skipped tests.
type skips struct {
	*testing.T
	n *int
}

func (s skips) Skipf(string, ...any) { *s.n++ }
func (skips) Logf(string, ...any)    {}

// quiet logs nothing.
type quiet struct{ *testing.T }

func (quiet) Logf(string, ...any) {}
