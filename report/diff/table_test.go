package diff

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestProbability checks that p- and q-values are printed with six significant digits, so that
// neighboring numbers, which other processors compute, are printed alike. The values were measured
// on amd64 and 386.
func TestProbability(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   string
	}{
		{[]float64{2.2588062766932758e-84, 2.258806276693276e-84}, "2.25881e-84"},
		{[]float64{3.7051317680238227e-06, 3.705131768023823e-06}, "3.70513e-06"},
		{[]float64{0.0002253715890924178, 0.00022537158909241776}, "0.000225372"},
		{[]float64{0.0042667734538274936, 0.004266773453827493}, "0.00426677"},
		{[]float64{1, math.Nextafter(1, 0)}, "1"},
		{[]float64{0}, "0"},
		{[]float64{math.NaN()}, ""},
	} {
		for _, v := range test.values {
			if got := probability(v); got != test.want {
				t.Errorf("%v is printed as %s, want %s", v, got, test.want)
			}
		}
	}
}

// TestListDigits checks the digits of columns p and q in the machine-readable table.
func TestListDigits(t *testing.T) {
	c := Change{Old: time.Second, New: 2 * time.Second, P: 0.021378001462867, Q: 0.07919}
	table := &Changes{Diff: &Diff{Basis: Sampling}, Rows: []MethodChange{{Name: "m", Exclusive: c, Inclusive: c}}}
	var out strings.Builder
	if err := table.List().WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), ",0.021378,0.07919,"); got != 2 {
		t.Errorf("p and q have other digits than wanted: %s", &out)
	}
}
