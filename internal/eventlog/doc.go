// Package eventlog is where events wait until their place in an order is known:
// packed in memory, beyond a bound in a temporary file, and merged by time.
//
// An event is packed as the differences to the one before it in its thread, each in
// as few bytes as it needs: about 9 for an event of a real trace, of 24 otherwise; 24
// at most in a [Queue], and 39 in a [Log] or [Sorter]. Besides, each thread costs one
// block of 512 bytes, in a Log or an [Ordered] of 4 KiB while they are at most 512.
//
//   - [Queue] is events of one thread, first in, first out, all in memory. Queues
//     share the blocks of a [Pool].
//   - [Log] is events of all threads. It is filled first, then read in the order
//     of time, any number of times.
//   - [Ordered] is a recording in the order of time: a Log with a list for each run, which
//     is what is in that order already, of whatever many threads, and not one for each
//     thread. There an event takes 12 bytes, and 25 at most.
//   - [Stream] is events of all threads that come back in the order in which they are added.
//     There an event takes 12 bytes as well, and 25 at most.
//   - [Sorter] is a Log from which the earliest event is taken while others are
//     added.
//   - [Spool] is bytes, for callers that have already encoded their events, and [File]
//     is the temporary file underneath.
//   - [Heap] is the order of time of anything, such as ticks and the ends of
//     threads, and [SortKeys] that of many things at once.
//
// Both the runs of an Ordered and a Stream are lists of events of all threads, and there
// are both for two reasons. An Ordered is for events as a method trace has them: it sorts
// them, and packs each into 12 bytes, which it can because none lies before the one in
// front of it in its run, and their actions are those of package trace. A Stream sorts
// nothing and takes any time and any action: package timeline adds the begin of a call
// together with its end, which lies behind the next begin, and is no action of a trace. In
// a run, each of the two would take 25 bytes. And what is written first is read first
// in a Stream, so that it stands in a Spool, which has no lists of small blocks, and once
// it has a file needs memory for one write only.
//
// A Log and a Sorter keep as much in memory as their maker allows ([Memory] as a
// rule) and once more that much while they read, an Ordered besides 160 bytes for each run
// or 640 KiB; a Spool and a Stream keep 8 MiB, or 1 MiB before an output. What is in
// memory beyond that does not grow with the events. The file of a Log has what its memory
// had no room for; that of a Sorter is as long as what waits.
//
// Notes on speed, of 100 threads whose events stand in blocks (benchmark InTimeOrder/100 of
// package reader, 28 ns of CPU time for an event): memory for all of them saves 4 ns, 12 MiB of
// it 0.5. To decode half as many events ahead costs 3 ns, twice as many 1, and to add
// CPU times up while events are delivered 8.
//
// Nothing is decided here about the order: whoever adds an event says where it
// belongs. What events do to a stack is said in package trace.
package eventlog
