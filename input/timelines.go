package input

import (
	"artifice/timeline"
	"artifice/trace"
)

// timelines are the formats of other tracers and of timeline viewers.
func timelines() []Format {
	var all []Format
	for _, f := range timeline.Formats() {
		all = append(all, Format{
			Name: f.Name, Description: f.Description, Sniff: f.Sniff, Head: timeline.SniffLen,
			Open: func(src Source, cfg *Config) (*Opened, error) { return openTimeline(&f, src, cfg) },
		})
	}
	return all
}

// openTimeline reads all of a file: its events are sorted then.
func openTimeline(f *timeline.Format, src Source, cfg *Config) (*Opened, error) {
	how := cfg.Timelines
	how.Progress, how.Stop = cfg.Progress.Bytes, cfg.Stop
	in, size, err := src.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	t, err := timeline.Read(in, src.Name, size, f, how)
	if err != nil {
		return nil, err
	}
	return &Opened{
		Recording: &t.Recording,
		Rewind:    func() (*trace.Recording, error) { t.Rewind(); return &t.Recording, nil },
	}, nil
}
