package stackdump_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/format/internal/anr"
	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
	"artifice/format/internal/jsonlines"
	"artifice/format/internal/jvm"
	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"
	"artifice/trace"
	"artifice/workload"
)

// truths returns programs to dump: functions that create a truth, by name.
func truths(t *testing.T) map[string]func() *trace.Recording {
	all := map[string]func() *trace.Recording{
		"recorded": func() *trace.Recording {
			f, err := dmtrace.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), dmtrace.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			if err := f.InTimeOrder(); err != nil {
				t.Fatal(err)
			}
			return &f.Recording
		},
		"recursion": func() *trace.Recording { return recursion(t) },
	}
	for _, name := range []string{"cold-start", "gc-storm", "network-client"} {
		p := workload.Must(workload.ByName(name))
		all[name] = func() *trace.Recording {
			rec, err := p.Truth(workload.Config{Seed: 1, Duration: time.Second / 2})
			if err != nil {
				t.Fatal(err)
			}
			return rec
		}
	}
	return all
}

// recursion returns a truth with runs of up to eight recursive calls, outermost and in the middle
// of a stack.
func recursion(t *testing.T) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall, Technique: trace.Truth}, Symbols: &trace.Symbols{}}
	th, err := rec.Symbols.AddThread(trace.Thread{TID: 11, Name: `the "main" one`})
	if err != nil {
		t.Fatal(err)
	}
	f := rec.Symbols.AddMethod(trace.Method{ID: 4, Class: "a.B", Name: "f", File: "B.java", Line: 3})
	g := rec.Symbols.AddMethod(trace.Method{ID: 8, Class: "a/B", Name: "<init>", Flags: trace.Native})
	var b trace.Buffer
	now := time.Duration(0)
	for n := range 9 {
		var stack []trace.MethodID
		for _, m := range []trace.MethodID{f, g, f} {
			for range n {
				stack = append(stack, m)
			}
		}
		now += 10 * time.Millisecond
		for _, m := range stack {
			b.Events = append(b.Events, trace.Event{Wall: now, Method: m, Thread: th})
		}
		now += 50 * time.Millisecond
		for _, m := range slices.Backward(stack) {
			b.Events = append(b.Events, trace.Event{Wall: now, Method: m, Thread: th, Action: trace.Exit})
		}
	}
	rec.Events = trace.NewSliceReader(b.Events)
	return rec
}

// TestRoundTrip dumps truths in each format and reads the dumps back. The events must be those of
// stacks that are computed for each instant from all events.
func TestRoundTrip(t *testing.T) {
	const interval = 20 * time.Millisecond
	for name, truth := range truths(t) {
		want := rebuilt(t, truth(), interval)
		for _, format := range []*stackdump.Format{anr.Format.Dumps, jvm.Format.Dumps, folded.Format.Dumps, jsonlines.Format.Dumps} {
			var out bytes.Buffer
			stats, err := dump(truth(), interval, stackdump.WriterConfig{Format: format}, oneFile(&out))
			if err != nil {
				t.Fatalf("%s: %s: %v", name, format, err)
			}
			s, err := formattest.New(&out, "dumps", stackdump.Config{Interval: interval})
			if err != nil {
				t.Fatalf("%s: %s: %v", name, format, err)
			}
			var samples int64
			s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) { samples += snap.Count }))
			got := describe(s.Symbols, tracetest.Events(t, s))
			if !slices.Equal(got, want) {
				i := firstDifference(got, want)
				t.Errorf("%s: %s: %d events, want %d; from event %d:\n%q\nwant:\n%q", name, format, len(got), len(want), i, part(got, i), part(want, i))
			}
			if samples != stats.Samples || s.Counts().Format != format {
				t.Errorf("%s: %s: read %d samples of %s, wrote %d", name, format, samples, s.Counts().Format, stats.Samples)
			}
			formattest.Warned(t, s)
		}
	}
}

