package expect

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"artifice/format"
	"artifice/internal/inputs"
	"artifice/internal/yamlfile"
	"artifice/trace"
)

// OpenTruth reads the truth of a file: shares of methods (YAML), or a workload, call tree or trace of
// every call in any format. Folded stacks and other sums are shares of stacks.
func OpenTruth(name string, cfg format.Config) (*Truth, error) {
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		text, err := inputs.ReadFile(name)
		if err != nil {
			return nil, err
		}
		root, err := yamlfile.Read(bytes.NewReader(text), name)
		if err != nil {
			return nil, err
		}
		if t, ok, err := sharesFile(root, name); ok || err != nil {
			return t, err
		}
	}
	cfg.Order = format.AsTruth
	snapshots := (*Snapshots)(nil)
	in, err := format.Open(name, cfg)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.Dumps != nil {
		snapshots = NewSnapshots(in.Recording)
		in.Dumps.SnapshotsTo(snapshots)
	}
	if err := in.InTimeOrder(); err != nil {
		return nil, err
	}
	if in.Dumps == nil {
		t, err := ReadTruth(in.Recording, name)
		return t, named(name, err)
	}
	if !in.Dumps.Counts().Format.Sums {
		return nil, fmt.Errorf("%s: stack dumps are samples and no truth: use folded stacks, or a trace of every call", name)
	}
	if _, err := trace.Copy(trace.Discard, in.Events); err != nil {
		return nil, named(name, err)
	}
	return snapshots.truth(name)
}

// truth returns shares of stacks as a truth: on both clocks, as sums do not state theirs.
func (s *Snapshots) truth(name string) (*Truth, error) {
	weights := s.sums[Wall]
	var sum float64
	for _, w := range weights {
		sum += w
	}
	if sum <= 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNoTime)
	}
	return &Truth{Name: name, stacks: s.stacks, weights: [2][]float64{weights, weights}}, nil
}

// OpenProfile reads a profile in any format.
func OpenProfile(name string, cfg format.Config) (*Profile, error) {
	cfg.Order = format.ByTime
	in, err := format.Open(name, cfg)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var snapshots *Snapshots
	if in.Dumps != nil {
		snapshots = NewSnapshots(in.Recording)
		in.Dumps.SnapshotsTo(snapshots)
	}
	if err := in.InTimeOrder(); err != nil {
		return nil, err
	}
	p, err := ReadProfile(in.Recording, name, snapshots)
	return p, named(name, err)
}

// named prefixes an error with the name of a file, unless it names one.
func named(name string, err error) error {
	if err == nil || errors.As(err, new(*trace.FormatError)) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
