package outputs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/seen"
	"artifice/research/internal/peers/tracers"
)

// Kind is an input of the matrix of round trips.
type Kind struct {
	Name  string
	OfCPU bool     // it consists of samples of CPU time
	Dumps bool     // it consists of dumps of all threads
	File  []string // the parts of its path: in the folder of the real data, or from the module's root if Own is set
	Own   bool
	As    string         // format to which convert writes it first; "" is none
	Read  tracers.Reader // counts the file of samples of CPU time; nil: the text that convert writes of it is counted
	Made  string         // format in which package tracers writes the app [Made], instead of a File
}

// Made is the built-in app used for files of other tracers.
const Made = "cold-start"

// Kinds lists the inputs: at least one of each kind that is read, and each clock.
var Kinds = []Kind{
	{Name: "art, sampled", File: []string{"traces", "sampled-art-file.trace"}},
	{Name: "art, instrumented", File: []string{"traces", "instrumented-art-file.trace"}},
	{Name: "art, host", File: []string{"traces", "sampled-host-file.trace"}},
	{Name: "art, stream", File: []string{"traces", "sampled-streaming.trace"}},
	{Name: "art, wall", File: []string{"traces", "art11", "s1000-wall.trace"}},
	{Name: "art, CPU", File: []string{"traces", "art11", "s1000-cpu.trace"}},
	{Name: "dalvik", File: []string{"traces", "tiny-mismatched.trace"}},
	{Name: "anr", Dumps: true, File: []string{"anr", "wanandroid-traces.txt"}},
	{Name: "jstack", Dumps: true, File: []string{"jstack", "cpu-hotspot"}},
	{Name: "perf", OfCPU: true, File: []string{"other", "perf-java-stacks-01.txt"}, Read: tracers.ReadPerf},
	{Name: "folded", File: []string{"other", "sample1.collapsed"}},
	{Name: "pprof", OfCPU: true, File: []string{"other", "java.cpu.pprof"}},
	{Name: "otlp", OfCPU: true, File: []string{"other", "java.cpu.pprof"}, As: "otlp"},
	{Name: "otlp-json", OfCPU: true, File: []string{"field", "otlp-profiles.json"}},
	{Name: "jfr-json", OfCPU: true, Own: true, File: []string{"format", "internal", "jfr", "testdata", "spin.json"}, Read: tracers.ReadJFR},
	{Name: "cpuprofile", Own: true, File: []string{"format", "internal", "cpuprofile", "testdata", "spin.cpuprofile"}},
	{Name: "speedscope, evented", File: []string{"traces", "instrumented-art-file.trace"}, As: "speedscope"},
	{Name: "speedscope, sampled", Own: true, File: []string{"format", "internal", "cpuprofile", "testdata", "spin.cpuprofile"}, As: "speedscope"},
	{Name: "chrome", File: []string{"traces", "instrumented-art-file.trace"}, As: "chrome"},
	{Name: "perfetto", File: []string{"traces", "instrumented-art-file.trace"}, As: "perfetto"},
	{Name: "atrace", File: []string{"traces", "instrumented-art-file.trace"}, As: "atrace"},
	{Name: "firefox", File: []string{"traces", "instrumented-art-file.trace"}, As: "firefox"},
	{Name: "simpleperf-proto", OfCPU: true, File: []string{"traces", "instrumented-art-file.trace"}, As: "simpleperf-proto", Read: tracers.ReadSimpleperf},
	{Name: "rhea", Made: "rhea"},
	{Name: "btrace", Made: "btrace"},
	{Name: "nanoscope", Made: "nanoscope"},
	{Name: "matrix", Made: "matrix"},
	{Name: "matrix-buffer", Made: "matrix-buffer"},
	{Name: "perfetto, by traced", Made: "perfetto"},
	{Name: "profilo", Dumps: true, Made: "profilo"},
	{Name: "btrace3", Dumps: true, Made: "btrace3"},
	{Name: "simpleperf", OfCPU: true, Made: "simpleperf"},
	{Name: "perfetto-samples", OfCPU: true, Made: "perfetto-samples"},
	{Name: "blockinfo", Dumps: true, Made: "blockinfo"},
	{Name: "jvm-text", Dumps: true, Made: "jvm-text"},
	{Name: "jvm-json", Dumps: true, Made: "jvm-json"},
	{Name: "javacore", Dumps: true, Made: "javacore"},
	{Name: "tombstone", Dumps: true, Made: "tombstone"},
	{Name: "jsonl", Dumps: true, Own: true, File: []string{"format", "internal", "jvm", "testdata", "phases.jsonl.gz"}},
}

// Path returns the path of a kind's file, in the folder of the real data or the module's root.
func (k *Kind) Path(data string) string {
	if k.Own {
		data = testdata.Root()
	}
	return filepath.Join(append([]string{data}, k.File...)...)
}

// Cell is an input that was written in a format and read back.
type Cell struct {
	Kind, Format string
	Needs        []int  // indexes in Reasons of the losses needed to explain the totals
	Fault        string // difference of the totals, or failure; "" is none
	Score        string // the same for score's output for the input and the file
}

// String returns the cell's text in the table: = if nothing is lost, else the letters of the
// losses.
func (c Cell) String() string {
	if c.Fault != "" {
		return "wrong"
	}
	letters := ""
	for _, r := range c.Needs {
		letters += Letter(r)
	}
	if letters == "" {
		return "="
	}
	return letters
}

