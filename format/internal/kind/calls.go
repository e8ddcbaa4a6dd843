package kind

import (
	"cmp"
	"os"
	"path/filepath"

	"artifice/format/internal/timeline"
	"artifice/internal/inputs"
	"artifice/trace"
)

// OfCalls returns a format for files of calls that nest in time. calls finds the calls in a file.
// OfCalls sets f.Read, and f.Head if it is 0.
func OfCalls(f Format, calls timeline.Format) *Format {
	f.Head = cmp.Or(f.Head, timeline.SniffLen)
	if calls.Numbered {
		f.Holds |= Numbers
	}
	f.Read = func(src Source, cfg *Config) (*Opened, error) { return ReadCalls(src, cfg, &calls) }
	return &f
}

// ReadCalls reads a complete file of calls that nest in time, which f finds. The events are in time
// order.
func ReadCalls(src Source, cfg *Config, f *timeline.Format) (*Opened, error) {
	how := Option[timeline.Config](cfg.Options)
	how.Limits, how.Progress, how.Stop = cfg.Limits, cfg.Progress, cfg.Stop
	if f.Numbered {
		var err error
		if how.Methods, err = methodsOf(src, cfg); err != nil {
			return nil, err
		}
	}
	in, size, err := src.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	t, err := timeline.Read(in, src.Name, size, f, how)
	if err != nil {
		return nil, err
	}
	if cfg.Names != "" && f.Numbered && t.Numbers() == 0 {
		t.Warnings = append(t.Warnings, trace.Warnf(trace.WarnMethodID, src.Name, "the trace has no method numbers that %s could name", cfg.Names))
	}
	return &Opened{Recording: &t.Recording, File: t, OwnZero: true}, nil
}

// methodsOf returns the names of a source's methods: from Config.Names, otherwise from
// methodMapping.txt next to the source, if it exists.
func methodsOf(src Source, cfg *Config) (timeline.Methods, error) {
	name := cfg.Names
	if name == "" {
		if src.R != nil {
			return nil, nil
		}
		name = filepath.Join(filepath.Dir(src.Name), timeline.MethodMapping)
		if _, err := os.Stat(name); err != nil {
			return nil, nil
		}
	}
	file, err := inputs.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return timeline.ReadMethods(file, name, cfg.Limits)
}
