package pprof_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"artifice/format/internal/folded"
	"artifice/format/internal/kind"
	"artifice/format/pprof"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
)

const us = time.Microsecond

// pprofOf writes a profile and reads it with the parser of google/pprof.
func pprofOf(t *testing.T, rec *trace.Recording, events []trace.Event, options ...any) (*profile.Profile, *pprof.Writer) {
	t.Helper()
	var out bytes.Buffer
	w, err := pprof.NewWriter(&out, rec, options...)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return parseProfile(t, out.Bytes()), w
}

func parseProfile(t *testing.T, data []byte) *profile.Profile {
	t.Helper()
	prof, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := prof.CheckValid(); err != nil {
		t.Fatal(err)
	}
	return prof
}

// samples formats the samples of a profile: labels, stack with the innermost frame first, values.
func samples(prof *profile.Profile) []string {
	var out []string
	for _, s := range prof.Sample {
		var names []string
		for _, l := range s.Location {
			names = append(names, l.Line[0].Function.Name)
		}
		out = append(out, fmt.Sprint(s.Label["thread"], s.NumLabel["tid"], " ", strings.Join(names, " < "), " ", s.Value))
	}
	return out
}

// TestPprofTime: time_nanos of profile.proto is in ns since 1970. The start time of a Dalvik trace
// is in the same unit, and is written. 2011-11-11 11:11:11 UTC is 1321009871 s (date -u +%s). The
// start time of ART is relative to the boot of the device, and is not written.
func TestPprofTime(t *testing.T) {
	for vm, want := range map[string]int64{"dalvik": 1321009871000000000, "art": 0, "": 0} {
		rec := testdata.ExampleRecording()
		rec.Info.VM, rec.Info.Start = vm, 1321009871*time.Second
		prof, _ := pprofOf(t, rec, testdata.ExampleEvents())
		if prof.TimeNanos != want {
			t.Errorf("vm %q: time %d, want %d", vm, prof.TimeNanos, want)
		}
	}
}

