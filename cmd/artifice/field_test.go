package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"artifice/format"
	"artifice/internal/testdata"
)

// TestRecordToTheStop samples the recorded trace of every call of an app. The output equals the
// file that Android 11 wrote when it sampled that app: the sample after the last event records its
// exit.
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

// TestScoreOfItself checks that a trace scored against itself has no errors, whenever its threads
// begin and end.
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

// TestExactRecording checks that recording every call without cost has no errors, also for a thread
// that is in no method until it works.
func TestExactRecording(t *testing.T) {
	_, stdout, stderr := artifice("bench", testdata.Path(t, "field", "pool.yaml"), "--device", "ideal", "--modes", "instrument-dual", "--csv", "-q")
	table, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(table) != 2 {
		t.Fatalf("%v: %s", err, stderr)
	}
	for name, want := range map[string]string{
		"self_wmape": "0", "self_worst": "0", "total_wmape": "0", "total_bias": "0", "self_cpu_wmape": "0", "total_cpu_wmape": "0", "total_cpu_bias": "0",
		"cpu_correct": "1", "wall_correct": "1", "edges_correct": "1", "paths_correct": "1", "methods_seen": "1", "slowdown": "1",
	} {
		if got := table[1][slices.Index(table[0], name)]; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestScriptName checks a method called </script>x, which is called once for 1 ms, and b, which is
// called twice, in every format that convert writes. Files of ftrace and atrace have a space in the
// name, because their pages are scripts.
func TestScriptName(t *testing.T) {
	source := testdata.Path(t, "field", "script.txt")
	for _, f := range format.All() {
		if f.Write == nil || f.Read == nil {
			continue
		}
		out := filepath.Join(t.TempDir(), "x")
		if status, _, stderr := artifice("convert", source, "--format", f.Name, "-o", out, "-q"); status != exitOK {
			t.Errorf("%s: %s", f.Name, stderr)
			continue
		}
		_, stdout, stderr := artifice("report", out, "--csv", "-q")
		for name, ns := range map[string]string{"a.A.b": "2000000", "a.A.</script>x": "1000000"} {
			rows := strings.ReplaceAll(stdout, "< /", "</")
			// the wall columns are empty in a format of CPU time alone
			if !strings.Contains(rows, "\n"+name+",0,"+ns+",") && !strings.Contains(rows, "\n"+name+",0,,,,"+ns+",") {
				t.Errorf("%s: no row of %s with %s ns in\n%s%s", f.Name, name, ns, stdout, stderr)
			}
		}
	}
}

// TestConvertedScore checks that a converted trace has the wall times of its source, in every
// format that contains them. Firefox, Chrome and similar formats are read back as calls.
func TestConvertedScore(t *testing.T) {
	testdata.Seldom(t, 4)
	formats := []string{
		"dalvik1", "dalvik2", "dalvik3", "art", "art-stream", "art-v2-15", "art-v2-16", "art-v2-17", "art-longrun-2025-02", "art-longrun-16",
		"pprof", "folded", "perfetto", "chrome", "speedscope", "firefox", "ftrace", "text",
	}
	names := []string{"instrumented-art-file.trace", "sampled-art-file.trace", "sampled-streaming.trace"}
	if !testdata.Exhaustive() {
		names, formats = names[1:2], []string{"dalvik3", "art-longrun-16", "pprof"}
	}
	for _, name := range names {
		source := testdata.Path(t, "traces", name)
		for _, format := range formats {
			file := filepath.Join(t.TempDir(), "out")
			if status, _, stderr := artifice("convert", "-q", source, "--format", format, "-o", file); status != exitOK {
				t.Fatal(stderr)
			}
			status, stdout, stderr := artifice("score", source, file)
			if status != exitOK {
				t.Fatal(stderr)
			}
			if !strings.Contains(stdout, "\n100.0 % of wall time correctly attributed") {
				t.Errorf("%s as %s:\n%.300s", name, format, stdout)
			}
		}
	}
}
