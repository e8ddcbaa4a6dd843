// Package writer writes recordings to files: method traces of every variant
// ([Dmtrace]), profiles for pprof ([Pprof]), folded stacks ([Folded]) and what
// timeline viewers open: Perfetto's format, Chrome JSON, speedscope, the Firefox
// Profiler's, ftrace text. Those want a begin and an end of every call; file
// nested.go says what is mended for them.
//
// A writer gets a [trace.Recording], whose Info and Symbols explain the events, and
// the events themselves in batches; Close completes the output. [Formats] is the
// registry: a new format is a file of this package and a line there. The package
// reads no files; package reader does.
package writer
