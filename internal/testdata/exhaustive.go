package testdata

import (
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

// Times returns how often something is to be tried: some times, or many where the tests
// are [Exhaustive].
func Times(some, many int) int {
	if Exhaustive() {
		return many
	}
	return some
}
