// Package timeline reads files that contain the begins and ends of calls, such as those of other
// tracers and of timeline viewers. It is the common part of the readers of several formats and
// parses no format itself: each reader provides a [Format] that finds the begins and ends, in any
// order. [ReadMethods] reads the mapping from numbers to method names that some formats have in a
// second file, and [Marks] parses the marks of android.os.Trace, which several formats contain.
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
// The recording contains the events of all threads merged by time. Times are relative to the first
// event; Info.Start is the time of that event in the file. Names that look like class.method are
// split. A file is read to its end when it is opened. Reading needs memory for the symbols and some
// 30 MiB. Further data is in temporary files, with 9 to 12 bytes for each begin or end.
//
// Package format/dmtrace reads the method traces of Android's runtimes, and package stackdump is
// the common part of formats of stack dumps and samples.
package timeline
