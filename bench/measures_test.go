package bench_test

import (
	"math"
	"testing"

	"artifice/bench"
)

// TestNoMinusZero: what rounds to 0 has no sign.
func TestNoMinusZero(t *testing.T) {
	for _, c := range []struct {
		m    bench.Measure
		v    float64
		want string
	}{
		{bench.InclusiveBias, -0.0004, "0.0"}, {bench.InclusiveBias, -0.0006, "-0.1"}, {bench.InclusiveBias, math.Copysign(0, -1), "0.0"},
		{bench.KendallTau, -0.0004, "0.000"}, {bench.KendallTau, -1, "-1.000"}, {bench.Samples, -0.2, "0"}, {bench.Samples, 100, "100"},
	} {
		if got := c.m.Format(c.v); got != c.want {
			t.Errorf("%s %v is written %s, want %s", c.m.Key(), c.v, got, c.want)
		}
	}
}
