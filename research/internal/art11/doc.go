// Package art11 runs Android's own runtime, the ART 11 that Debian packages
// (android-libart, unmodified), on a truth of ours, and returns the file that its own
// method tracer writes. It is the witness that the emulation of package art's
// runtime art11 is held against: see package research/internal/art11/matrix.
//
// Nothing in it is emulated but time. A launcher (folder launcher, C) stands between ART
// and the system: clock_gettime, usleep, gettid and a few more give out numbers, so that
// a trace of many minutes takes less than a second and has the same bytes each time.
// A director replays the truth step by step: threads attach and end, methods are
// called, return and throw, and before each step the sampling thread is let go when it is
// due. Trace::Start and Trace::Stop are called by their names in the library.
//
// What the truth's methods do is nothing, so they are classes of the launcher's own (folder
// app): v.J0, v.J1 … interpreted, v.N0, v.N1 … native. [Truth.Recording] has the truth
// in these names, for whoever compares. ART also wants a core library: 160 classes
// with as much in them as this version of ART looks for when it starts (folder core).
// Both are smali text, which Debian's libsmali-java assembles. They are made once, in the
// user's cache folder.
//
// [ART.Run] is another thing: it runs a program of our own (folder program) in real time, with
// nothing replaced, and returns the program's own log beside ART's file.
//
// Left out are compiled code, proxies and allocation counts. What no replay can know is an
// input of the comparison: the order of the methods' addresses ([Result.Methods]), where a
// collecting thread is when its collection ends (here: it has done all of that instant),
// and in which order events of several threads get their places ([Costs.Seed]).
package art11
