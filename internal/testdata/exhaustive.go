package testdata

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"
)

// Exhaustive reports whether tests are to try all that they know to try, which takes
// many minutes: EXHAUSTIVE=1 in the environment says so, as in CI. Without it a test that
// takes long tries a part, chosen at random anew each time.
func Exhaustive() bool { return os.Getenv("EXHAUSTIVE") != "" }

// Some returns n of all that there is to try, in their order, or everything where the
// tests are [Exhaustive]. What was chosen is logged, for a failure to be done again.
func Some[T any](t testing.TB, all []T, n int) []T {
	if Exhaustive() || n >= len(all) {
		return all
	}
	var some []T
	var places []int
	for i, rest := range all {
		if rand.IntN(len(all)-i) < n-len(some) {
			some, places = append(some, rest), append(places, i)
		}
	}
	t.Logf("EXHAUSTIVE is not set: of %d to try these are: %v", len(all), places)
	return some
}

// SomeUnlessNamed does the same, but returns everything where -run says which tests to run.
func SomeUnlessNamed[T any](t testing.TB, all []T, n int) []T {
	if Named() {
		return all
	}
	return Some(t, all, n)
}

// Named reports whether -run says which tests to run.
func Named() bool {
	f := flag.Lookup("test.run")
	return f != nil && f.Value.String() != ""
}

// Seldom skips a test but one time in n, unless -run says which tests to run or the tests are
// [Exhaustive].
func Seldom(t testing.TB, n int) {
	t.Helper()
	if !Exhaustive() && !Named() && rand.IntN(n) > 0 {
		t.Skipf("takes long: without EXHAUSTIVE=1 it is run one time in %d", n)
	}
}

// Times returns how often something is to be tried: some times, or many where the tests
// are [Exhaustive].
func Times(some, many int) int {
	if Exhaustive() {
		return many
	}
	return some
}
