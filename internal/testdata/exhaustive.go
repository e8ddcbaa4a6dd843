package testdata

import (
	"flag"
	"hash/fnv"
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
	choice := choice(t)
	var some []T
	var places []int
	for i, rest := range all {
		if choice.IntN(len(all)-i) < n-len(some) {
			some, places = append(some, rest), append(places, i)
		}
	}
	t.Logf("EXHAUSTIVE is not set: of %d to try these are: %v", len(all), places)
	return some
}

// choice returns the random numbers of a test that chooses cases: with TESTSEED in the environment,
// the same ones each time.
func choice(t testing.TB) *rand.Rand {
	seed := os.Getenv("TESTSEED")
	if seed == "" {
		return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	h := fnv.New64a()
	h.Write([]byte(seed + t.Name()))
	return rand.New(rand.NewPCG(h.Sum64(), 0))
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
	if !Exhaustive() && !Named() && choice(t).IntN(n) > 0 {
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
