// Package trace defines what a method trace contains, independent of file formats.
//
// It is to method events what package io is to bytes. An [Event] is one method
// entered or left on one thread at one instant. A [Reader] returns events in batches
// and a [Writer] accepts them; files, generators, emulated tracers, benchmarks and
// reports are connected by these two interfaces. [Symbols] names the threads and methods
// that events refer to by index. [Info] describes the trace as a whole. A [Recording] is
// the three together.
//
// The package implements no file format, opens no file and imports only the standard
// library. Package format/text reads and writes a trace as lines of text, package
// format/dmtrace Android's trace files.
//
// # Time
//
// Every time is a [time.Duration] since the start of the trace. Wall is the
// monotonic clock. CPU is the CPU time of the event's own thread, since that
// thread's zero (in ART its first clock read of the trace). A trace has one
// clock or both, see [Clock]; the field of an absent clock is 0.
//
// # Call sites
//
// A method trace contains the methods on a stack and nothing else. A sampler on a
// device also records the current line of each frame. A truth can have that as well:
// the [Site] of every call. Comparisons of stacks by method and caller's line need it.
//
// # Order
//
// The events of one thread are in time order. The order between threads is that of the
// source: readers of files keep file order, which need not be time order. (ART reads the
// clocks before it reserves space in the buffer, and newer releases have a buffer per
// thread.) Functions that require time order document it.
package trace
