package traceprocessor_test

import (
	"testing"

	"artifice/fixtures"
	"artifice/format/check"
	"artifice/research/internal/peers/made"
	"artifice/research/internal/peers/traceprocessor"
)

// TestFixtures: trace_processor rejects the files listed as rejected in the manifest; accepted ones
// have a slice for each enter, without an end if the manifest states this.
func TestFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a program of the npm registry")
	}
	p := traceprocessor.Install(t)
	made.OpenCorpus(t, p, check.Perfetto, func(file string, e fixtures.Entry) {
		var rows []struct{ N, Open int64 }
		if err := p.Query("SELECT count(*) AS n, sum(dur = -1) AS open FROM slice", &rows); err != nil {
			t.Fatal(err)
		}
		if got := rows[0]; got.N != e.Enters || got.Open != e.Open {
			t.Errorf("%s: Perfetto has %d slices, %d without an end, the manifest %d enters, %d frames open at the end", e.File, got.N, got.Open, e.Enters, e.Open)
		}
	})
}
