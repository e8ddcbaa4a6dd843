package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// product is a package of the product, as go list prints it.
type product struct {
	Dir, ImportPath           string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
}

// tested reports whether a package has tests.
func (p *product) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// helpers are the packages that only tests, research and releases use.
var helpers = []string{"artifice/internal/testdata", "artifice/format/internal/formattest", "artifice/scripts"}

// products lists the packages of the product.
func products(root string) (list []*product, err error) {
	cmd := exec.Command("go", "list", "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		p := &product{}
		if err := d.Decode(p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// isHelper reports whether a package is one of the helpers.
func isHelper(path string) bool {
	return slices.ContainsFunc(helpers, func(h string) bool { return path == h || strings.HasPrefix(path, h+"/") })
}

// sourceFile is a file of the product and its mutations by line.
type sourceFile struct {
	pkg    *product
	name   string // relative to the root
	source []byte
	lines  int
	at     map[int][]mutation
}

// drawer draws mutants: a line of the product at random, then one of the mutations there.
type drawer struct {
	random *rand.Rand
	files  []*sourceFile
	lines  int
}

// newDrawer reads the sources.
func newDrawer(root string, packages []*product, seed uint64) (*drawer, error) {
	d := &drawer{random: rand.New(rand.NewPCG(seed, 0))}
	for _, p := range packages {
		if isHelper(p.ImportPath) {
			continue
		}
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			source, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			list, err := mutations(path, source)
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			f := &sourceFile{pkg: p, name: filepath.ToSlash(rel), source: source, lines: bytes.Count(source, []byte("\n")), at: map[int][]mutation{}}
			for _, m := range list {
				f.at[m.line] = append(f.at[m.line], m)
			}
			d.files = append(d.files, f)
			d.lines += f.lines
		}
	}
	return d, nil
}

// next draws a mutant.
func (d *drawer) next() (*sourceFile, *mutation) {
	for {
		line := d.random.IntN(d.lines)
		for _, f := range d.files {
			if line < f.lines {
				if list := f.at[line+1]; len(list) > 0 {
					return f, &list[d.random.IntN(len(list))]
				}
				break
			}
			line -= f.lines
		}
	}
}
