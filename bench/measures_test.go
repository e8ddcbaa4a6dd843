package bench_test

import (
	"math"
	"reflect"
	"testing"

	"artifice/bench"
)

// TestNoNegativeZero: values that round to 0 have no sign.
func TestNoNegativeZero(t *testing.T) {
	for _, c := range []struct {
		m    bench.Measure
		v    float64
		want string
	}{
		{bench.InclusiveBias, -0.0004, "0.0"}, {bench.InclusiveBias, -0.0006, "-0.1"}, {bench.InclusiveBias, math.Copysign(0, -1), "0.0"},
		{bench.KendallTau, -0.0004, "0.000"}, {bench.KendallTau, -1, "-1.000"}, {bench.Samples, -0.2, "0"}, {bench.Samples, 100, "100"},
	} {
		if got := c.m.Format(c.v); got != c.want {
			t.Errorf("%s %v is formatted as %s, want %s", c.m.Key(), c.v, got, c.want)
		}
	}
}

// TestAccuracy: each field has the value of the measure with the key of the field.
func TestAccuracy(t *testing.T) {
	var s bench.Scores
	for m := range s {
		s[m] = float64(m)
	}
	object := reflect.ValueOf(s.Accuracy())
	for field, m := range map[string]bench.Measure{
		"CPUCorrect": bench.OverlapRunning, "WallCorrect": bench.Overlap, "PathsCorrect": bench.OverlapPaths, "MethodsSeen": bench.MethodRecall,
		"CallsSeen": bench.CallRecall, "HottestInOrder": bench.HottestInOrder, "Slowdown": bench.Slowdown, "CPUOverhead": bench.CPUOverhead,
	} {
		if got := object.FieldByName(field).Float(); got != float64(m) {
			t.Errorf("%s has the value of %s", field, bench.Measure(got).Key())
		}
	}
	if n := object.NumField(); n != 8 {
		t.Errorf("%d fields were checked", n)
	}
}
