// Package trace is the vocabulary of artifice: what a method trace says, apart
// from how any file spells it.
//
// It is to method events what package io is to bytes. An [Event] is one method
// entered or left on one thread at one instant; a [Reader] delivers events in
// batches, a [Writer] takes them, and files, generators, emulated tracers,
// benchmarks and reports all meet on these two interfaces. [Symbols] names the
// threads and methods that events refer to by index; [Info] says what is true
// of the trace as a whole; a [Recording] is the three together.
//
// The package knows no file format, opens no file and imports the standard library only.
// Package format/text reads and writes a trace as lines of text, package format/dmtrace
// Android's trace files.
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
// A method trace says which methods are on a stack and no more. A sampler on a
// device also sees the line at which each frame stands. A truth can have that, too,
// as the [Site] of every call; comparing stacks by method and caller's line needs
// it.
//
// # Order
//
// The events of one thread come in time order. Between threads the order is
// that of the source: a file's readers keep file order, which need not be time
// order (ART reads the clocks before it takes the buffer slot, and newer
// releases buffer per thread). What needs time order says so.
package trace
