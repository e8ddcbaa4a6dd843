package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// briefWay is a tracer in one file, as in the recipe of CONTRIBUTING.md.
const briefWay = `package tracer

import (
	"artifice/tracer/device"
	"artifice/instrument"
	"artifice/trace"
)

// brief sees methods with short names.
var brief = calls(Tracer{
	Name: "brief", Description: "methods of which the name has at most ten letters", How: library("brief"),
}, func(device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{Sees: func(m *trace.Method) bool { return len(m.Name) <= 10 }, MainOnly: true}
})
`

// TestAddTracer adds a tracer by one file and one line, and finds it in every list of tracers:
// record, bench, score, list, help and completion. TestMissingReference of research/internal/verify
// covers tracers without a witness.
func TestAddTracer(t *testing.T) {
	testdata.Seldom(t, 9)
	program := recipe(t, map[string]string{"tracer/brief.go": briefWay}, "tracer/tracer.go", ", again}", ", brief, again}")
	dir := t.TempDir()
	truth, out := filepath.Join(dir, "truth.trace"), filepath.Join(dir, "brief.trace")
	runs(t, program, [][2]string{
		{"list", "brief"},
		{"record --help", " brief"},
		{"help tracers", "  brief "},
		{"__complete record x --mode bri", "brief\tmethods"},
		{"__complete bench x --modes bri", "brief\tmethods"},
		{"record cold-start --duration 200ms --mode brief -o " + out, "wrote "},
		{"record cold-start --duration 200ms --mode truth -o " + truth, "wrote "},
		{"score " + truth + " " + out, "methods"},
		{"bench cold-start --duration 200ms --modes brief --csv", "brief,"},
		{"bench cold-start --duration 200ms --modes all --intervals 5ms --seeds 2 --csv", "brief,"},
	})
}

// TestAddMeasureAndRule adds a measure by a constant and a table row, and a check rule by a file
// and a line, and finds both. TestMissingReference of research/internal/verify covers measures
// without a witness.
func TestAddMeasureAndRule(t *testing.T) {
	testdata.Seldom(t, 9)
	program := recipe(t, map[string]string{"format/check/fetching.go": `package check

import "strings"

// fetching is a rule about names.
var fetching = Rule{
	ID: "N209", Name: "fetching", Explain: "A method fetches.",
	text: func(name string) bool { return strings.Contains(name, "fetch") },
}
`}, "format/check/rules.go", "if threads end and others start.\"},\n", "if threads end and others start.\"},\n	fetching,\n",
		"bench/measures.go", "	numMeasures\n)", "	MeanDepth\n	numMeasures\n)",
		"bench/measures.go", "	Overflow: {", `	MeanDepth: {"mean_depth", "depth", number, func(c *score.Comparison) float64 { return float64(c.Line.Reported) / float64(c.Line.True) },
		"mean depth reported over the true one"},
	Overflow: {`)
	out := filepath.Join(t.TempDir(), "fetched.trace")
	runs(t, program, [][2]string{
		{"bench w11-messages --duration 200ms --modes instrument-dual --device ideal --csv", "mean_depth"},
		{"record w11-messages --duration 200ms --mode instrument -o " + out, "instrumented by"},
		{"check " + out, "N209"},
	})
}

// beatFormat is a format in one folder, as in the recipe of CONTRIBUTING.md.
const beatFormat = `// Package beat reads and writes calls as lines "beat + METHOD MS" where they begin and
// "beat - METHOD MS" where they end.
package beat

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/internal/encode"
	"artifice/trace"
)

// Format is such lines.
var Format = kind.OfCalls(kind.Format{
	Name: "beat", About: "begins and ends in ms", Endings: []string{".beat"},
	Sniff: func(head []byte) bool { return bytes.HasPrefix(head, []byte("beat ")) },
	Holds: kind.OpenFrames,
	Write: create,
}, timeline.Format{Read: read})

func read(s *timeline.Source) error {
	return s.EachLine(func(line []byte) error {
		var kind, name string
		var ms int
		if _, err := fmt.Sscanf(string(line), "beat %s %s %d", &kind, &name, &ms); err != nil {
			return fmt.Errorf("want beat +|- METHOD MS, got %.40q", line)
		}
		at, main := time.Duration(ms)*time.Millisecond, timeline.Thread{Tid: 1}
		if kind == "-" {
			return s.Calls.End(main, []byte(name), at, -1)
		}
		return s.Calls.Begin(main, []byte(name), at, -1)
	})
}

// beats is a file being written.
type beats struct {
	encode.Nested
	w *bufio.Writer
}

func create(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
	b, o := &beats{w: bufio.NewWriter(w)}, kind.Option[kind.WriteOptions](options)
	b.Nested = encode.Nested{Rec: rec, Until: o.Until, To: b}
	return b, nil
}

func (b *beats) Event(e *trace.Event) error {
	_, err := fmt.Fprintf(b.w, "beat %c %s %d\n", "+-"[e.Action&1], b.Rec.Symbols.Method(e.Method).FullName(), e.Wall.Milliseconds())
	return err
}

func (b *beats) Close() error {
	if err := b.Finish(); err != nil {
		return err
	}
	return b.w.Flush()
}
`

