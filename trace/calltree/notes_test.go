package calltree_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/trace/calltree"
)

// TestNotes: what was not met, and what nothing is to be said of, has no note; one is
// not many.
func TestNotes(t *testing.T) {
	all := calltree.Handling{Orphans: "is left out", StepsBack: "waits", OpenFrames: "goes on"}
	for _, c := range []struct {
		stats calltree.Stats
		as    calltree.Handling
		want  []string
	}{
		{calltree.Stats{Events: 7}, all, nil},
		{calltree.Stats{Orphans: 1, Mismatches: 1, StepsBack: 1, OpenFrames: 1}, all, []string{
			"1 exit has no entry; its call began before the trace and is left out",
			"1 exit names another method than the innermost; it closes the innermost frame",
			"1 event is earlier than the one before on its thread; it waits",
			"1 frame is open at the end; it goes on",
		}},
		{calltree.Stats{Orphans: 2, Mismatches: 3, StepsBack: 4, OpenFrames: 5}, all, []string{
			"2 exits have no entry; each one's call began before the trace and is left out",
			"3 exits name another method than the innermost; each closes the innermost frame",
			"4 events are earlier than the one before on their thread; each waits",
			"5 frames are open at the end; each goes on",
		}},
		{calltree.Stats{Orphans: 2, StepsBack: 4, OpenFrames: 5}, calltree.Handling{StepsBack: "waits"}, []string{
			"4 events are earlier than the one before on their thread; each waits",
		}},
	} {
		if diff := cmp.Diff(c.want, c.stats.Notes(c.as)); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", c.stats, diff)
		}
	}
}
