package testdata

import (
	"flag"
	"slices"
	"testing"
)

// TestSome: n of all cases, in order, each at most once, and over many tries each of them; all if
// the tests are exhaustive.
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
	if len(met) != len(all) { // the probability that one is never chosen in 1000 tries is 10^-153
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

// TestSeldom: a test is skipped some of the times, and never if the tests are exhaustive or -run
// selects tests.
func TestSeldom(t *testing.T) {
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
		t.Errorf("%d of 1000 were skipped", n)
	}
	if n, named := skipped("1", ""), skipped("", "TestX"); n != 0 || named != 0 {
		t.Errorf("%d of 1000 were skipped of all, %d of the named", n, named)
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
