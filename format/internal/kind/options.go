package kind

import (
	"artifice/trace"
	"artifice/trace/calltree"
)

// Options are settings of single formats, at most one value of each type. The package of a format
// defines a type and gets its value by [Option]. A format ignores values of other types.
type Options []any

// Option returns the value of type T among the options, or the zero value if there is none.
func Option[T any](options Options) T {
	for _, o := range options {
		if o, ok := o.(T); ok {
			return o
		}
	}
	var zero T
	return zero
}

// WriteOptions are options common to the writers of several formats. The zero value is valid.
type WriteOptions struct {
	// TempDir is the directory of temporary files for data that exceeds memory; "" means
	// os.TempDir.
	TempDir string

	// Limits bound the number of samples that a writer derives from sums; 0 selects a default.
	Limits trace.Limits

	// Until is the end of frames that are open when the trace ends, in profiles and timelines; by
	// default their thread's last event.
	Until calltree.EndPolicy
}
