package perf_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestFixture checks that the number of samples with each symbol innermost equals that of perf
// report for the same recording: perf report --no-children -g none -F overhead,sample,sym.
func TestFixture(t *testing.T) {
	want := map[string]int64{"p50": 28, "p25": 14, "p12": 3, "p6": 2, "p2": 1, "bottom": 1, "burst": 1, "main": 1, "finish_task_switch.isra.0": 1}
	s := formattest.OpenDumps(t, stackdump.Config{}, "testdata/logged.txt")
	got := map[string]int64{}
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		if n := len(snap.Stack); n > 0 {
			got[s.Symbols.Method(snap.Stack[n-1]).FullName()] += snap.Count
		}
	}))
	tracetest.Events(t, s.Events)
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: %d samples, want %d", name, got[name], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
}
