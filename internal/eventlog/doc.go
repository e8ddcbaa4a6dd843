// Package eventlog stores events until their place in an order is known: packed in
// memory, beyond a bound in a temporary file, and merged by time. Whoever adds an event
// decides its place; the effect of events on stacks is defined in package trace.
//
// An event is packed as the differences to the one before it in its thread, each in as
// few bytes as it needs: about 9 bytes for an event of a real trace instead of 24; at most
// 24 in a [Queue] and 39 in a [Log] or [Sorter]. Each thread takes one block of 512 bytes
// besides, in a Log or an [Ordered] of 4 KiB up to 512 threads.
//
//   - [Log] is the packed store of all threads. It is filled first, then read in the order
//     of time, any number of times. A [Sorter] is a Log whose earliest event is removed
//     while others are added, and a [Queue] the events of one thread, first in, first out,
//     without a file; queues share the blocks of a [Pool].
//   - [Ordered] is a recording in the order of time: a Log with one list for each run of
//     ascending times, however many threads it has, instead of one for each thread. An
//     event takes 12 bytes, at most 25.
//   - [Stream] returns the events of all threads in the order of adding. An event takes
//     12 bytes, at most 25.
//   - [DiskBuffer] stores bytes, for writers that encode events themselves, and [File] is
//     the temporary file below. [SpillMemory] is memory for columns of numbers that
//     continues in such a file.
//   - [Heap] is a priority queue of anything by time, and [SortKeys] sorts many numbers at
//     once.
//
// A run of an Ordered and a Stream both hold events of several threads, in different
// encodings. A run is sorted: no event precedes the one before, and actions are those of
// package trace, which is why 12 bytes suffice. A Stream takes any times and actions:
// package format/internal/timeline adds the begin of a call together with its end, which lies after the
// next begin, and is no action of a trace. In a run, each of the two would take 25 bytes.
//
// A Log and a Sorter keep as much in memory as their maker allows (by default [Memory]) and
// as much again while they are read, an Ordered besides 160 bytes for each run or 640 KiB.
// A DiskBuffer and a Stream keep 8 MiB, or 1 MiB in front of an output. Memory does not
// grow with the events beyond that. The file of a Log contains what its memory had no room
// for; that of a Sorter is as long as the events waiting.
//
// # Notes on speed
//
// Measured with 100 threads whose events are in blocks (benchmark InTimeOrder/100 of package
// format/dmtrace, 28 ns of CPU time for an event): memory for all events saves 4 ns, 12 MiB
// 0.5 ns. Decoding half as many events ahead costs 3 ns, twice as many 1 ns, and adding CPU
// times up while events are delivered 8 ns.
package eventlog
