// Package art holds what Android's runtimes do differently when they trace
// methods, as one table of facts, and the part of their tracers that comes
// after an event has happened: which buffer it goes to, when that is written,
// what a full one costs, which numbers threads and methods get, and where
// the file names them.
//
// [Runtime] is the table. [Log] takes events in the order in which they happen
// and gives them back in the order in which that runtime's file has them,
// together with the [trace.Source] that makes a writer lay the file out as the
// runtime does.
//
// One thing of ART is not here. Trace::Pause and Resume, of Android 6 to 9, leave
// no bytes: the only caller is the zygote before it forks (ZygoteHooks
// nativePreFork), whose child then calls Trace::Abort, and nothing calls Resume.
//
// What happens, and when, is decided elsewhere: package instrument emulates the
// instrumented mode and package sampler the sampling mode; both hand their
// events to a Log. Package format/dmtrace has the bytes
// of the file.
package art
