// Package filter selects a part of a recording, or changes its methods.
//
// A filter reads one [trace.Recording] and returns another. It reads its source only while the
// result is read. [Part] keeps some threads, a time window, or both. [Fold] removes frames,
// [Rename] restores names obfuscated by R8 and ProGuard with the [Mapping] of an app's mapping.txt,
// [Inline] marks methods as inlined, and [JoinOverloads] joins methods that differ in their
// signatures only.
//
// The package opens no file and implements no trace format. Tracers, which also change what is
// recorded and when, are in packages sampler and instrument. Package format/internal/stackdump
// filters thread dumps individually and uses a Mapping for the names of their frames.
//
// # Example
//
//	part, err := filter.Part{Threads: []string{"main"}, From: time.Second}.Apply(rec)
//	_, err = writer.WriteFile("main.trace", "", part)
//
// # Units and errors
//
// Windows are time.Durations since the start of the trace. Apply returns an error for an empty
// window. ReadMapping's errors have name and line.
package filter
