package traceprocessor_test

import (
	"cmp"
	"slices"
	"testing"

	"artifice/internal/testdata/tracetest"
	"artifice/research/internal/peers/made"
	"artifice/research/internal/peers/traceprocessor"
	"artifice/trace"
)

// slice is a call in trace_processor; Dur is -1 if it is open at the end.
type slice struct {
	TID     int
	TS, Dur int64
	Depth   int
	Name    string
}

func sortSlices(all []slice) {
	slices.SortFunc(all, func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.TID, b.TID), cmp.Compare(a.TS, b.TS), cmp.Compare(a.Depth, b.Depth))
	})
}

// slicesOf returns the calls of a recording, in the order of sortSlices.
func slicesOf(t *testing.T, rec *trace.Recording) (all []slice) {
	open := map[trace.ThreadID][]int{}
	for _, e := range tracetest.Events(t, rec.Events) {
		stack := open[e.Thread]
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack, len(all))
			all = append(all, slice{
				TID: int(rec.Symbols.Threads[e.Thread].TID), TS: int64(rec.Info.Start + e.Wall), Dur: -1,
				Depth: len(stack), Name: rec.Symbols.Methods[e.Method].Name,
			})
		} else if last := len(stack) - 1; last >= 0 {
			all[stack[last]].Dur = int64(rec.Info.Start+e.Wall) - all[stack[last]].TS
			open[e.Thread] = stack[:last]
		}
	}
	sortSlices(all)
	return all
}

// TestTraced: each call in files of package tracers equals trace_processor's slice: thread, begin,
// length, depth and name.
func TestTraced(t *testing.T) {
	processor := traceprocessor.Install(t)
	for name, file := range made.Files(t, "artifice/format/internal/perfetto", "^TestTraced$") {
		load(t, processor, file)
		var want []slice
		if err := processor.Query(`select tid as TID, ts as TS, slice.dur as Dur, depth as Depth, slice.name as Name
			from slice join thread_track on track_id = thread_track.id join thread using (utid)`, &want); err != nil {
			t.Fatal(err)
		}
		got := slicesOf(t, open(t, file).Recording)
		if sortSlices(want); !slices.Equal(got, want) || len(want) < 100 {
			t.Errorf("%s: %d calls, trace_processor has %d", name, len(got), len(want))
			for k := range min(len(got), len(want)) {
				if got[k] != want[k] {
					t.Errorf("%+v, trace_processor %+v", got[k], want[k])
					break
				}
			}
		}
	}
}
