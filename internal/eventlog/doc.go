// Package eventlog stores events that are needed later or in another order: encoded in
// memory, beyond a bound in a temporary file. The caller decides the place of an event;
// package trace defines what events do to stacks.
//
// There are two stores:
//
//   - [Log] is the store that continues in a file. Its lists are threads, with events that have
//     places in time ([Log.Add]), or runs of ascending times ([Log.AddByTime], [Order]), or it
//     is a single list in the order of adding ([Log.AddInOrder]). It is filled and then read any
//     number of times, or its earliest event is removed while others are added ([Log.Push]).
//   - [Queue] is the events of one thread in memory, first in, first out. Queues share the
//     blocks of a [Pool].
//
// A Log by thread has about 9 bytes for an event of a real trace, at most 39. Other Logs and a
// Queue have 12, at most 25. The trace.Event itself has 24. The first encoding includes
// a place and makes numbers as short as possible; the second is twice as fast.
//
// [Order] stores a recording in a Log of runs and returns an [Ordered], which reads it in time
// order. [DiskBuffer] stores bytes, for writers that encode events themselves; [File] is the
// temporary file. [Heap] is a priority queue by time; [SortKeys] sorts many numbers at once.
//
// # Memory
//
// A Log keeps the number of bytes given to [NewLog] in memory, usually [Memory], and the same
// again while it is read; one block of 512 bytes for each list; with runs also 160 bytes for
// each run or 640 KiB, and with AddByTime 400 KiB. Blocks have 4 KiB in a Log of up to 512
// lists. A DiskBuffer keeps 8 MiB, or 1 MiB before an output. The file
// of a Log contains what exceeds its memory; with Push, it is as long as the events waiting.
//
// # Speed
//
// Benchmark InTimeOrder/100 of package format/dmtrace (100 threads in blocks) takes 28 ns of CPU
// time per event. Memory for all events saves 4 ns, 12 MiB saves 0.5 ns. Decoding half the number
// of events ahead costs 3 ns, and twice the number 1 ns. Adding up CPU times while events are
// delivered costs 8 ns.
package eventlog
