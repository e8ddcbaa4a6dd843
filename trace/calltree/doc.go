// Package calltree adds up a trace by calling context: for every distinct stack
// of every thread, how often it was entered and how long it was the innermost
// state, on both clocks.
//
// [Contexts] is the one structure behind all of it: it numbers the calling contexts
// of a trace, and a column of numbers for them (package bench has many) is added up
// by method or by edge with [Groups]. [Tree] is the structure with times
// and counts. A [Builder] makes it of events and a [SnapshotBuilder] of sampled
// stacks; both stream, and their memory is the tree of distinct stacks, 64 bytes
// each and, of those with two siblings or more, 11 to 21 in a hash table, and up to 32
// while that doubles. From a tree come the totals that profilers show: per method
// ([Tree.Methods]), per caller and callee ([Tree.Edges]), or over all threads at once
// ([Tree.Merge]).
//
// The package neither reads nor writes files and names nothing: writer makes pprof
// and folded stacks of a tree. The rules of Debian's dmtracedump can be had as a
// configuration, so that its figures are a check on these.
//
// # Whose time it is
//
// The time between two events of a thread belongs to the stack that the first
// of them left. So the times of a thread's contexts add up to its last event
// minus its first, exactly. A step back in time is a negative time: the sum
// stays true.
//
// # Odd stacks
//
// Readers disagree on events that do not nest; this is what is done here.
//
//   - An exit with no frame open tells of a call that began before the trace. Its
//     frame is put around everything its thread did so far, as perflib does (see
//     [Builder.OrphansFromZero] for the other way). It was not entered, so it counts nothing.
//   - An exit of another method than the innermost closes the innermost frame, as
//     Perfetto, androidx.benchmark and the Firefox Profiler do; older tools refuse
//     such a trace. [Stats] has their number.
//   - An unwind is an exit.
//   - Frames open at the end keep what they had up to their thread's last event;
//     see [Builder.Finish].
package calltree
