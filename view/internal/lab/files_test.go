package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
)

// labFiles are the files that the laboratory saves, with the commands that write the same bytes. In
// args, FILE is the source.
var labFiles = []struct {
	file string
	args []string
}{
	{"report.json", []string{"report", "FILE", "--json"}},
	{"report.csv", []string{"report", "FILE", "--csv"}},
	{"view.html", []string{"view", "FILE", "--ranges=false", "-o", "-"}},
	{"bench.html", []string{"bench", "FILE", "--device", "A", "--ladder", "0s", "--modes", "sample,instrument-dual", "-o", "out/bench.html"}},
	{"bench.csv", []string{"bench", "FILE", "--csv"}},
	{"frontier.svg", []string{"bench", "FILE", "-o", "out/", "--modes", "sample,instrument-dual"}},
}

// program is the path of the command-line program.
type program string

// build builds the program.
func build(t *testing.T) program {
	t.Helper()
	path, err := testdata.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return program(path)
}

// printed runs the program and returns its standard output.
func (p program) printed(t *testing.T, args ...string) []byte {
	t.Helper()
	var messages bytes.Buffer
	cmd := exec.Command(string(p), args...)
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("artifice %s: %v: %s", strings.Join(args, " "), err, messages.String())
	}
	return out
}

// version returns the version that pages contain.
func (p program) version(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(strings.TrimPrefix(string(p.printed(t, "--version")), "artifice "))
}

// labSources writes three sources into a folder and makes it the working directory. It returns
// their names: a built-in app, a trace of every call, and a sampled trace.
func (p program) labSources(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata.Root(), "testdata", "startup.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("startup.txt.gz", data, 0o666); err != nil {
		t.Fatal(err)
	}
	p.printed(t, "record", "scroll-60hz", "--duration", "2s", "--device", "A", "-o", "sampled.trace", "--quiet")
	return []string{"scroll-60hz", "startup.txt.gz", "sampled.trace"}
}

// wantFile runs the program with args on source, and returns the bytes of the file that it writes.
func (p program) wantFile(t *testing.T, source, file string, args []string) []byte {
	t.Helper()
	args = slices.Clone(args)
	args[slices.Index(args, "FILE")] = source
	if !slices.Contains(args, "-o") || slices.Contains(args, "-") {
		return p.printed(t, args...)
	}
	if strings.HasSuffix(file, ".html") {
		if err := os.Mkdir("out", 0o777); err != nil {
			t.Fatal(err)
		}
	}
	p.printed(t, append(args, "--quiet")...)
	data, err := os.ReadFile(filepath.Join("out", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll("out"); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestLabFiles compares the files of the laboratory with those of the program.
func TestLabFiles(t *testing.T) {
	testdata.Seldom(t, 4)
	p := build(t)
	for _, source := range testdata.SomeUnlessNamed(t, p.labSources(t), 1) {
		e := Engine{Version: p.version(t)}
		for _, r := range []Request{{Op: "open", Name: source}, {Op: "sweep", Device: "A"}} {
			if _, err := e.Do(t.Context(), &r); err != nil {
				t.Fatalf("%s: %s: %v", source, r.Op, err)
			}
		}
		for _, f := range testdata.Some(t, labFiles, 3) {
			got, err := e.Do(t.Context(), &Request{Op: "save", File: f.file})
			if err != nil {
				t.Errorf("%s: %s: %v", source, f.file, err)
			} else if want := p.wantFile(t, source, f.file, f.args); !bytes.Equal(got.Bytes, want) {
				t.Errorf("%s: %s differs from artifice %s:\n%.2000s", source, f.file, strings.Join(f.args, " "), cmp.Diff(string(want), string(got.Bytes)))
			}
		}
	}
}

// TestLabPlan compares the laboratory's plan with that of the program.
func TestLabPlan(t *testing.T) {
	testdata.Seldom(t, 6)
	e := Engine{}
	request := Request{Name: "game-loop", Method: "glDrawElements", Change: 0.1, Budget: 0.08, Device: "A"}
	var a Answer
	for _, request.Op = range []string{"open", "plan"} {
		var err error
		if a, err = e.Do(t.Context(), &request); err != nil {
			t.Fatal(request.Op, err)
		}
	}
	text, err := json.Marshal(a.Value)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Plan any }
	var want any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(build(t).printed(t, "plan", "game-loop", "--method", "glDrawElements", "--change", "10%", "--budget", "8%", "--json"), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.Plan); d != "" {
		t.Error(d)
	}
}