// Letter returns the letter for a reason in the table.
func Letter(reason int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return letters[reason : reason+1]
}

// TripsOf writes a kind of input in formats, and compares report's output for each file with the
// input.
func TripsOf(t testing.TB, p *Program, k Kind, file string, formats []string) []Cell {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "trips-")
	if err != nil {
		t.Fatal(err)
	}
	if k.As != "" {
		made := filepath.Join(dir, "made")
		p.Run(t, "convert", "-q", file, "-o", made, "--format", k.As)
		file = made
	}
	var held *Held
	switch {
	case k.Made != "":
		file, held, err = p.make(t, dir, k.Made)
	case k.Read != nil:
		held, err = heldBy(k.Read, file)
	default:
		text := filepath.Join(dir, "x.text")
		p.Run(t, "convert", "-q", file, "-o", text, "--format", "text")
		held, err = p.hold(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	held.OfCPU, held.Dumps = k.OfCPU, k.Dumps
	itself := Cell{Kind: k.Name, Format: "itself"}
	if got, err := p.Reported(file); err != nil {
		itself.Fault = err.Error()
	} else {
		itself.Fault = held.Totals().difference(got)
	}
	cells := []Cell{itself}
	for _, format := range formats {
		cells = append(cells, p.trip(held, k.Name, file, filepath.Join(dir, "x."+format), format))
	}
	return cells
}

// make writes the app [Made] by another tracer, and returns its file and the contents.
func (p *Program) make(t testing.TB, dir, format string) (string, *Held, error) {
	t.Helper()
	truth := filepath.Join(dir, "truth.trace")
	p.Run(t, "record", "-q", Made, "--mode", "truth", "--duration", "150ms", "-o", truth)
	trace, err := seen.Read(truth)
	if err != nil {
		return "", nil, err
	}
	files, known := tracers.ByFormat(format).Write(trace)
	folder := filepath.Join(dir, "made")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", nil, err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Bytes, 0o600); err != nil {
			return "", nil, err
		}
	}
	return filepath.Join(folder, files[0].Name), heldOf(known), nil
}

// heldOf returns the known contents of a file.
func heldOf(known *seen.Trace) *Held {
	held := &Held{Trace: *known, TIDs: make(map[int]uint32), known: true}
	for tid := range known.Threads {
		held.TIDs[tid] = max(uint32(tid), 1) // 0, of the idle task, is no thread's number
	}
	return held
}

// heldBy reads a file.
func heldBy(read tracers.Reader, name string) (*Held, error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	known, err := read(file)
	if err != nil {
		return nil, err
	}
	held := heldOf(&known.Trace)
	held.strict = known.Strict
	return held, nil
}

// trip fills one cell.
func (p *Program) trip(held *Held, kind, file, out, format string) Cell {
	c := Cell{Kind: kind, Format: format}
	var mine []int
	for i, r := range Reasons {
		if slices.Contains(r.Formats, format) {
			mine = append(mine, i)
		}
	}
	args := []string{"convert", "-q", file, "-o", out, "--format", format}
	if closesCalls[format] { // where the reference implementation does
		args = append(args, "--until", "last")
	}
	said, err := exec.Command(p.path, args...).CombinedOutput()
	for _, i := range mine {
		if refuse := Reasons[i].refuse; refuse != nil && refuse(held) != "" {
			c.Needs = []int{i}
			if err == nil || !strings.Contains(string(said), refuse(held)) {
				c.Fault = fmt.Sprintf("it should be refused, as it %s: %s", Reasons[i].Text, said)
			}
			return c
		}
	}
	if err != nil {
		c.Fault = fmt.Sprintf("%v: %s", err, said)
		return c
	}
	got, err := p.Reported(out)
	if err != nil {
		c.Fault = err.Error()
		return c
	}
	if c.Fault = differ(held, got, mine); c.Fault != "" {
		return c
	}
	c.Score = p.scored(held, file, out, mine)
	// A reason is not needed if the totals agree without it; the last are tried first.
	c.Needs = slices.Clone(mine)
	for i := len(mine) - 1; i >= 0; i-- {
		fewer := slices.DeleteFunc(slices.Clone(c.Needs), func(r int) bool { return r == mine[i] })
		if differ(held, got, fewer) == "" {
			c.Needs = fewer
		}
	}
	return c
}

// differ compares a file's totals with the input after the given reasons are applied.
func differ(held *Held, got *Totals, reasons []int) string {
	h := *held
	for _, i := range reasons {
		if f := Reasons[i].held; f != nil {
			f(&h)
		}
	}
	want, mine := h.Totals(), &Totals{cloned(got.Threads), cloned(got.Methods)}
	for _, i := range reasons {
		if f := Reasons[i].both; f != nil {
			f(want, mine)
		}
	}
	return want.difference(mine)
}

func cloned(m map[string]Total) map[string]Total {
	c := make(map[string]Total, len(m))
	for name, total := range m {
		c[name] = total
	}
	return c
}

// MatrixFormats returns the formats of the matrix: all that are written.
func MatrixFormats() (names []string) {
	for _, f := range format.Written() {
		names = append(names, f.Name)
	}
	return names
}
