// Package outputs compares written files with their intended readers: a third-party program counts
// each file, and package seen, which shares no code with artifice, counts the source trace.
//
// It is used by tests, and for the table in research/readers/README.md.
package outputs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/peers/seen"
)

// Input is a source trace of files.
type Input struct {
	Name  string
	File  string // a classic file
	Trace *seen.Trace
}

// Program is the command line, built once.
type Program struct{ path string }

// Build returns the program; the first call builds it. The caller calls Remove in the end.
func Build(t testing.TB) *Program {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return &Program{path}
}

var built = sync.OnceValues(build)

func build() (string, error) {
	dir, err := os.MkdirTemp("", "artifice-outputs-")
	if err != nil {
		return "", err
	}
	path, err := testdata.Build(dir)
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	folder = dir
	return path, nil
}

// folder contains the built program.
var folder string

// Remove removes the program if it was built.
func Remove() {
	if folder != "" {
		os.RemoveAll(folder)
	}
}

// Run runs the program and returns what it prints; its exit status must be 0.
func (p *Program) Run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(p.path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("artifice %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Convert writes an input in a format and returns the file's name.
func (p *Program) Convert(t testing.TB, dir string, in Input, f Format) string {
	t.Helper()
	file := filepath.Join(dir, in.Name+f.Ending)
	args := []string{"convert", "-q", in.File, "-o", file, "--format", f.Name}
	if closesCalls[f.Name] { // where the reference implementation does
		args = append(args, "--until", "last")
	}
	p.Run(t, slices.Concat(args, f.Args)...)
	return file
}

// closesCalls are the formats in which every call has an end.
var closesCalls = map[string]bool{
	"pprof": true, "folded": true, "chrome": true, "firefox": true, "speedscope": true, "perfetto": true, "ftrace": true, "atrace": true, "simpleperf-proto": true,
	"otlp": true, "otlp-json": true, "dalvik1": true, "dalvik2": true, "dalvik3": true, "art-longrun-2025-02": true, "art-longrun-16": true,
}

// Real lists the real traces: two recorded by ART on a device, one sampled and one instrumented,
// and one from a host.
var Real = []string{"sampled-art-file.trace", "instrumented-art-file.trace", "sampled-host-file.trace"}

// Apps lists built-in apps; the inputs contain their truths.
var Apps = []string{"scroll-60hz", "cold-start", "network-client", "mid-program"}

// Inputs returns the real traces of a folder (none if traces is empty), traces of the built-in
// apps, and the unusual files.
func Inputs(t testing.TB, p *Program, traces string) []Input {
	t.Helper()
	dir := t.TempDir()
	files := make(map[string]string)
	var names []string
	add := func(name, file string) {
		names = append(names, name)
		files[name] = file
	}
	for _, name := range Real {
		if traces != "" {
			add(strings.TrimSuffix(name, ".trace"), filepath.Join(traces, name))
		}
	}
	for _, name := range Apps {
		file := filepath.Join(dir, name+".trace")
		p.Run(t, "record", "-q", name, "--mode", "truth", "--duration", "100ms", "-o", file)
		add(name, file)
	}
	for _, odd := range seen.Odds() {
		file := filepath.Join(dir, odd.Name+".trace")
		if err := os.WriteFile(file, odd.Bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		add("odd-"+odd.Name, file)
	}
	var inputs []Input
	for _, name := range names {
		trace, err := seen.Read(files[name])
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", name, err))
		}
		inputs = append(inputs, Input{name, files[name], trace})
	}
	return inputs
}
