package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/testdata"
	"artifice/view/lab"
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
	{"bench.html", []string{"bench", "FILE", "--device", command.DefaultDevice, "--ladder", "0s", "--modes", "sample,instrument-dual", "-o", "out/bench.html"}},
	{"bench.csv", []string{"bench", "FILE", "--csv"}},
	{"frontier.svg", []string{"bench", "FILE", "-o", "out/", "--modes", "sample,instrument-dual"}},
}

// printed runs the program and returns its standard output.
func printed(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, messages bytes.Buffer
	if status := run(t.Context(), args, command.Stdio{In: strings.NewReader(""), Out: &out, Err: &messages}); status != exitOK {
		t.Fatalf("artifice %s: status %d: %s", strings.Join(args, " "), status, messages.String())
	}
	return out.Bytes()
}

// labSources writes three sources into a folder and makes it the working directory. It returns
// their names: a built-in app, a trace of every call, and a sampled trace.
func labSources(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata.Root(), "testdata", "startup.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("startup.txt.gz", data, 0o666); err != nil {
		t.Fatal(err)
	}
	printed(t, "record", "scroll-60hz", "--duration", "2s", "--device", "A", "-o", "sampled.trace", "--quiet")
	return []string{"scroll-60hz", "startup.txt.gz", "sampled.trace"}
}

// wantFile runs the program with args on source, and returns the bytes of the file that it writes.
func wantFile(t *testing.T, source, file string, args []string) []byte {
	t.Helper()
	args = slices.Clone(args)
	args[slices.Index(args, "FILE")] = source
	if !slices.Contains(args, "-o") || slices.Contains(args, "-") {
		return printed(t, args...)
	}
	if strings.HasSuffix(file, ".html") {
		if err := os.Mkdir("out", 0o777); err != nil {
			t.Fatal(err)
		}
	}
	printed(t, append(args, "--quiet")...)
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
	for _, source := range testdata.SomeUnlessNamed(t, labSources(t), 1) {
		e := lab.Engine{Version: cli.Version()}
		for _, r := range []lab.Request{{Op: "open", Name: source}, {Op: "sweep", Device: command.DefaultDevice}} {
			if _, err := e.Do(t.Context(), &r); err != nil {
				t.Fatalf("%s: %s: %v", source, r.Op, err)
			}
		}
		for _, f := range testdata.Some(t, labFiles, 3) {
			got, err := e.Do(t.Context(), &lab.Request{Op: "save", File: f.file})
			if err != nil {
				t.Errorf("%s: %s: %v", source, f.file, err)
			} else if want := wantFile(t, source, f.file, f.args); !bytes.Equal(got.Bytes, want) {
				t.Errorf("%s: %s differs from artifice %s:\n%.2000s", source, f.file, strings.Join(f.args, " "), cmp.Diff(string(want), string(got.Bytes)))
			}
		}
	}
}

// TestLabPlan compares the laboratory's plan with that of the program.
func TestLabPlan(t *testing.T) {
	testdata.Seldom(t, 3)
	e := lab.Engine{}
	request := lab.Request{Name: "game-loop", Method: "glDrawElements", Change: 0.1, Budget: 0.08, Device: "A"}
	var a lab.Answer
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
	if err := json.Unmarshal(printed(t, "plan", "game-loop", "--method", "glDrawElements", "--change", "10%", "--budget", "8%", "--json"), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.Plan); d != "" {
		t.Error(d)
	}
}
