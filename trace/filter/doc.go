// Package filter selects a part of a recording, or changes its methods.
//
// A filter reads one [trace.Recording] and returns another, which is read like any other;
// nothing is read before the result is. [Part] keeps some threads, a window of time, or both.
// [Fold] removes frames, [Rename] undoes the renaming of R8 and ProGuard with the [Mapping]
// of an app's mapping.txt, [Inline] marks methods as inlined, and [JoinOverloads] joins
// methods that differ in their signatures only.
//
// The package opens no file and implements no trace format. Tracers, which also
// change what is recorded and when, are in packages sampler and instrument. Package
// format/internal/stackdump filters thread dumps one by one and uses a Mapping for the names
// of their frames.
package filter
