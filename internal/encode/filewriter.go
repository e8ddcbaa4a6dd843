package encode

import "artifice/trace"

// Writer is a file being written.
type Writer interface {
	trace.WriteCloser

	// Notes returns, after Close, how the file differs from the recording
	// or leaves out, a sentence each.
	Notes() []string
}
