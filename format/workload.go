package format

import (
	"io"
	"path/filepath"

	"artifice/format/internal/kind"
	"artifice/internal/inputs"
	"artifice/trace"
	"artifice/workload"
)

// IsWorkload reports whether name denotes a workload, that is, a ground truth generated while it is
// read. It is the name of a built-in workload, of a .yaml file, or of a .tree file with a call
// tree.
func IsWorkload(name string) bool {
	_, err := workload.ByName(name)
	return err == nil || IsCallTree(name) || isYAML(name)
}

// IsCallTree reports whether name denotes a file with a call tree. The lines of a call tree
// determine its length.
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

// truthOf returns the truth of the named workload.
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

// Program returns the named program, built in or from a file. It returns nil for a call tree, which
// is a truth and not a program.
func Program(name string) (*workload.Program, error) {
	if isYAML(name) {
		return readFile(name, workload.ReadYAML)
	}
	if p, err := workload.ByName(name); err == nil {
		return p, nil
	}
	return nil, nil
}

// readFile opens the named file and passes it to read.
func readFile[T any](name string, read func(io.Reader, string) (T, error)) (made T, err error) {
	file, err := inputs.Open(name)
	if err != nil {
		return made, err
	}
	defer file.Close()
	return read(file, name)
}
