// Package timeline has what files with begins and ends of calls stand on: what other tracers
// recorded, and what timeline viewers open. Which formats there are is told by the rooms of
// package format that use it. Where a format has numbers for methods, [ReadMethods] reads the
// file that names them. [Marks] are those of android.os.Trace, which several formats hold.
//
// A [Format] finds the begins and ends, in whatever order the file has them; what
// becomes of them is the same for all:
//
//   - Of each thread they are in the order of time; equal times keep the file's order.
//     An end closes the innermost call that is open, whichever its name is. One with
//     none open is an exit without an enter, of the method that it names, or else of
//     "(unknown)": what that means is the same as in a method trace ([trace.EffectOf]).
//   - A call that the file has as one record, with begin and duration, lies in the
//     calls around it. Of calls that begin at the same time the longer is the outer
//     one, and a call that outlasts the one around it ends with that one.
//   - A call without an end stays open, as a frame that is open when a method trace
//     stops.
//
// The recording has the events of all threads merged by time, which is since the
// first of them; Info.Start is that one's time in the file. Names are class.method
// where they look like it. A file is read to its end when it is opened. Memory is
// what the symbols take and some 30 MiB; what does not fit waits in temporary files,
// 9 to 12 bytes for a begin or end.
//
// Package reader reads the traces of Android's runtimes; package stackdump has what sampled
// stacks stand on.
package timeline
