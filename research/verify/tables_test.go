package main

import (
	"math"
	"slices"
	"testing"

	"artifice/research/internal/verify"
)

// TestVerifyTables: the output of bench --verify for verdicts that agree and for some that do not.
func TestVerifyTables(t *testing.T) {
	nan := math.NaN()
	verdicts := []verify.Verdict{
		{Part: "bench", What: "slowdown", Case: "x", Want: 1, Got: 1, Z: nan},
		{Part: "bench", What: "slowdown", Case: "y", Want: 1, Got: 1.5, Z: nan},
		{Part: "law", What: "slowdown", Case: "first", Want: 1, Got: 1.1, StdErr: 0.1, Z: 1},
		{Part: "law", What: "slowdown", Case: "worst", Want: 1, Got: 0.6, StdErr: 0.1, Z: -4.5},
		{Part: "law", What: "slowdown", Case: "exact", Want: 1, Got: 1, Tolerance: 1e-6, Z: nan},
		{Part: "rerun", What: "slowdown", Case: "convoy", Want: 1, Got: 1, Z: nan},
		{Part: "record", What: "sample", Case: "w", Want: 12, Got: 11, First: "no exit", Z: nan},
	}
	sums := summarise(verdicts)
	if got, want := closeToTheory(verdicts), "within two standard errors of theory: 2 of 3 values (66.7 %), where 95 % are to be expected"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var row []string
	for _, r := range measuresVerified(sums).Rows {
		if r[0] == "slowdown" {
			row = r
		}
	}
	if want := []string{"slowdown", "1 of 2 wrong", "-", "1", "1 of 3 wrong", "-4.5", "worst"}; !slices.Equal(row, want) {
		t.Errorf("%q, want %q", row, want)
	}
	if rows := recordingsVerified(sums).Rows; len(rows) != 1 || !slices.Equal(rows[0], []string{"sample", "1 of 1 wrong", "12", "-", "-"}) {
		t.Errorf("%q", rows)
	}
	wrong := slices.DeleteFunc(sums, func(s *verified) bool { return s.wrong == 0 })
	for i, want := range []string{"y: 1.5, should be 1", "worst: 0.6 ± 0.1 where theory has 1", "w: no exit"} {
		if got := describe(&wrong[i].first); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
