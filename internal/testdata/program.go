package testdata

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Program is a built artifice that runs in a folder.
type Program struct{ Path, Dir string }

// File returns the path of a file in the program's folder.
func (p *Program) File(name string) string { return filepath.Join(p.Dir, name) }

// Command returns a command of the program.
func (p *Program) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.Path, args...)
	cmd.Dir = p.Dir
	return cmd
}

// Run runs a command and returns its standard output. The exit status must be 0.
func (p *Program) Run(t testing.TB, args ...string) string {
	t.Helper()
	cmd := p.Command(args...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("artifice %s: %v\n%s", strings.Join(args, " "), err, messages.String())
	}
	return string(out)
}

// LabFile is a file that the laboratory saves, with the command that writes the same bytes.
type LabFile struct {
	Name string
	Args []string // FILE is the source
}

// LabFiles are the files that the laboratory saves.
var LabFiles = []LabFile{
	{"report.json", []string{"report", "FILE", "--json"}},
	{"report.csv", []string{"report", "FILE", "--csv"}},
	{"view.html", []string{"view", "FILE", "--ranges=false", "-o", "-"}},
	{"bench.html", []string{"bench", "FILE", "--device", "A", "--ladder", "0s", "--modes", "sample,instrument-dual", "-o", "out/bench.html"}},
	{"bench.csv", []string{"bench", "FILE", "--csv"}},
	{"frontier.svg", []string{"bench", "FILE", "-o", "out/", "--modes", "sample,instrument-dual"}},
}

// Written returns the bytes that the program writes for a source.
func (f *LabFile) Written(t testing.TB, p *Program, source string) []byte {
	t.Helper()
	args := slices.Clone(f.Args)
	args[slices.Index(args, "FILE")] = source
	if !slices.Contains(args, "-o") || slices.Contains(args, "-") {
		return []byte(p.Run(t, args...))
	}
	if strings.HasSuffix(f.Name, ".html") {
		if err := os.Mkdir(p.File("out"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	p.Run(t, append(args, "--quiet")...)
	data, err := os.ReadFile(filepath.Join(p.Dir, "out", f.Name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(p.File("out")); err != nil {
		t.Fatal(err)
	}
	return data
}

// LabSources puts three sources into the program's folder and returns their names: a built-in app, a
// trace of every call, and a sampled trace.
func LabSources(t testing.TB, p *Program) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(Root(), "testdata", "startup.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.File("startup.txt.gz"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	p.Run(t, "record", "scroll-60hz", "--duration", "2s", "--device", "A", "-o", "sampled.trace", "--quiet")
	return []string{"scroll-60hz", "startup.txt.gz", "sampled.trace"}
}