// dump writes the dumps of a truth.
func dump(truth *trace.Recording, interval time.Duration, cfg stackdump.WriterConfig, create func() (io.WriteCloser, error)) (stackdump.WriterStats, error) {
	rec, err := sampler.Record(truth, sampler.Config{Interval: interval, Clock: truth.Info.Clock, KeepSymbols: true, Dumps: true})
	if err != nil {
		return stackdump.WriterStats{}, err
	}
	w, err := stackdump.NewWriter(rec, cfg, create)
	if err != nil {
		return stackdump.WriterStats{}, err
	}
	if _, err := trace.Copy(w, rec.Events); err != nil {
		return w.Stats(), err
	}
	err = w.Close()
	return w.Stats(), err
}

// rebuilt returns the events that ART's sampler would write for a truth sampled every interval. It
// replays each thread's stack from the beginning for every instant.
func rebuilt(t *testing.T, truth *trace.Recording, interval time.Duration) []string {
	var all trace.Buffer
	if _, err := trace.Copy(&all, truth.Events); err != nil {
		t.Fatal(err)
	}
	end := max(truth.Info.Elapsed, all.Events[len(all.Events)-1].Wall)
	var events []trace.Event
	before := map[trace.ThreadID][]trace.MethodID{}
	for at := interval; at <= end; at += interval {
		var s trace.Stacks
		for _, e := range all.Events {
			if e.Wall <= at {
				s.Apply(e)
			}
		}
		for i := range truth.Symbols.Threads {
			id := trace.ThreadID(i)
			var now []trace.MethodID
			// Open frames of a recorded thread last until the end of the trace, like those of a
			// sleeping thread.
			if end := truth.Symbols.Threads[i].End; end == 0 || at <= end || truth.Info.Technique != trace.Truth {
				for _, m := range s.Of(id) { // dumps omit the runtime's own methods
					if truth.Symbols.Method(m).Flags&trace.RuntimeInternal == 0 {
						now = append(now, m)
					}
				}
			}
			old, common := before[id], 0
			for common < min(len(old), len(now)) && stackdump.FrameName(truth.Symbols.Method(old[common])) == stackdump.FrameName(truth.Symbols.Method(now[common])) {
				common++
			}
			for _, m := range slices.Backward(old[common:]) {
				events = append(events, trace.Event{Wall: at - interval, Method: m, Thread: id, Action: trace.Exit})
			}
			for _, m := range now[common:] {
				events = append(events, trace.Event{Wall: at - interval, Method: m, Thread: id})
			}
			before[id] = now
		}
	}
	if len(events) == 0 {
		t.Fatal("a truth without stacks")
	}
	return describe(truth.Symbols, events)
}

// describe formats events as sorted lines with thread and method. A number keeps the order of a
// thread's events.
func describe(symbols *trace.Symbols, events []trace.Event) []string {
	var out []string
	numbers := map[trace.ThreadID]int{}
	for _, e := range events {
		numbers[e.Thread]++
		th := symbols.Thread(e.Thread)
		out = append(out, fmt.Sprintf("%d %s %06d %d %s %s", th.TID, th, numbers[e.Thread], e.Wall, e.Action, stackdump.FrameName(symbols.Method(e.Method))))
	}
	slices.Sort(out)
	return out
}

