// Package reader reads method-trace files of every variant into
// [trace.Recording]s. The format is recognised by content.
//
// A file is read with a fixed block of memory beside its symbols (some 300 bytes for
// a method) and the frames open in formats whose exits name no method (4 bytes each),
// in file order; [File.InTimeOrder] merges threads by time. [ReaderConfig.Limits] bound
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
// Package format/dmtrace writes what this one
// reads, byte for byte the same where there was no warning.
//
// # Notes on speed
//
// The benchmarks Read and ReadV2 with -cpuprofile say where the time goes. A record of a
// classic trace is some 63 instructions in decodeDual, 77 % of the time; 15 % moves bytes. In
// format V2 the lengths of all numbers of a record are looked up at once, in a table by the bits
// that end a number, so that no branch depends on a length or an action; numbers are 44 % of
// the time, and to read those of 128 records before making events of them took as long. Since
// one core decodes that fast, two save 3 % in format V2 and lose 8 % with a classic file:
// memory, which they share, is the limit.
package dmtrace
