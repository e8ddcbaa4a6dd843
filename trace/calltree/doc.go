// Package calltree aggregates a trace by calling context: for every distinct stack
// of every thread, the number of calls and the self time on both clocks.
//
// [Contexts] numbers the calling contexts of a trace. [Groups] sums a column of numbers
// for them (package bench has many) by method or by edge. [Tree] is Contexts with times
// and counts. A [Builder] builds it from events and a [SnapshotBuilder] from sampled
// stacks. Both are streaming; their memory is the tree of distinct stacks: 64 bytes a
// stack and, for those with two or more siblings, 11 to 21 in a hash table (up to 32 while
// it doubles). A tree has the totals that profilers show: per method ([Tree.Methods]),
// per caller and callee ([Tree.Edges]), or over all threads ([Tree.Merge]).
//
// The package neither reads nor writes files; packages format/pprof and
// format/internal/folded write trees. [Builder.OrphansFromZero] selects a rule of Debian's
// dmtracedump, so that its figures validate these.
//
// # Attribution of time
//
// The time between two events of a thread is attributed to the stack after the first
// of them. The times of a thread's contexts therefore sum exactly to its last event
// minus its first. A step back in time is a negative time, so that the sum
// remains correct.
//
// # Odd stacks
//
// Readers disagree on events that do not nest. The rules of this package:
//
//   - An exit with no frame open ends a call that began before the trace. Its
//     frame encloses everything its thread did so far, as in perflib (see
//     [Builder.OrphansFromZero] for the alternative). It has no enter, so no call is counted.
//   - An exit of another method than the innermost closes the innermost frame, as
//     Perfetto, androidx.benchmark and the Firefox Profiler do; older tools refuse
//     such a trace. [Stats] counts them.
//   - An unwind is an exit.
//   - Frames open at the end keep what they had up to their thread's last event;
//     see [Builder.Finish].
package calltree
