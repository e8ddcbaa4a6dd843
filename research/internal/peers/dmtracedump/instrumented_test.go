package dmtracedump_test

import (
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/research/internal/peers/dmtracedump"
	"artifice/research/internal/peers/made"
	"artifice/trace"
)

// TestInstrumented: Android's own reader accepts every classic file of the emulated runtimes.
func TestInstrumented(t *testing.T) {
	dmtracedump.Require(t)
	for name, file := range made.Files(t, "artifice/instrument", "^TestFilesReadBack$") {
		report, stderr, err := dmtracedump.Run(file)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, stderr)
			continue
		}
		if total := spans(t, file); report.Total != total {
			t.Errorf("%s: total of %s, want %s", name, report.Total, total)
		}
	}
}

// spans returns the sum over tids of the time from first to last event, dmtracedump's Total cycles:
// of thread CPU time if there is any.
func spans(t *testing.T, file string) (sum time.Duration) {
	t.Helper()
	in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	first, last := map[uint32]time.Duration{}, map[uint32]time.Duration{}
	for e, err := range trace.All(in.Events) {
		if err != nil {
			t.Fatal(err)
		}
		at := e.Wall
		if in.Info.Clock.HasCPU() {
			at = e.CPU
		}
		tid := in.Symbols.Thread(e.Thread).TID
		if _, ok := first[tid]; !ok {
			first[tid] = at
		}
		last[tid] = at
	}
	for tid := range first {
		sum += last[tid] - first[tid]
	}
	return sum
}