// TestAddFormat adds a format for reading and writing by one folder, one line, and its import. It
// finds the format by the content and the extension of a file, and in list, help and completion.
// Writing and reading preserve the trace.
func TestAddFormat(t *testing.T) {
	testdata.Seldom(t, 9)
	program := recipe(t, map[string]string{"format/internal/beat/beat.go": beatFormat},
		"format/registry.go", "		&pprof.Format,\n", "		&pprof.Format,\n		beat.Format,\n",
		"format/registry.go", "	\"artifice/format/internal/blockinfo\"\n", "	\"artifice/format/internal/beat\"\n	\"artifice/format/internal/blockinfo\"\n")
	dir := t.TempDir()
	in, text, back, bad := filepath.Join(dir, "in"), filepath.Join(dir, "in.txt"), filepath.Join(dir, "back.beat"), filepath.Join(dir, "bad")
	const calls = "beat + a.B.f 3\nbeat + a.B.g 4\nbeat - a.B.g 7\nbeat - a.B.f 9\n"
	for name, lines := range map[string]string{in: calls, bad: calls + "beat\n"} {
		if err := os.WriteFile(name, []byte(lines), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	runs(t, program, [][2]string{
		{"list", "beat"},
		{"__complete convert x --format bea", "beat\tbegins and ends in ms"},
		{"info " + in, "beat"},
		{"convert " + in + " -o " + text, ""}, // the command prints nothing
		{"convert " + text + " -o " + back, ""},
	})
	if got, err := os.ReadFile(back); err != nil || string(got) != strings.NewReplacer("3", "0", "4", "1", "7", "4", "9", "6").Replace(calls) {
		t.Errorf("%v, %q", err, got) // times are relative to the first event
	}
	refused, err := exec.Command(program, "info", bad).CombinedOutput()
	if want := bad + ":5: want beat +|- METHOD MS"; err == nil || !strings.Contains(string(refused), want) {
		t.Errorf("%v, want %q in\n%s", err, want, refused)
	}
}

// TestAddStep adds a step of YAML workloads by one table row: thrice is a loop of three rounds. The
// trace has three calls of a method that works for 1 ms in each round.
func TestAddStep(t *testing.T) {
	testdata.Seldom(t, 9)
	program := recipe(t, map[string]string{}, "workload/yaml_step.go", `		{"choose", func`, `		{"thrice", func(v *yamlfile.Node) (err error) {
			s.kind = loopStep
			if s.times, err = dist.ParseCount("3"); err != nil {
				return err
			}
			s.body, err = b.steps(v.Items, false)
			return err
		}},
		{"choose", func`)
	dir := t.TempDir()
	app, truth := filepath.Join(dir, "app.yaml"), filepath.Join(dir, "truth.txt")
	const text = "name: app\nduration: 1s\nmethods:\n  A.f: {do: [{self: 1ms}]}\nthreads:\n  - {name: main, tid: 1, do: [{thrice: [{call: A.f}]}]}\n"
	if err := os.WriteFile(app, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	runs(t, program, [][2]string{{"record " + app + " --mode truth -o " + truth, ""}})
	events, err := os.ReadFile(truth)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(events), "enter A.f"); n != 3 || !strings.Contains(string(events), "3000000 ") {
		t.Errorf("%d calls, want 3 that end at 3 ms:\n%s", n, events)
	}
}

// runs runs the program with each list of arguments and checks that its output contains the
// expected text.
func runs(t *testing.T, program string, steps [][2]string) {
	t.Helper()
	for _, step := range steps {
		args, want := step[0], step[1]
		text, err := exec.Command(program, strings.Fields(args)...).CombinedOutput()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("artifice %s: %v, want %q in\n%s", args, err, want, text)
		}
	}
}

// recipe builds the program with additional files and with replacements. The changes are triples of
// a file, the old text and the new text.
func recipe(t *testing.T, files map[string]string, changes ...string) (program string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir, root := t.TempDir(), testdata.Root()
	for ; len(changes) > 0; changes = changes[3:] {
		name, old, with := changes[0], changes[1], changes[2]
		text, ok := files[name]
		if !ok {
			source, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			text = string(source)
		}
		if files[name] = strings.Replace(text, old, with, 1); files[name] == text {
			t.Fatalf("%s has no %q", name, old)
		}
	}
	replace := map[string]string{}
	for name, text := range files {
		made := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(made, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, name)] = made
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "artifice")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", list, "-o", program, "./cmd/artifice")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}
