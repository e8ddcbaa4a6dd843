package kind

import (
	"artifice/trace"
	"artifice/trace/calltree"
)

// Options are settings of single formats, at most one value of a type: each format's package
// defines a type and looks its value up with [Option]. A format ignores those of others.
type Options []any

// Option returns the value of type T among the options, the zero value where there is none.
func Option[T any](options Options) T {
	for _, o := range options {
		if o, ok := o.(T); ok {
			return o
		}
	}
	var zero T
	return zero
}

// WriteOptions are the options that the writers of several formats share. The zero value is valid.
type WriteOptions struct {
	// TempDir is the directory of temporary files for data that exceeds memory; "" means
	// os.TempDir.
	TempDir string

	// Limits bound how many samples a writer derives from sums; 0 is their default.
	Limits trace.Limits

	// Until is the end of frames that are open when the trace ends, in profiles and timelines; by
	// default their thread's last event.
	Until calltree.EndPolicy
}
