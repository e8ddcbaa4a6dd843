package lab

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
)

// build builds the program, in an empty folder that becomes the working directory.
func build(t *testing.T) *testdata.Program {
	t.Helper()
	path, err := testdata.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &testdata.Program{Path: path, Dir: t.TempDir()}
	t.Chdir(p.Dir)
	return p
}

// TestLabFiles compares the files of the laboratory with those of the program.
func TestLabFiles(t *testing.T) {
	testdata.Seldom(t, 4)
	p := build(t)
	for _, source := range testdata.SomeUnlessNamed(t, testdata.LabSources(t, p), 1) {
		e := Engine{Version: strings.TrimSpace(strings.TrimPrefix(p.Run(t, "--version"), "artifice "))}
		for _, r := range []Request{{Op: "open", Name: source}, {Op: "sweep", Device: "A"}} {
			if _, err := e.Do(t.Context(), &r); err != nil {
				t.Fatalf("%s: %s: %v", source, r.Op, err)
			}
		}
		for _, f := range testdata.Some(t, testdata.LabFiles, 3) {
			got, err := e.Do(t.Context(), &Request{Op: "save", File: f.Name})
			if err != nil {
				t.Errorf("%s: %s: %v", source, f.Name, err)
			} else if want := f.Written(t, p, source); !bytes.Equal(got.Bytes, want) {
				t.Errorf("%s: %s differs from artifice %s:\n%.2000s", source, f.Name, strings.Join(f.Args, " "), cmp.Diff(string(want), string(got.Bytes)))
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
	if err := json.Unmarshal([]byte(build(t).Run(t, "plan", "game-loop", "--method", "glDrawElements", "--change", "10%", "--budget", "8%", "--json")), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.Plan); d != "" {
		t.Error(d)
	}
}
