package estimate

import (
	"math"
	"testing"
	"time"
)

// TestResets counts the samples after ends of native code in pauses of the samples 10, 14 and 24:
// the first has 4 samples before the next, the second 10, and the third 6 up to the end.
func TestResets(t *testing.T) {
	if got := (*resets)(nil).after(3); got != 0 {
		t.Errorf("before the first reset: %d", got)
	}
	var r resets
	for _, sample := range []int64{10, 14, 24} {
		r.add(sample)
	}
	if a, b, far := r.after(25), r.after(24+maxAfter), r.after(25+maxAfter); a != 1 || b != maxAfter || far != 0 {
		t.Errorf("after 24: %d, %d and %d", a, b, far)
	}
	r.close(30)
	for i, want := range map[int]uint32{0: 3, 4: 3, 5: 2, 6: 2, 7: 1, 10: 1, 11: 0} {
		if r.reached[i] != want {
			t.Errorf("%d resets are followed by %d samples, want %d", r.reached[i], i, want)
		}
	}
}

// TestResetsMakeErrorsEqual checks the factor for 100 resets with 9 samples each. A run that begins
// at the third sample after each reset and nowhere else recurs always: with density 1/9, the excess
// is 1, and the factor 1 + 100 (1 − 2 noise), with the noise √(d/(100·99))/(1 − d). Runs that begin
// at each place equally often do not recur more often than by chance. With a variance of T² for each
// run of one sample, the bound of T for each run is (100/1.96)²/100 variances.
func TestResetsMakeErrorsEqual(t *testing.T) {
	r := &resets{n: 100}
	for i := range 10 {
		r.reached[i] = 100
	}
	var same, everywhere begun
	same[3] = 100
	for i := 1; i < 10; i++ {
		everywhere[i] = 11
	}
	const d = 1. / 9
	const ms = time.Millisecond
	again := 1 - 2*math.Sqrt(d/(100*99))/(1-d)
	single := func(n int, variance float64) *sum {
		return &sum{wall: time.Duration(n) * ms, samples: int64(n), single: int32(n), varWall: variance * float64(ms) * float64(ms)}
	}
	for name, c := range map[string]struct {
		begun *begun
		runs  *sum
		want  float64
		equal bool
	}{
		"same place":                   {&same, single(100, 10), 1 + 100*again, true},
		"half of the runs":             {&same, single(200, 10), 1 + 50*again, true},
		"runs of one sample, bounded":  {&same, single(100, 100), 1 + 100*again*again/(1.959963984540054*1.959963984540054), true},
		"runs of two samples, bounded": {&same, &sum{wall: 200 * ms, samples: 200, longer: 100, varWall: 100 * float64(ms) * float64(ms)}, 1 + 25*again*again/(1.959963984540054*1.959963984540054), true},
		"everywhere":                   {&everywhere, single(99, 10), 1, false},
		"no run":                       {new(begun), single(5, 5), 1, false},
	} {
		if got, equal := c.begun.alike(r, c.runs); math.Abs(got-c.want) > 1e-9 || equal != c.equal {
			t.Errorf("%s: %v, %t, want %v, %t", name, got, equal, c.want, c.equal)
		}
	}
	r.n = minSteps - 1
	if got, _ := same.alike(r, single(100, 10)); got != 1 {
		t.Errorf("too few resets: %v, want 1", got)
	}
}
