package diffstack

import "artifice/trace"

// Literal compares a thread's remembered stack with the one seen now, both
// outermost frame first, and calls emit for each event that ART would log: the
// exits of the frames that are gone, innermost first, then the enters of the
// new ones, outermost first. Equal stacks emit nothing. A thread that was never
// sampled before has an empty old stack.
//
// Two frames are the same when they show the same method in the same place:
// a call that returned and was made again between two samples goes unnoticed.
// An exit is never an unwind.
//
// The steps are those of Trace::CompareAndUpdateStackTrace.
func Literal(old, seen []trace.MethodID, emit func(trace.Action, trace.MethodID)) {
	// 1. No stack yet: enter every frame. (An empty old stack comes to the same
	// in steps 2 to 4.)
	// 2. Go up from the outermost frame while both stacks agree.
	same := CommonFrames(old, seen)
	// 3. Exit the old frames above that point, innermost first.
	for i := len(old) - 1; i >= same; i-- {
		emit(trace.Exit, old[i])
	}
	// 4. Enter the new frames above it, outermost first.
	for _, m := range seen[same:] {
		emit(trace.Enter, m)
	}
	// 5. The caller now remembers the stack seen, whether or not the events
	// found room in a buffer.
}

// CommonFrames returns how many outermost frames of a and b show the same
// methods. Both have the outermost frame first.
func CommonFrames(a, b []trace.MethodID) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
