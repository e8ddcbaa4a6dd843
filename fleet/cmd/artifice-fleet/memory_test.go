package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"artifice/fixtures"
	"artifice/fleet/corpus"
	"artifice/internal/testdata"
	"artifice/trace"
)

// TestHugeTrace: a trace of 512 MiB among small ones is read in less memory than a list of its
// events would need. If the memory does not suffice for its stacks, the trace is skipped, and the
// profile of the others is the same as without it.
func TestHugeTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 512 MiB")
	}
	made := traces(t, corpus.Config{Traces: 40, Seed: 7})
	dir := filepath.Join(t.TempDir(), "fixtures")
	if _, err := fixtures.Write(t.Context(), dir, fixtures.Config{Seed: 1, Size: 512 << 20}); err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(dir, "load", "art.trace")
	info, err := os.Stat(huge)
	if err != nil {
		t.Fatal(err)
	}
	events := info.Size() / 14 // bytes of a record with both clocks
	bound := events * int64(unsafe.Sizeof(trace.Event{}))

	list := append([]string{huge}, made.Paths...)
	want, got := filepath.Join(dir, "want.pb.gz"), filepath.Join(dir, "got.pb.gz")
	must(t, append([]string{"profile", "-o", want}, made.Paths...)...)
	for _, test := range []struct {
		args  []string
		bound int64
	}{
		{[]string{"check"}, bound},
		{[]string{"profile", "-o", filepath.Join(dir, "all.pb.gz"), "--memory", "256MiB"}, bound},
		{[]string{"profile", "-o", got, "--memory", "64MiB", "--workers", "1"}, 256 << 20},
		{[]string{"profile", "-o", got, "--memory", "64MiB", "--workers", "8"}, 256 << 20},
	} {
		testdata.Shrink()
		cmd := program(t, append(append(test.args, "--keep-going"), list...)...)
		out, err := cmd.CombinedOutput()
		if want := test.bound != bound; want != (err != nil) {
			t.Fatalf("%s: a file unread is %t, want %t: %v: %s", test.args, !want, want, err, out)
		}
		peak := testdata.ProcessMemory(cmd.ProcessState)
		t.Logf("%s: %d MiB, bound %d MiB", test.args, peak>>20, test.bound>>20)
		if peak > test.bound {
			t.Errorf("%s takes %d MiB, more than %d MiB", test.args, peak>>20, test.bound>>20)
		}
		if test.bound == bound {
			continue
		}
		if !strings.Contains(string(out), huge+": more than 64MiB of memory would be needed") || !strings.Contains(string(out), "the sum of 40 traces") {
			t.Errorf("%s: %s", test.args, out)
		}
		a, errA := os.ReadFile(want)
		b, errB := os.ReadFile(got)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: the profile is not that of the others: %v %v", test.args, errA, errB)
		}
	}
}

// TestLimit: a limit holds for each file of each command, as it does in artifice.
func TestLimit(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 2, Seed: 8}) // 4 frames deep
	for _, args := range [][]string{
		{"profile", "-o", filepath.Join(t.TempDir(), "all.pb.gz")},
		{"diff", "--by", "device", "--from", "A", "--to", "B"},
		{"bench", "--intervals", "5ms", "--seeds", "1"},
	} {
		status, _, messages := fleet(t, append(args, made.Manifest, "--limit", "depth=3")...)
		if status != exitFailed || strings.Count(messages, "depth=") < 2 {
			t.Errorf("%s: status %d: %s", args, status, messages)
		}
		must(t, append(args, made.Manifest, "--limit", "depth=4")...)
	}
}
