package format

import (
	"io"
	"path/filepath"

	"artifice/format/internal/kind"
	"artifice/internal/inputs"
	"artifice/trace"
	"artifice/workload"
)

// IsWorkload reports whether name stands for a workload: a truth that is made while it is
// read. Those built in are known by their names, others are a file that ends in .yaml, or the
// call tree in one that ends in .tree.
func IsWorkload(name string) bool {
	return IsCallTree(name) || isYAML(name) || workload.ByName(name) != nil
}

// IsCallTree reports whether name stands for the file of a call tree, whose
// length is what its lines say.
func IsCallTree(name string) bool { return filepath.Ext(name) == ".tree" }

func isYAML(name string) bool { return filepath.Ext(name) == ".yaml" || filepath.Ext(name) == ".yml" }

func openWorkload(name string, cfg Config) (*Input, error) {
	opened := &kind.Opened{}
	opened.File = &truth{name, cfg.Workload, opened}
	if err := opened.Rewind(); err != nil {
		return nil, err
	}
	in := &Input{Recording: opened.Recording, Name: name, Format: &workloads, cfg: cfg, opened: opened}
	in.deliver()
	return in, nil
}

// truth is the ground truth of a workload as a [kind.File].
type truth struct {
	name   string
	cfg    workload.Config
	opened *kind.Opened
}

// Rewind implements [kind.File]: it generates the truth again, as a new recording.
func (t *truth) Rewind() (err error) {
	t.opened.Recording, err = truthOf(t.name, t.cfg)
	return err
}

// Close implements [kind.File].
func (*truth) Close() error { return nil }

// truthOf returns the truth of the workload that name stands for.
func truthOf(name string, cfg workload.Config) (*trace.Recording, error) {
	if IsCallTree(name) {
		return readFile(name, workload.ReadTree)
	}
	p, err := Program(name)
	if err != nil {
		return nil, err
	}
	return p.Truth(cfg)
}

// Program returns the program that name stands for, built in or in a file; nil where it stands for
// none: a call tree is a truth already.
func Program(name string) (*workload.Program, error) {
	if isYAML(name) {
		return readFile(name, workload.ReadYAML)
	}
	return workload.ByName(name), nil
}

// readFile reads the file called name by read.
func readFile[T any](name string, read func(io.Reader, string) (T, error)) (made T, err error) {
	file, err := inputs.Open(name)
	if err != nil {
		return made, err
	}
	defer file.Close()
	return read(file, name)
}
