package input

import (
	"io"
	"os"
	"path/filepath"

	"artifice/trace"
	"artifice/workload"
)

// workloads are the truths that are made while they are read: those built in,
// known by their names, a file that ends in .yaml, and the call tree in one that
// ends in .tree.
var workloads = Format{
	Name:        "workload",
	Description: "a synthetic truth: a built-in workload, a .yaml file or a call tree (.tree)",
	Named:       IsWorkload,
	Open:        openWorkload,
}

// IsWorkload reports whether name stands for a workload.
func IsWorkload(name string) bool {
	return IsCallTree(name) || isYAML(name) || workload.ByName(name) != nil
}

// IsCallTree reports whether name stands for the file of a call tree, whose
// length is what its lines say.
func IsCallTree(name string) bool { return filepath.Ext(name) == ".tree" }

func isYAML(name string) bool { return filepath.Ext(name) == ".yaml" || filepath.Ext(name) == ".yml" }

func openWorkload(src Source, cfg *Config) (*Opened, error) {
	truth := func() (*trace.Recording, error) { return truthOf(src.Name, cfg.Workload) }
	rec, err := truth()
	if err != nil {
		return nil, err
	}
	return &Opened{Recording: rec, Rewind: truth}, nil
}

// truthOf returns the truth of the workload that name stands for.
func truthOf(name string, cfg workload.Config) (*trace.Recording, error) {
	switch {
	case isYAML(name):
		p, err := readFile(name, workload.ReadYAML)
		if err != nil {
			return nil, err
		}
		return p.Truth(cfg)
	case IsCallTree(name):
		return readFile(name, workload.ReadTree)
	}
	return workload.ByName(name).Truth(cfg)
}

// readFile reads the file called name by read.
func readFile[T any](name string, read func(io.Reader, string) (T, error)) (made T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return made, err
	}
	defer file.Close()
	return read(file, name)
}
