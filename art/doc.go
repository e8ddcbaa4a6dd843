// Package art holds the differences between the method tracers of Android's runtimes,
// and the part of the tracers after an event has happened: the buffer that an event goes
// to, when the buffer is written, what happens if it is full, the ids of threads and
// methods, and where the file names them.
//
// [Runtime] is the table of the differences. A [Log] takes events in the order in which
// they happen and returns them in the order of that runtime's file, with the
// [trace.Source] from which a writer lays the file out as the runtime does.
//
// Packages instrument and sampler emulate the two modes, which decide what happens and
// when; both pass their events to a Log. Package format/dmtrace has the bytes of the file.
//
// Trace::Pause and Resume of Android 6 to 9 are not emulated, as they leave no bytes: the
// only caller is the zygote before it forks (ZygoteHooks nativePreFork), whose child then
// calls Trace::Abort, and nothing calls Resume.
package art
