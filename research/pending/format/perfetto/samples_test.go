//go:build pending

package perfetto_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/format/formattest"
	"artifice/research/internal/peers/traceprocessor"
	"artifice/trace"
)

// TestSamplesOfOthers: trace_processor counts as many samples of each thread and innermost function.
func TestSamplesOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs trace_processor")
	}
	p := traceprocessor.Install(t)
	data := file(perfPackets()...)
	name := filepath.Join(t.TempDir(), "perf.pftrace")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(name); err != nil {
		t.Fatal(err)
	}
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
	s := parse(t, data)
	s.SnapshotsTo(dumptest.SnapshotFunc(func(snap *trace.Snapshot) {
		if len(snap.Stack) > 0 {
			leaf := s.Symbols.Method(snap.Stack[len(snap.Stack)-1]).FullName()
			if strings.HasPrefix(leaf, "libart.so[") { // it has no name in the file
				leaf = ""
			}
			got[fmt.Sprint(s.Symbols.Thread(snap.Thread).TID, " ", leaf)] += snap.Count
		}
	}))
	dumptest.Events(t, s)
	if fmt.Sprint(got) != fmt.Sprint(want) || len(want) == 0 {
		t.Errorf("samples by thread and function: %v, trace_processor has %v", got, want)
	}
}
