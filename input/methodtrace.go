package input

import (
	"strings"

	"artifice/reader"
	"artifice/trace"
)

// MethodTrace is the name of the format of method traces.
const MethodTrace = "method-trace"

// methodTrace is the method traces of Android's runtimes in all their variants,
// ART's profiles of long-running methods, and artifice's own text format. Package
// reader tells them apart.
var methodTrace = Format{
	Name:        MethodTrace,
	Description: "method traces of Android's runtimes, and ART's profiles of long-running methods",
	Sniff:       reader.Sniff,
	Head:        reader.SniffLen,
	Open:        openMethodTrace,
}

// longRuns is what the names of the variants of profiles of long-running methods begin with.
const longRuns = "art-longrun"

func openMethodTrace(src Source, cfg *Config) (*Opened, error) {
	traces := cfg.Traces
	traces.Progress, traces.Stop = cfg.Progress.Bytes, cfg.Stop
	var file *reader.File
	var err error
	if src.R != nil {
		file, err = reader.New(src.R, src.Name, traces)
	} else {
		file, err = reader.Open(src.Name, traces)
	}
	if err != nil {
		return nil, err
	}
	return &Opened{
		Recording:   &file.Recording,
		OwnZero:     file.Source != nil && strings.HasPrefix(file.Source.Format, longRuns), // its file has no stamp of the start
		InTimeOrder: file.InTimeOrder,
		Rewind:      func() (*trace.Recording, error) { return &file.Recording, file.Rewind() },
		Close:       file.Close,
	}, nil
}
