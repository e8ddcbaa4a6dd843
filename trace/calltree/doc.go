// Package calltree aggregates a trace by calling context: for every distinct stack
// of every thread, the number of calls and the self time on both clocks.
//
// [Contexts] numbers the calling contexts of a trace. [Groups] sums a column of values by method or
// by edge; package bench has many columns. [Tree] is Contexts with times and counts. A [Builder]
// builds it from events and a [SnapshotBuilder] from sampled stacks. Both are streaming. Their
// memory is that of the tree of distinct stacks: 64 bytes for a stack and, for a stack with two or
// more siblings, 11 to 21 bytes in a hash table (up to 32 while it grows). A tree provides the
// totals of profilers: per method ([Tree.Methods]), per caller and callee ([Tree.Edges]), or over
// all threads ([Tree.Merge]).
//
// The package neither reads nor writes files; packages format/pprof and format/internal/folded
// write trees. [Builder.OrphansFromZero] selects the rule of Debian's dmtracedump, so that this
// package can be validated against it.
//
// # Attribution of time
//
// The time between two events of a thread is attributed to the stack after the first of them. The
// times of a thread's contexts therefore sum exactly to its last event minus its first. A step back
// in time is a negative time, which keeps the sum correct.
//
// # Events that do not nest
//
// Readers disagree on events that do not nest. The rules of this package:
//
//   - An exit with no open frame ends a call that began before the trace. Its frame encloses
//     everything that its thread did before, as in perflib (see [Builder.OrphansFromZero] for the
//     alternative). It has no enter, so no call is counted.
//   - An exit of a method other than the innermost closes the innermost frame, as in Perfetto,
//     androidx.benchmark and the Firefox Profiler; older tools refuse such a trace. [Stats] counts
//     these exits.
//   - An unwind is an exit.
//   - Frames open at the end keep their times up to their thread's last event; see
//     [Builder.Finish].
//
// # Example
//
//	b := calltree.NewBuilder()
//	_, err = trace.Copy(b, rec.Events)
//	tree, _ := b.Finish(rec, trace.Instrumented, calltree.UntilEnd)
//	for _, m := range tree.Methods() {
//		fmt.Println(rec.Symbols.Method(m.Method), m.Calls)
//	}
//
// # Units and errors
//
// Times are time.Durations. Writing to a Builder never fails.
package calltree
