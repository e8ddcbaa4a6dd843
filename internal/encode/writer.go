// Package encode contains the common parts of the writers of all formats. The writers are in the
// formats' packages.
//
// [Nested] makes events nest, for timelines that need an end for every begin. [ProfileStacks] and
// [StackBuilder] aggregate events into stacks. [SampleLists], [SampleFiller] and [SampledContexts]
// handle samples, and [Cores] handles scheduling events. [AppendInt] formats numbers, and a
// [Compressor] compresses.
//
// A [Writer] takes a [trace.Recording], whose Info and Symbols describe the events, and then the
// events in batches; Close completes the output. The package reads no files: package decode and the
// formats' readers do.
package encode

import "artifice/trace"

// Writer is a file being written.
type Writer interface {
	trace.WriteCloser

	// Notes returns, after Close, how the file differs from the recording and what it omits, one
	// sentence each.
	Notes() []string
}
