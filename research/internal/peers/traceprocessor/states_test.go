package traceprocessor_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/research/internal/peers/made"
	"artifice/research/internal/peers/traceprocessor"
	"artifice/trace"
)

// TestCompactStates: for switches and wakings stored as columns, trace_processor has the same
// thread states as our reader. It omits the first switch of a core.
func TestCompactStates(t *testing.T) {
	file := made.Files(t, "artifice/format/internal/perfetto", "^TestCompactStates$")["states.pftrace"]
	want := map[uint32]trace.ThreadStates{}
	for _, th := range open(t, file).Symbols.Threads {
		want[th.TID] = th.States
	}
	p := traceprocessor.Install(t)
	load(t, p, file)
	var rows []struct {
		TID   uint32
		State string
		Dur   int64
	}
	if err := p.Query(`select tid as TID, state as State, sum(dur) as Dur from thread_state join thread using (utid)
		where tid in (77, 78) and dur > 0 group by tid, state`, &rows); err != nil {
		t.Fatal(err)
	}
	got := map[uint32]trace.ThreadStates{}
	for _, r := range rows {
		s := got[r.TID]
		for state, sum := range map[string]*time.Duration{"Running": &s.OnCore, "R": &s.Runnable, "S": &s.Sleeping, "D": &s.Uninterruptible} {
			if r.State == state {
				*sum += time.Duration(r.Dur)
			}
		}
		got[r.TID] = s
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +trace_processor:\n%s%+v", d, rows)
	}
}
