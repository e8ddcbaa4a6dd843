// Package filter takes a part of a recording, or gives its methods other names.
//
// A filter reads one [trace.Recording] and returns another, which is read like
// any other; nothing is read before the result is. Both filters have the method
//
//	Apply(rec *trace.Recording) (*trace.Recording, error)
//
// [Part] keeps some threads, a window of time, or both. [Rename] undoes the
// renaming of R8 and ProGuard, by the [Mapping] of an app's mapping.txt.
//
// The package opens no file and knows no trace format. Ways of tracing, which
// change what is seen and when, are in packages sampler and instrument. Thread
// dumps are cut and renamed dump by dump in package stackdump, which asks a
// Mapping for the names of its frames.
package filter