func TestWriter(t *testing.T) {
	prof, w := pprofOf(t, testdata.ExampleRecording(), testdata.ExampleEvents(), pprof.Options{Name: "example.trace"})
	want := []string{
		"[main] [1] (toplevel) [0 15000 1000]",
		"[main] [1] app.Main.main [2 25000 13000]", // its second call lasts from 95 us to the stop
		"[main] [1] app.Work.run < app.Main.main [1 40000 15000]",
		"[main] [1] app.Log.log < app.Work.run < app.Main.main [1 10000 2000]",
		"[thread-77] [77] (toplevel) [0 25000 5000]",
		"[thread-77] [77] unknown.method_0x10 [1 60000 0]", // from 40 us to the stop
	}
	if diff := cmp.Diff(want, samples(prof)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := fmt.Sprint(*prof.SampleType[0], *prof.SampleType[1], *prof.SampleType[2]); got != "{calls count 0 0} {wall nanoseconds 0 0} {cpu nanoseconds 0 0}" {
		t.Errorf("sample types %s", got)
	}
	if prof.DefaultSampleType != "wall" || prof.DurationNanos != 100000 || prof.Period != 0 || prof.TimeNanos != 0 {
		t.Errorf("default %s duration %d period %d time %d", prof.DefaultSampleType, prof.DurationNanos, prof.Period, prof.TimeNanos)
	}
	if len(prof.Mapping) != 1 || !prof.Mapping[0].HasFunctions || prof.Mapping[0].File != "example.trace" {
		t.Errorf("mappings %+v", prof.Mapping)
	}
	f := prof.Function[1]
	if got := fmt.Sprintln(f.Name, f.SystemName, f.Filename, f.StartLine, prof.Location[1].Line[0].Line); got != "app.Main.main app.Main.main()V Main.java 12 12\n" {
		t.Errorf("function %s", got)
	}
	if got := w.Stats(); got.LeftOut != 0 || got.OpenFrames != 2 || got.Orphans != 1 || got.Stacks != 6 {
		t.Errorf("stats %+v", got)
	}
	wantNotes := []string{
		"1 exit has no entry; its call began before the trace and encloses all earlier events of its thread",
	}
	if diff := cmp.Diff(wantNotes, w.Notes()); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(prof.Comments, wantNotes) {
		t.Errorf("comments %q", prof.Comments)
	}
}

// TestPprofUntilLastEvent: open calls end at the last event of their thread. They are the second
// call of main, from 95 us on, and the only call of thread 77, from 40 us on.
func TestPprofUntilLastEvent(t *testing.T) {
	prof, w := pprofOf(t, testdata.ExampleRecording(), testdata.ExampleEvents(), kind.WriteOptions{Until: calltree.UntilLastEvent})
	got := samples(prof)
	if got[1] != "[main] [1] app.Main.main [2 20000 13000]" || got[5] != "[thread-77] [77] unknown.method_0x10 [1 0 0]" {
		t.Errorf("samples %q", got)
	}
	if w.Stats().LeftOut != 65*us { // (100-95) + (100-40)
		t.Errorf("LeftOut is %v, want 65us", w.Stats().LeftOut)
	}
	want := "2 calls have not returned at the end; each ends with its thread, or at the thread's last event if the end of the thread is unknown; the time from the last events to the stop of tracing is not counted (65µs over all threads)"
	if notes := w.Notes(); len(notes) != 2 || notes[1] != want {
		t.Errorf("notes %q", notes)
	}
}

// TestPprofClocks: the profile of a trace with one clock has one type of time, which is the
// default.
func TestPprofClocks(t *testing.T) {
	for clock, want := range map[trace.Clock]string{
		trace.Wall:      "wall {calls count 0 0} {wall nanoseconds 0 0} [2 25000]",
		trace.ThreadCPU: "cpu {calls count 0 0} {cpu nanoseconds 0 0} [2 13000]",
	} {
		rec := testdata.ExampleRecording()
		rec.Info.Clock = clock
		events := testdata.ExampleEvents()
		for i := range events {
			if clock == trace.Wall {
				events[i].CPU = 0
			} else {
				events[i].Wall = 0
			}
		}
		prof, w := pprofOf(t, rec, events)
		got := fmt.Sprint(prof.DefaultSampleType, " ", *prof.SampleType[0], " ", *prof.SampleType[1], " ", prof.Sample[1].Value)
		if got != want {
			t.Errorf("%v: %s, want %s", clock, got, want)
		}
		if clock == trace.ThreadCPU && w.Stats().LeftOut != 0 {
			t.Errorf("LeftOut is %v without a wall clock", w.Stats().LeftOut)
		}
	}
}

func TestPprofSnapshots(t *testing.T) {
	var out bytes.Buffer
	w, err := pprof.NewWriter(&out, testdata.ExampleRecording(), pprof.Options{Interval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	w.WriteEvents(testdata.ExampleEvents()) // must be ignored, because snapshots are more precise
	for _, s := range []trace.Snapshot{
		{Wall: 10 * us, CPU: 2 * us, Until: 30 * us, Count: 2, Stack: []trace.MethodID{0, 1}},
		{Wall: 30 * us, CPU: 7 * us, Until: 40 * us, Count: 1},
		{Wall: 40 * us, CPU: 9 * us, Until: 40 * us, Count: 1, Stack: []trace.MethodID{0}},
	} {
		if err := w.WriteSnapshot(&s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	prof := parseProfile(t, out.Bytes())
	want := []string{
		"[main] [1] (toplevel) [0 10000 2000]",
		"[main] [1] app.Main.main [1 0 0]",
		"[main] [1] app.Work.run < app.Main.main [2 20000 5000]",
	}
	if diff := cmp.Diff(want, samples(prof)); diff != "" {
		t.Error(diff)
	}
	if prof.SampleType[0].Type != "samples" || prof.Period != 1e6 || prof.PeriodType.Type != "wall" || len(prof.Comments) != 0 {
		t.Errorf("type %s period %d %v comments %q", prof.SampleType[0].Type, prof.Period, prof.PeriodType, prof.Comments)
	}
	if w.Stats().Samples != 4 {
		t.Errorf("%d samples", w.Stats().Samples)
	}
}

// TestPprofPeriod: a trace with groups of equal timestamps every 5 ms is recognized as sampled, and
// the profile marks the period as an estimate.
func TestPprofPeriod(t *testing.T) {
	var events []trace.Event
	for i := range 50 {
		at := time.Duration(i) * 5 * time.Millisecond
		events = append(events, trace.Event{Wall: at, Method: 0}, trace.Event{Wall: at, Method: 1})
	}
	prof, w := pprofOf(t, testdata.ExampleRecording(), events)
	if prof.Period != 5e6 || prof.PeriodType.Type != "wall" || !w.Stats().Guessed {
		t.Errorf("period %d of %v, stats %+v", prof.Period, prof.PeriodType, w.Stats())
	}
	if len(prof.Comments) == 0 || prof.Comments[0] != "period 5ms is an estimate: its source does not state it" {
		t.Errorf("comments %q", prof.Comments)
	}
	rec := testdata.ExampleRecording()
	rec.Info.Interval = 4 * time.Millisecond
	prof, w = pprofOf(t, rec, events)
	if prof.Period != 4e6 || w.Stats().Guessed {
		t.Errorf("known period: %d", prof.Period)
	}
	if prof, _ = pprofOf(t, testdata.ExampleRecording(), testdata.ExampleEvents()); prof.Period != 0 || prof.PeriodType.Type != "wall" {
		t.Errorf("instrumented: period %d of %v", prof.Period, prof.PeriodType)
	}
}

// TestPprofDeep: the stacks of an infinite recursion are truncated. In full, the 200000 stacks
// would have 2e10 frames.
func TestPprofDeep(t *testing.T) {
	const n = 200_000
	events := make([]trace.Event, n)
	for i := range events {
		events[i].Wall = time.Duration(i)
	}
	prof, w := pprofOf(t, testdata.ExampleRecording(), events)
	frames, calls, wall := 0, int64(0), int64(0)
	for _, s := range prof.Sample {
		frames += len(s.Location)
		calls += s.Value[0]
		wall += s.Value[1]
	}
	if frames > 1<<23 || calls != n || wall != n-1 {
		t.Errorf("%d frames, %d calls, %d ns", frames, calls, wall)
	}
	cut := w.Stats().MaxDepth
	if notes := w.Notes(); cut == 0 || !slices.Contains(notes, fmt.Sprintf("stacks of more than %d frames are cut to the outermost %d", cut, cut)) {
		t.Errorf("truncated at %d, notes %q", cut, notes)
	}
}

// TestPprofText: the names in a profile are valid UTF-8, although names in a trace can be any
// bytes.
func TestPprofText(t *testing.T) {
	rec := testdata.ExampleRecording()
	rec.Symbols.Methods[0].Name = "ma\xffin"
	rec.Symbols.Threads[0].Name = "\xc0"
	prof, _ := pprofOf(t, rec, testdata.ExampleEvents())
	if got := samples(prof)[1]; got != "[\uFFFD] [1] app.Main.ma\uFFFDin [2 25000 13000]" {
		t.Errorf("%q", got)
	}
}

func TestPprofEmpty(t *testing.T) {
	prof, w := pprofOf(t, &trace.Recording{Symbols: new(trace.Symbols)}, nil)
	if len(prof.Sample) != 0 || len(w.Notes()) != 0 {
		t.Errorf("%d samples, notes %q", len(prof.Sample), w.Notes())
	}
}

func TestPprofUnknownSymbols(t *testing.T) {
	for _, e := range []trace.Event{{Method: 4}, {Thread: 2}} {
		w, err := pprof.NewWriter(new(bytes.Buffer), testdata.ExampleRecording())
		if err != nil {
			t.Fatal(err)
		}
		w.WriteEvents([]trace.Event{e})
		if err := w.Close(); err == nil || !strings.Contains(err.Error(), "index") {
			t.Errorf("%+v: error %v", e, err)
		}
	}
}

// failingWriter fails after n bytes.
type failingWriter struct{ n int }

var errFull = errors.New("disk full")

func (f *failingWriter) Write(p []byte) (int, error) {
	if len(p) > f.n {
		n := f.n
		f.n = 0
		return n, errFull
	}
	f.n -= len(p)
	return len(p), nil
}

func TestProfilesOnFullDisk(t *testing.T) {
	for _, n := range []int{0, 1, 100} {
		p, err := pprof.NewWriter(&failingWriter{n}, testdata.ExampleRecording())
		if err != nil {
			t.Fatal(err)
		}
		f, err := folded.Format.Write(&failingWriter{n}, testdata.ExampleRecording())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []trace.WriteCloser{p, f} {
			w.WriteEvents(testdata.ExampleEvents())
			if err := w.Close(); !errors.Is(err, errFull) {
				t.Errorf("%T after %d bytes: %v", w, n, err)
			}
		}
	}
}

func TestPprofConfigError(t *testing.T) {
	if _, err := pprof.NewWriter(nil, testdata.ExampleRecording(), pprof.Options{Interval: -1}); err == nil {
		t.Error("negative interval: no error")
	}
}

// TestQuantity: a profile of a quantity has one sample type, which is also the type of the period, as
// pprof compares only profiles of one type. It has no counts and no times, and values can be negative.
func TestQuantity(t *testing.T) {
	rec := testdata.ExampleRecording()
	rec.Info.Clock, rec.Info.Quantity = trace.Wall, trace.Quantity{Name: "inuse_space", Unit: "bytes"}
	check := func(what string, prof *profile.Profile, want ...string) {
		t.Helper()
		if len(prof.SampleType) != 1 || prof.SampleType[0].Type != "inuse_space" || prof.SampleType[0].Unit != "bytes" || prof.PeriodType == nil || *prof.PeriodType != *prof.SampleType[0] {
			t.Errorf("%s: sample types %v, period type %v", what, prof.SampleType, prof.PeriodType)
		}
		if diff := cmp.Diff(want, samples(prof)); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	var out bytes.Buffer
	w, err := pprof.NewWriter(&out, rec)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []trace.Snapshot{
		{Until: 100, Count: 2, Stack: []trace.MethodID{0, 1}, Sum: true},
		{Wall: 100, Until: 107, Count: 1, Stack: []trace.MethodID{0}, Sum: true},
	} {
		if err := w.WriteSnapshot(&s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	check("a recording", parseProfile(t, out.Bytes()), "[main] [1] app.Main.main [7]", "[main] [1] app.Work.run < app.Main.main [100]")

	tree := &calltree.Tree{}
	main := tree.Child(tree.AddRoot(0), 0)
	run := tree.Child(main, 1)
	tree.At(main).Self.Wall, tree.At(run).Self.Wall = 7, -100
	out.Reset()
	if err := pprof.WriteTree(&out, rec, tree, trace.Wall, "new minus old"); err != nil {
		t.Fatal(err)
	}
	prof := parseProfile(t, out.Bytes())
	check("a difference", prof, "[main] [1] app.Main.main [7]", "[main] [1] app.Work.run < app.Main.main [-100]")
	if len(prof.Comments) != 1 || prof.Comments[0] != "new minus old" {
		t.Errorf("comments %q", prof.Comments)
	}
}
