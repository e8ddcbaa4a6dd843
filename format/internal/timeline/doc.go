// Package timeline reads files that contain the begins and ends of calls, as other tracers record
// and timeline viewers open. It is the common part of several formats' readers and parses no format
// itself: a [Format] of each finds the begins and ends, in any order. [ReadMethods] reads the
// mapping from numbers to method names that some formats have in a second file, and [Marks] parses
// the marks of android.os.Trace, which several formats contain.
//
// All formats share these rules:
//
//   - The events of a thread are in time order; equal times keep the file's order.
//     An end closes the innermost call that is open, whichever its name is. One with
//     none open is an exit without an enter, of the method that it names, or else of
//     "(unknown)": what that means is the same as in a method trace ([trace.EffectOf]).
//   - A call that the file has as one record, with begin and duration, lies in the
//     calls around it. If calls begin at the same time, the longest is the outermost.
//     A call that outlasts its caller ends with it.
//   - A call without an end stays open, as a frame that is open when a method trace
//     stops.
//
// The recording has the events of all threads merged by time, which is since the
// first of them; Info.Start is that one's time in the file. Names are class.method
// where they look like it. A file is read to its end when it is opened. Memory is
// what the symbols take and some 30 MiB; what does not fit waits in temporary files,
// 9 to 12 bytes for a begin or end.
//
// Package format/dmtrace reads the method traces of Android's runtimes, and package stackdump is
// the common part of formats of stack dumps and samples.
package timeline
