package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"artifice/internal/testdata"
)

// fault is a small change of the source that a test must detect.
type fault struct {
	what     string
	old, new string // a text that occurs once in all sources, and its replacement
	test     string // regexp of the tests that must detect it; empty: any of the package
	in       string // package of the tests; empty: the changed package
	verified bool   // research/verify must detect it, too
	art      bool   // the comparison with ART 11 must detect it, too, by itself
}

// broken is a tree with a fault.
type broken struct {
	folder string // of the replacement file
	path   string // of the replaced file, in the tree
}

// inject creates the fault.
func (f *fault) inject() (*broken, error) {
	path, source, err := f.find(testdata.Root())
	if err != nil {
		return nil, err
	}
	return replace(path, bytes.Replace(source, []byte(f.old), []byte(f.new), 1))
}

// replace returns a tree in which the compiler uses other content for a file.
func replace(path string, content []byte) (*broken, error) {
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return nil, err
	}
	b := &broken{folder, path}
	with := filepath.Join(folder, filepath.Base(path))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: with}})
	if err == nil {
		err = os.WriteFile(with, content, 0o666)
	}
	if err == nil {
		err = os.WriteFile(b.overlay(), overlay, 0o666)
	}
	if err != nil {
		b.remove()
		return nil, err
	}
	return b, nil
}

func (b *broken) overlay() string { return filepath.Join(b.folder, "overlay.json") }

func (b *broken) remove() { os.RemoveAll(b.folder) }

// moduleOf returns the folder of the module that contains a file or folder, and its path there.
func moduleOf(path string) (module, inside string, err error) {
	module = testdata.Root()
	for _, name := range []string{"research", "fleet"} {
		if inner := filepath.Join(module, name); strings.HasPrefix(path, inner+string(filepath.Separator)) {
			module = inner
			break
		}
	}
	inside, err = filepath.Rel(module, path)
	return module, "./" + filepath.ToSlash(inside), err
}

// goCommand returns a command that runs in the tree with the fault, or in the original tree if b is
// nil. Tests that run the go command themselves use the same tree.
func (b *broken) goCommand(module string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = module
	cmd.Env = os.Environ()
	if b != nil {
		cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+b.overlay())
	}
	return cmd
}

// find returns the only file that contains the text to change, and its content.
func (f *fault) find(tree string) (file string, source []byte, err error) {
	err = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && (path == filepath.Join(tree, "research", "faults") || d.Name() == ".git") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch n := bytes.Count(text, []byte(f.old)); {
		case n > 1 || n == 1 && file != "":
			return fmt.Errorf("%q is in more than one place", f.old)
		case n == 1:
			file, source = path, text
		}
		return nil
	})
	if err == nil && file == "" {
		err = fmt.Errorf("%q is nowhere", f.old)
	}
	return file, source, err
}
