// Package trace defines what a method trace contains, independent of file formats.
//
// Package trace is to method events what package io is to bytes. An [Event] is the entry or exit of
// one method on one thread. A [Reader] returns events in batches and a [Writer] accepts them. These
// two interfaces connect files, generators, emulated tracers, benchmarks and reports. [Symbols]
// names the threads and methods that events refer to by index. [Info] describes the trace as a
// whole. A [Recording] combines the three.
//
// The package implements no file format, opens no file and imports only the standard library.
// Package format/text reads and writes traces as lines of text; package format/dmtrace reads and
// writes Android's trace files.
//
// # Time
//
// Every time is a [time.Duration] since the start of the trace. Wall is the time of the monotonic
// clock. CPU is the CPU time of the event's thread since the zero of that thread's clock (in ART,
// its first clock read of the trace). A trace has one clock or both, see [Clock]; the field of an
// absent clock is 0.
//
// # Call sites
//
// A method trace contains methods, but no line numbers of its frames. A sampler on a device also
// reads the current line of each frame. A ground truth can contain that as well: the [Site] of
// every call. Stack comparisons by method and caller's line need it.
//
// # Order
//
// The events of one thread are in time order. The order between threads is that of the source:
// readers of files keep file order, which need not be time order. (ART reads the clocks before it
// reserves space in the buffer, and newer releases have a buffer per thread.) Functions that
// require time order document it.
//
// # Example
//
//	n := 0
//	for e, err := range trace.All(rec.Events) {
//		if err != nil {
//			return err
//		}
//		if e.Action == trace.Enter {
//			n++
//		}
//	}
//	fmt.Println(n, "calls,", len(rec.Symbols.Methods), "methods,", rec.Info.Elapsed)
//
// # Units and errors
//
// A reader returns io.EOF at the end, and a FormatError with file and offset for damaged input;
// the events before the damage are valid. Reading a recording twice is ErrReadTwice. Exceeding a
// limit for hostile files is a LimitError.
package trace
