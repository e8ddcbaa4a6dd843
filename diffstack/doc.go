// Package diffstack turns a sequence of a thread's stacks into method events, as ART's sampling
// profiler does.
//
// It implements this operation twice. [Compare] follows ART's Trace::CompareAndUpdateStackTrace
// step by step on two complete stacks. It is the reference implementation, and the only applicable
// one if only stacks are known (recorded dumps, sampled files). [Stack] is for emulators, which
// process every call: it numbers the frames in the order of their entry, so that the cost of a
// comparison with an earlier state is proportional to the changed part. Both return the same
// events; tests compare them.
//
// By ART's rule, frames are the same if they have the same method at the same depth. [Stack] has
// two finer rules: [Stack.SameSites] also requires the same call site, and [Stack.Unchanged] the
// same call, which only a truth contains. For any other rule, the caller assigns equal numbers to
// the frames that its rule considers equal, and passes these numbers to [Compare], as package
// stackdump does.
//
// [Rediff] validates the form of a recorded sampled trace by repeating its stack comparisons.
//
// The package has no clock, no thread list and no costs: package sampler decides when stacks are
// compared and sets the times of events.
//
// # Example
//
//	old, seen := []trace.MethodID{0, 1}, []trace.MethodID{0, 2} // from the outermost frame
//	for action, method := range diffstack.Compare(old, seen) {
//		fmt.Println(action, method) // exit 1, then enter 2
//	}
//
// # Units and errors
//
// Stacks are slices of method ids from the outermost frame to the innermost. Comparisons have no
// errors. Rediff's recording ends with a RediffError that names the first event that no comparison
// yields.
package diffstack