func firstDifference(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func part(lines []string, from int) []string { return lines[from:min(from+3, len(lines))] }

// oneFile returns a create function for NewWriter that writes to out.
func oneFile(out *bytes.Buffer) func() (io.WriteCloser, error) {
	return func() (io.WriteCloser, error) { return nopCloser{out}, nil }
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// TestFilePerDump checks that a folder of dumps reads like one file with these dumps.
func TestFilePerDump(t *testing.T) {
	for _, format := range []*stackdump.Format{anr.Format.Dumps, jvm.Format.Dumps, folded.Format.Dumps, jsonlines.Format.Dumps} {
		var one bytes.Buffer
		if _, err := dump(recursion(t), 20*time.Millisecond, stackdump.WriterConfig{Format: format}, oneFile(&one)); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		files := 0
		stats, err := dump(recursion(t), 20*time.Millisecond, stackdump.WriterConfig{Format: format, Split: stackdump.FilePerDump}, func() (io.WriteCloser, error) {
			files++
			return os.Create(filepath.Join(dir, fmt.Sprintf("dump-%d.txt", files)))
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[*stackdump.Format]int{anr.Format.Dumps: 27, jvm.Format.Dumps: 27, folded.Format.Dumps: 1, jsonlines.Format.Dumps: 1}[format]; files != want || stats.Files != int64(want) || stats.Dumps != 27 {
			t.Errorf("%s: %d files, %+v, want %d files of 27 dumps (540 ms, one each 20 ms)", format, files, stats, want)
		}
		cfg := stackdump.Config{Interval: 20 * time.Millisecond}
		formattest.Same(t, formattest.Text(t, formattest.OpenDumps(t, cfg, dir)), formattest.Text(t, formattest.Parse(t, cfg, one.String())))
	}
}

func TestWriterErrors(t *testing.T) {
	for _, test := range []struct {
		interval time.Duration
		cfg      stackdump.WriterConfig
		want     string
	}{
		{usual, stackdump.WriterConfig{Format: perf.Format.Dumps}, `cannot write stack dumps in format "perf"`},
		{15 * time.Millisecond, stackdump.WriterConfig{Format: jvm.Format.Dumps}, "HotSpot prints times in steps of 10ms"},
		{usual, stackdump.WriterConfig{Format: anr.Format.Dumps, Phase: -1}, "both times must be above 0"},
		{time.Hour, stackdump.WriterConfig{Format: anr.Format.Dumps}, "before the first dump"},
	} {
		_, err := dump(recursion(t), test.interval, test.cfg, oneFile(&bytes.Buffer{}))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.cfg, err, test.want)
		}
	}
	if _, err := stackdump.NewWriter(&trace.Recording{}, stackdump.WriterConfig{Format: anr.Format.Dumps}, oneFile(&bytes.Buffer{})); err == nil || !strings.Contains(err.Error(), "both times must be above 0") {
		t.Errorf("a recording without an interval: error %v", err)
	}
	broken := errors.New("disk full")
	if _, err := dump(recursion(t), usual, stackdump.WriterConfig{Format: anr.Format.Dumps}, func() (io.WriteCloser, error) { return failing{broken}, nil }); !errors.Is(err, broken) {
		t.Errorf("failing writer: error %v", err)
	}
	if _, err := dump(recursion(t), usual, stackdump.WriterConfig{Format: anr.Format.Dumps}, func() (io.WriteCloser, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("failing create: error %v", err)
	}
	late := recursion(t)
	late.Info.Elapsed = 1 << 60
	if _, err := dump(late, usual, stackdump.WriterConfig{Format: anr.Format.Dumps}, oneFile(&bytes.Buffer{})); err == nil || !strings.Contains(err.Error(), "use a longer interval") {
		t.Errorf("a trace of 36 years: error %v", err)
	}
	// ten dumps of 400 frames, of which 256 are always accepted
	for limit, want := range map[int]string{1439: "the dump at 200ms: more than 1439 frames to write in addition to 256 per stack", 1440: ""} {
		deep := &trace.Recording{Info: trace.Info{Clock: trace.Wall, Technique: trace.Truth, Elapsed: 210 * time.Millisecond}, Symbols: &trace.Symbols{}}
		th, err := deep.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
		if err != nil {
			t.Fatal(err)
		}
		f := deep.Symbols.AddMethod(trace.Method{ID: 4, Class: "a.B", Name: "f"})
		deep.Events = trace.NewSliceReader(slices.Repeat([]trace.Event{{Wall: time.Millisecond, Method: f, Thread: th}}, 400))
		_, err = dump(deep, 20*time.Millisecond, stackdump.WriterConfig{Format: folded.Format.Dumps, Limits: trace.Limits{Frames: limit}}, oneFile(&bytes.Buffer{}))
		if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("10 dumps of 400 frames, --limit frames=%d: %v, want %q", limit, err, want)
		}
	}
	cpu := recursion(t)
	cpu.Info.Clock = trace.ThreadCPU
	if _, err := dump(cpu, usual, stackdump.WriterConfig{Format: anr.Format.Dumps}, oneFile(&bytes.Buffer{})); err == nil {
		t.Error("a truth without wall clock: no error, want one")
	}
}

// usual is an ordinary dump interval.
const usual = 50 * time.Millisecond

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
func (f failing) Close() error              { return f.err }
