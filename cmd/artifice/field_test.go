package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestRecordToTheStop: sampling the recorded trace of every call of an app writes the bytes that Android 11
// wrote when it sampled that app: the sample after the last event records its exit.
func TestRecordToTheStop(t *testing.T) {
	source, want := testdata.Path(t, "field", "tail.inst.trace"), testdata.Path(t, "field", "tail.real.trace")
	out := filepath.Join(t.TempDir(), "x.trace")
	if status, _, stderr := artifice("record", source, "--runtime", "art11", "--device", "ideal", "--interval", "1ms", "-o", out); status != exitOK {
		t.Fatal(stderr)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if real, err := os.ReadFile(want); err != nil || !bytes.Equal(got, real) {
		t.Errorf("%d bytes differ from the %d bytes of Android 11 (%v)", len(got), len(real), err)
	}
}

// TestScoreOfItself: a trace scored against itself has no errors, whenever its threads begin and end.
func TestScoreOfItself(t *testing.T) {
	for _, name := range []string{"field/score-gap.txt", "field/tail.inst.trace", "traces/instrumented-art-file.trace"} {
		file := testdata.Path(t, filepath.FromSlash(name))
		status, stdout, stderr := artifice("score", file, file)
		if status != exitOK {
			t.Fatal(stderr)
		}
		errors := regexp.MustCompile(`(?m)^.*(error|bias).*$`).FindAllString(stdout, -1)
		if len(errors) < 5 {
			t.Fatalf("%s: %d lines with errors in\n%s", name, len(errors), stdout)
		}
		for _, line := range errors {
			if f := strings.Fields(line); f[len(f)-1] != "0.0" && f[len(f)-1] != "-" {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}
