// Package reader reads method-trace files of every variant into
// [trace.Recording]s. The format is recognised by content.
//
// A file is read with a fixed block of memory beside its symbols (some 300 bytes for
// a method) and the frames open in formats whose exits name no method (4 bytes each),
// in file order; [File.InTimeOrder] merges threads by time. [Config.Limits] bound
// both, and what a packed file unpacks to: beyond, reading ends with a
// [trace.LimitError] in a [trace.FormatError]. What real files have that
// is odd is read and, where it matters, said in Recording.Warnings: ids that no
// line defines, exits of calls that began before the trace, frames open at the
// end, clocks that wrap. What is broken is a [trace.FormatError] with its place, and
// the events before it stay usable.
//
// A file of 1 MiB or more is decoded on as many cores as the program may use (GOMAXPROCS),
// up to 8. What is delivered, and in which order, is the same as on one.
//
// Package writer writes what this one
// reads, byte for byte the same where there was no warning.
package reader
