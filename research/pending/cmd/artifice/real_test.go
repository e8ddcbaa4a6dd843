//go:build pending

package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/research/internal/peers/dmtracedump"
)

// The portable form of the instrumented trace has 139 enters for exits whose
// calls began before it and 144 exits for frames open at its end; dmtracedump
// reads it and counts as many cycles as in the original.
func TestConvertPortable(t *testing.T) {
	in := testdata.Path(t, "traces", "instrumented-art-file.trace")
	out := filepath.Join(t.TempDir(), "out.trace")
	status, _, stderr := artifice("convert", in, "--portable", "-o", out)
	if status != exitOK || !strings.Contains(stderr, "139") || !strings.Contains(stderr, "144") {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if _, stdout, _ := artifice("info", out, "--json"); !strings.Contains(stdout, `"events": 70624,`) {
		t.Errorf("info says %s; want 70624 events", stdout)
	}
	dmtracedump.Require(t)
	for _, file := range []string{in, out} {
		report, errors, err := dmtracedump.Run(file)
		if err != nil {
			t.Fatalf("%v: %s", err, errors)
		}
		if want := 654433 * time.Microsecond; report.Total != want {
			t.Errorf("dmtracedump of %s: total cycles %s, want %s", file, report.Total, want)
		}
	}
}
