package kind

import (
	"artifice/format/stackdump"
	"artifice/trace"
)

// OfDumps returns a format whose files are stack dumps or samples, which d reads: it fills in
// what d tells, how a file is recognised and how it is read.
func OfDumps(f Format, d stackdump.Format) *Format {
	d.Name = f.Name
	f.Dumps, f.Head, f.Vague, f.Sniff = &d, stackdump.SniffLen, d.Vague, d.Fits
	f.Read = func(src Source, cfg *Config) (*Opened, error) {
		of := *cfg
		of.Dumps.Format = &d
		return ReadDumps(src, &of)
	}
	return &f
}

// ReadDumps reads a file or folder of stack dumps. Where cfg.Dumps names no format, the
// files tell it.
func ReadDumps(src Source, cfg *Config) (*Opened, error) {
	how := cfg.Dumps
	how.Ends, how.Progress, how.Names = true, cfg.Progress, cfg.Names
	return Samples(func() (*stackdump.Sequence, error) {
		if src.R != nil {
			return stackdump.New(src.R, src.Name, how)
		}
		return stackdump.Open([]string{src.Name}, how)
	})
}

// Samples returns what open opens as a file of samples.
func Samples(open func() (*stackdump.Sequence, error)) (*Opened, error) {
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
