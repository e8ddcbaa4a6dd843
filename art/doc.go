// Package art holds the differences between the method tracers of Android's runtimes, and the
// common backend of these tracers: the choice of a buffer for an event, when buffers are written
// and what happens if they are full, the ids of threads and methods, and where the file defines
// them.
//
// [Runtime] is the table of the differences. A [Log] accepts events in the order in which they
// happen and returns them in the order of that runtime's file, together with the [trace.Source]
// that a writer needs to lay out the file as the runtime does.
//
// Packages instrument and sampler emulate the two modes, which decide what events happen and when;
// both pass their events to a Log. Package format/dmtrace implements the byte layout of the file.
//
// Trace::Pause and Resume of Android 6 to 9 are not emulated, because they leave no trace in files:
// their only caller is the zygote before it forks (ZygoteHooks nativePreFork). The child then calls
// Trace::Abort, and nothing calls Resume.
package art
