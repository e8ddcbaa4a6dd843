package kind

import "artifice/format/internal/stackdump"

// OfDumps returns a format for files of stack dumps or samples. d recognizes and reads them; f
// contains the other properties of the format.
func OfDumps(f Format, d stackdump.Format) *Format {
	d.Name = f.Name
	f.Dumps, f.Head, f.Vague, f.Sniff = &d, stackdump.SniffLen, d.Vague, d.Fits
	f.Read = func(src Source, cfg *Config) (*Opened, error) {
		return readDumps(src, cfg, &d)
	}
	return &f
}

// ReadDumps reads a file or folder of thread dumps, in the format detected from the files.
func ReadDumps(src Source, cfg *Config) (*Opened, error) { return readDumps(src, cfg, nil) }

// readDumps reads thread dumps in a format; nil: the format is detected from the files.
func readDumps(src Source, cfg *Config, format *stackdump.Format) (*Opened, error) {
	how := DumpConfig(cfg)
	how.Format, how.Ends, how.Names = format, true, cfg.Names
	return Samples(func() (*stackdump.Sequence, error) {
		if src.R != nil {
			return stackdump.New(src.R, src.Name, how)
		}
		return stackdump.Open([]string{src.Name}, how)
	})
}

// DumpConfig returns the settings for thread dumps and samples according to cfg.
func DumpConfig(cfg *Config) stackdump.Config {
	how := Option[stackdump.Config](cfg.Options)
	how.Formats, how.Limits, how.Progress = cfg.DumpFormats, cfg.Limits, cfg.Progress
	return how
}

// Samples returns the result of open as an opened file of samples.
func Samples(open func() (*stackdump.Sequence, error)) (*Opened, error) {
	s, err := open()
	if err != nil {
		return nil, err
	}
	return &Opened{Recording: &s.Recording, File: s, Dumps: s}, nil
}
