// Package art11 replays a truth on Android's own runtime, the unmodified ART 11 packaged by Debian
// (android-libart), and returns the file of its method tracer. The emulation of package art's
// runtime art11 is validated against it: see package research/internal/art11/matrix.
//
// Only time is emulated. A launcher (folder launcher, C) intercepts ART's calls of the system:
// clock_gettime, usleep, gettid and a few more return virtual values, so that a trace of many
// minutes takes less than a second and has the same bytes each time. A director replays the truth
// step by step: threads attach and end, methods are called, return and throw, and before each step
// the sampling thread runs when it is due. Trace::Start and Trace::Stop are called by their names
// in the library.
//
// The truth's methods do nothing, so they are classes of the launcher (folder app): v.J0, v.J1 …
// interpreted, v.N0, v.N1 … native. [Truth.Recording] returns the truth with these names, for
// comparison. ART also needs a core library: 160 classes with the members that this version of ART
// looks up at its start (folder core). Both are smali text, assembled by Debian's libsmali-java.
// They are built once, in the user's cache folder.
//
// [ART.Run] differs: it runs a program of this package (folder program) in real time, without
// replacing anything, and returns the program's own log and ART's file.
//
// A method of a proxy (java.lang.reflect.Proxy) is one of a class that ART itself generates for an
// interface v.P0, v.P1 …. It calls two others, Proxy.invoke and a native handler; [NewTruth] adds
// their calls to the truth. Objects are allocated, and collections run, at the end of the trace: as
// many as the truth's methods with trace.Allocates allocate.
//
// Not covered are compiled code and obsolete methods: the package has no plug-in for JVMTI, and
// only its redefinition of classes makes methods obsolete. Facts that no replay determines are
// inputs of the comparison: the order of the methods' addresses ([Result.Methods]), where a
// collecting thread is when its collection ends (here: after everything at that instant), and the
// order in which events of several threads get their places ([Costs.Seed]).
package art11
