package input

import (
	"artifice/stackdump"
	"artifice/trace"
)

// dumps are the formats of stack dumps.
func dumps() []Format {
	var all []Format
	for _, f := range stackdump.Formats() {
		all = append(all, Format{
			Name: string(f), Description: f.Description(),
			Sniff: func(head []byte) bool { got, ok := stackdump.Detect(head); return ok && got == f },
			Head:  stackdump.SniffLen,
			Open:  openDumps,
		})
	}
	return all
}

// folder is a folder of stack dumps, whose files tell their format.
var folder = Format{Name: "folder", Description: "a folder of stack dumps", Open: openDumps}

func openDumps(src Source, cfg *Config) (*Opened, error) {
	how := cfg.Dumps
	how.Ends, how.Progress, how.Names = true, cfg.Progress.Bytes, cfg.Names
	return openSequence(func() (*stackdump.Sequence, error) {
		if src.R != nil {
			return stackdump.New(src.R, src.Name, how)
		}
		return stackdump.Open([]string{src.Name}, how)
	})
}

// openSequence makes an input of samples.
func openSequence(open func() (*stackdump.Sequence, error)) (*Opened, error) {
	s, err := open()
	if err != nil {
		return nil, err
	}
	return &Opened{
		Recording:   &s.Recording,
		InTimeOrder: s.InTimeOrder,
		Rewind:      func() (*trace.Recording, error) { return &s.Recording, s.Rewind() },
		Close:       s.Close,
		Dumps:       s,
	}, nil
}
