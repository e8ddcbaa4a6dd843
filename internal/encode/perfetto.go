package encode

import "fmt"

// PerfettoDepth is the maximum number of nested calls of a thread in Perfetto (kMaxDepth of
// slice_tracker.cc).
const PerfettoDepth = 512

// PerfettoNotes returns a note if the calls of a file, up to deepest of them open at once, are too
// deep for Perfetto.
func PerfettoNotes(deepest int) []string {
	if deepest <= PerfettoDepth {
		return nil
	}
	return []string{fmt.Sprintf("%d calls are open at once; Perfetto keeps %d per thread and drops deeper ones", deepest, PerfettoDepth)}
}
