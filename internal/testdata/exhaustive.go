package testdata

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"
)

// Exhaustive reports whether tests run all their cases, which takes many minutes: EXHAUSTIVE=1 in
// the environment, as in CI. Otherwise a long test runs a part, chosen at random each time.
func Exhaustive() bool { return os.Getenv("EXHAUSTIVE") != "" }

// Some returns n of all cases in order, or all of them if the tests are [Exhaustive]. It logs the
// choice, so that a failure can be reproduced.
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

// SomeUnlessNamed is Some, but returns all cases if -run selects tests.
func SomeUnlessNamed[T any](t testing.TB, all []T, n int) []T {
	if Named() {
		return all
	}
	return Some(t, all, n)
}

// Named reports whether -run selects tests.
func Named() bool {
	f := flag.Lookup("test.run")
	return f != nil && f.Value.String() != ""
}

// Seldom runs a test one time in n and skips it otherwise, unless -run selects tests or the tests
// are [Exhaustive].
func Seldom(t testing.TB, n int) {
	t.Helper()
	if !Exhaustive() && !Named() && rand.IntN(n) > 0 {
		t.Skipf("takes long: without EXHAUSTIVE=1 it is run one time in %d", n)
	}
}

// Times returns the number of repetitions: some, or many if the tests are [Exhaustive].
func Times(some, many int) int {
	if Exhaustive() {
		return many
	}
	return some
}
