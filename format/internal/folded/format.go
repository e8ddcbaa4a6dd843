// Package folded reads and writes folded stacks: one stack a line, outermost frame first, with ";"
// between frames, then a space and the number of consecutive samples with this stack.
//
// The format has no times: samples are one interval apart. A thread may precede the frames, as
// "[name tid=N]" or, if the configuration selects it, as its bare name. Each thread then has its
// own time, beginning at 0, and a line with the thread alone is time without a frame. Lines that
// begin with "#" or "//" are comments. In files sorted or merged by a tool the lines are not in
// time order: the counts are correct, the times are not.
package folded

import (
	"io"

	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/internal/encode"
	"artifice/trace"
)

// Format is the format of folded stacks.
var Format = kind.OfDumps(kind.Format{
	Name: "folded", About: "folded stacks: one stack and its value per line", Endings: []string{".folded", ".collapsed"},
	Holds: kind.OpenFrames | kind.Quantities | kind.CPUSamples | kind.CPUClock,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newSums(w, rec, kind.Option[kind.WriteOptions](options).Until, kind.Option[Options](options))
	},
}, dumps)

// dumps reads folded stacks as stack dumps, and writes stack dumps as folded stacks.
var dumps = stackdump.Format{
	Codec: codec{}, Vague: true, Sums: true, OneFile: true,
}
