// Package methodtrace writes method traces, those of Android's runtimes and
// artifice's own text format, and says how they are read. It stands on packages reader and writer, which know the
// variants.
package dmtrace

import (
	"strings"

	"artifice/format/internal/kind"
	"artifice/trace"
)

// Format is the method traces of Android's runtimes in all their variants,
// ART's profiles of long-running methods, and artifice's own text format. Package
// reader tells them apart.
var Format = kind.Format{
	Name:  "method-trace",
	About: "method traces of Android's runtimes, and ART's profiles of long-running methods",
	Sniff: Sniff,
	Head:  SniffLen,
	Read:  read,
}

// longRuns is what the names of the variants of profiles of long-running methods begin with.
const longRuns = "art-longrun"

func read(src kind.Source, cfg *kind.Config) (*kind.Opened, error) {
	traces := kind.Option[ReaderConfig](cfg.Options)
	traces.Format, traces.Limits, traces.Progress, traces.Stop = cfg.Variant, cfg.Limits, cfg.Progress, cfg.Stop
	var file *ReaderFile
	var err error
	if src.R != nil {
		file, err = New(src.R, src.Name, traces)
	} else {
		file, err = ReaderOpen(src.Name, traces)
	}
	if err != nil {
		return nil, err
	}
	return &kind.Opened{
		Recording:   &file.Recording,
		OwnZero:     file.Source != nil && strings.HasPrefix(file.Source.Format, longRuns), // its file has no stamp of the start
		InTimeOrder: file.InTimeOrder,
		Rewind:      func() (*trace.Recording, error) { return &file.Recording, file.Rewind() },
		Close:       file.Close,
	}, nil
}
