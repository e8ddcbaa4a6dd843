package traceprocessor_test

import (
	"fmt"
	"strings"
	"testing"

	"artifice/internal/testdata/tracetest"
	"artifice/research/internal/peers/made"
	"artifice/research/internal/peers/traceprocessor"
	"artifice/trace"
)

// TestSamples: trace_processor and our reader count the same number of samples of each thread and
// innermost function.
func TestSamples(t *testing.T) {
	file := made.Files(t, "artifice/format/internal/perfetto", "^TestPerfSamples$")["samples.pftrace"]
	p := traceprocessor.Install(t)
	load(t, p, file)
	var rows []struct {
		TID  uint32
		Name string
		N    int64
	}
	if err := p.Query(`SELECT tid, f.name AS name, count() AS n FROM perf_sample JOIN thread USING (utid)
		JOIN stack_profile_callsite c ON callsite_id = c.id JOIN stack_profile_frame f ON frame_id = f.id GROUP BY 1, 2`, &rows); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{}
	for _, r := range rows {
		want[fmt.Sprint(r.TID, " ", r.Name)] = r.N
	}
	got := map[string]int64{}
	s := open(t, file).Dumps
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		if len(snap.Stack) > 0 {
			leaf := s.Symbols.Method(snap.Stack[len(snap.Stack)-1]).FullName()
			if strings.HasPrefix(leaf, "libart.so[") { // it has no name in the file
				leaf = ""
			}
			got[fmt.Sprint(s.Symbols.Thread(snap.Thread).TID, " ", leaf)] += snap.Count
		}
	}))
	if _, err := trace.Copy(trace.Discard, s); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(want) == 0 {
		t.Errorf("samples by thread and function: %v, trace_processor has %v", got, want)
	}
}
