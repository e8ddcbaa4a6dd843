package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/cmd/internal/command"
	"artifice/internal/testdata"
)

// artifice runs the program and returns its status and output.
func artifice(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(context.Background(), args, command.Stdio{In: strings.NewReader(""), Out: &out, Err: &err})
	return status, out.String(), err.String()
}

func sameBytes(t *testing.T, a, b string) {
	t.Helper()
	left, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	right, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(left, right) {
		t.Errorf("%s and %s differ", filepath.Base(a), filepath.Base(b))
	}
}

// TestRediffReproducesFiles checks that comparing the stacks of ART's own sampled files again
// reproduces the files byte for byte, because the algorithm is the same.
func TestRediffReproducesFiles(t *testing.T) {
	for _, name := range []string{"sampled-art-file", "sampled-host-file", "sampled-streaming"} {
		in := testdata.Path(t, "traces", name+".trace")
		out := filepath.Join(t.TempDir(), "out.trace")
		if status, _, stderr := artifice("record", in, "--mode", "rediff", "-o", out); status != exitOK {
			t.Errorf("%s: status %d: %s", name, status, stderr)
			continue
		}
		sameBytes(t, in, out)
	}
}

// TestRediffRefusesInstrumented checks that an instrumented file is refused, because no sampler
// writes it: its record at 240299 is the first exit without an entry.
func TestRediffRefusesInstrumented(t *testing.T) {
	in := testdata.Path(t, "traces", "instrumented-art-file.trace")
	out := filepath.Join(t.TempDir(), "out.trace")
	status, _, stderr := artifice("record", in, "--mode", "rediff", "-o", out)
	if status != exitFailed || !strings.Contains(stderr, "instrumented-art-file.trace: offset 240299: ") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an output file of a refused trace exists")
	}
}

// TestConvertKeepsBytes checks that the conversion of a complete file to its own format is
// identical.
func TestConvertKeepsBytes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata.Path(t, "traces"), "*.trace"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, in := range files {
		out := filepath.Join(t.TempDir(), "out.trace")
		status, _, stderr := artifice("convert", in, "-o", out)
		switch filepath.Base(in) {
		case "tiny-header.trace", "tiny-basic-special_char.trace": // no data section; damaged by re-encoding
			if status != exitFailed || !strings.Contains(stderr, "offset ") {
				t.Errorf("%s: status %d: %s", in, status, stderr)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s: an output of a damaged file exists", in)
			}
		default:
			if status != exitOK {
				t.Errorf("%s: status %d: %s", in, status, stderr)
				continue
			}
			sameBytes(t, in, out)
		}
	}
}

// TestConvertPortable checks that the portable form of the instrumented trace has 139 more enters,
// for exits of calls that began before it, and 144 more exits, for frames that are open at its end.
func TestConvertPortable(t *testing.T) {
	in := testdata.Path(t, "traces", "instrumented-art-file.trace")
	out := filepath.Join(t.TempDir(), "out.trace")
	status, _, stderr := artifice("convert", in, "--portable", "-o", out)
	if status != exitOK || !strings.Contains(stderr, "139") || !strings.Contains(stderr, "144") {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if _, stdout, _ := artifice("info", out, "--json"); !strings.Contains(stdout, `"events": 70624,`) {
		t.Errorf("info prints %s; want 70624 events", stdout)
	}
}
