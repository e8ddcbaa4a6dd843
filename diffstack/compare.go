package diffstack

import (
	"iter"

	"artifice/trace"
)

// Compare compares a thread's stack at the previous sample with its current one, both outermost
// frame first, and returns the events that ART logs: the exits of ended frames, innermost first,
// then the enters of new frames, outermost first. Equal stacks give no events. A thread without a
// previous sample has an empty old stack.
//
// Two frames are the same if they have the same method at the same depth: a call that returned and
// was made again between two samples is missed. An exit is never an unwind.
//
// The steps are those of Trace::CompareAndUpdateStackTrace.
func Compare(old, seen []trace.MethodID) iter.Seq2[trace.Action, trace.MethodID] {
	return func(yield func(trace.Action, trace.MethodID) bool) {
		// 1. No stack yet: enter every frame. (Steps 2 to 4 do this with an empty old stack.)
		// 2. Go up from the outermost frame while both stacks agree.
		same := CommonFrames(old, seen)
		// 3. Exit the old frames above that point, innermost first.
		for i := len(old) - 1; i >= same; i-- {
			if !yield(trace.Exit, old[i]) {
				return
			}
		}
		// 4. Enter the new frames above it, outermost first.
		for _, m := range seen[same:] {
			if !yield(trace.Enter, m) {
				return
			}
		}
		// 5. The caller stores the current stack, whether or not the events fit into a buffer.
	}
}

// CommonFrames returns the number of outermost frames with equal methods in a and b. Both have the
// outermost frame first.
func CommonFrames(a, b []trace.MethodID) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
