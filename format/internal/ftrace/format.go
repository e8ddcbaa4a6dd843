// Package ftrace reads and writes the text of the Linux kernel's ftrace with the marks of
// android.os.Trace. The text can be alone, in the output of atrace (after a line TRACE:, and
// compressed with -z), or in a page made by systrace. If the text has lines of sched_switch, CPU
// times of threads are computed from them.
package ftrace

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/trace"
)

// Options are the options of ftrace text to write. The zero value is valid.
type Options struct {
	Categories encode.Categories // content to write; 0: everything

	// BufferKB is the size of the kernel's buffer of each core, in KB; 0: unlimited. Circular
	// overwrites the oldest events of a full buffer instead of dropping the newest.
	BufferKB int64
	Circular bool
}

// Format is the text in any of these forms.
var Format = kind.OfCalls(kind.Format{
	Name: "ftrace", About: "ftrace text with tracing marks, as in systrace: for Perfetto and Catapult",
	Endings: []string{".ftrace", ".systrace"},
	Sniff:   sniff,
	Holds:   kind.OpenFrames | kind.Scheduling,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newFile(w, nil, rec, options), nil
	},
}, timeline.Format{Read: read, Binary: true}) // it may be compressed by zlib after its first line

// Atrace is the text as compressed by atrace. [Format] reads it.
var Atrace = &kind.Format{
	Name: "atrace", About: "output of atrace -z: ftrace text, compressed",
	Endings: []string{".atrace"},
	Holds:   kind.Binary | kind.OpenFrames | kind.Scheduling,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		if _, err := w.Write(atraceHead); err != nil {
			return nil, err
		}
		packed := encode.NewZlib(w)
		return newFile(packed, packed, rec, options), nil
	},
}
