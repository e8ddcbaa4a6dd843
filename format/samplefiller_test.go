package format_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/workload"
)

// TestPerfettoFillsSamples: a sampled trace contains only events of samples with a change of the
// stack. The samples in between, one every period, are restored.
func TestPerfettoFillsSamples(t *testing.T) {
	rec := testdata.ExampleRecording()
	rec.Info = trace.Info{Technique: trace.Sampled, Interval: 10 * time.Microsecond, Elapsed: 100 * time.Microsecond}
	list := []trace.Event{
		{Wall: 0, Method: 0}, {Wall: 0, Method: 1}, // sampled at 0, 10 and 20 us
		{Wall: 31 * time.Microsecond, Method: 1, Action: trace.Exit}, {Wall: 31 * time.Microsecond, Method: 2}, // sampled at 31 and 41
		{Wall: 50 * time.Microsecond, Method: 2, Action: trace.Exit}, {Wall: 50 * time.Microsecond, Method: 0, Action: trace.Exit}, // no frame is open
		{Wall: 52 * time.Microsecond, Method: 3, Thread: 1}, // sampled until the stop, at 52, 61.6, 71.2, 80.8, 90.4
	}
	file, notes := viewerFile(t, "perfetto", rec, list, kind.WriteOptions{Until: calltree.UntilStop})
	const want = "1 0s+10.333µs main;run, 1 10.333µs+10.333µs main;run, 1 20.666µs+10.334µs main;run, 1 31µs+9.5µs main;log, 1 40.5µs+9.5µs main;log, " +
		"77 52µs+9.6µs method_0x10, 77 61.6µs+9.6µs method_0x10, 77 71.2µs+9.6µs method_0x10, 77 80.8µs+9.6µs method_0x10, 77 90.4µs+9.6µs method_0x10"
	if got := strings.Join(perfettoSamples(t, file), ", "); got != want {
		t.Errorf("samples\n%s\nwant\n%s", got, want)
	}
	if text := strings.Join(notes, "; "); !strings.Contains(text, "the samples are assumed to be 10µs apart") {
		t.Errorf("notes %s", text)
	}
	rec.Info.OfCPU = true
	const cpu = 10 * time.Microsecond
	list = []trace.Event{
		{Wall: 0, Method: 0}, // sampled at 0 and 10 us, then the thread waited
		{Wall: 60 * time.Microsecond, CPU: 2 * cpu, Method: 1},
		{Wall: 70 * time.Microsecond, CPU: 3 * cpu, Method: 1, Action: trace.Exit}, // sampled once, at the end
	}
	file, _ = viewerFile(t, "perfetto", rec, list)
	if got, want := strings.Join(perfettoSamples(t, file), ", "), "1 0s+10µs main, 1 10µs+10µs main, 1 60µs+10µs main;run, 1 70µs+10µs main"; got != want {
		t.Errorf("of CPU time: samples\n%s\nwant\n%s", got, want)
	}
	rec.Info.OfCPU = false
	rec.Info.Technique = trace.Instrumented
	if file, _ := viewerFile(t, "perfetto", rec, list); len(perfettoSamples(t, file)) > 0 {
		t.Error("an instrumented trace has samples")
	}
	f, err := dmtrace.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if file, _ := viewerFile(t, "perfetto", &f.Recording, tracetest.Events(t, f.Events)); len(perfettoSamples(t, file)) > 0 {
		t.Error("a real instrumented trace has samples")
	}
}

// TestPerfettoRestoredSampleCount: for a sampled app, the number of samples restored from the
// events equals the number that the sampler took, per thread, within 1 %. The period is estimated
// by the median, not the mean.
func TestPerfettoRestoredSampleCount(t *testing.T) {
	truth, err := workload.Must(workload.ByName("scroll-60hz")).Truth(workload.Config{Seed: 1, Duration: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	seen, err := sampler.Record(truth, sampler.Config{Interval: time.Millisecond, Seed: 1, KeepSymbols: true})
	if err != nil {
		t.Fatal(err)
	}
	took := map[trace.ThreadID]int64{}
	seen.Events.(trace.SnapshotSource).SnapshotsTo(snapshotCounter(took))
	all := tracetest.Events(t, seen.Events)
	seen.Info.Interval = 0 // as in a file: the period is estimated
	file, _ := viewerFile(t, "perfetto", seen, all, kind.WriteOptions{Until: calltree.UntilStop})
	filled := map[string]int64{}
	for _, s := range perfettoSamples(t, file) {
		tid, _, _ := strings.Cut(s, " ")
		filled[tid]++
	}
	if len(took) < 2 {
		t.Errorf("%d threads", len(took))
	}
	for id, want := range took {
		tid := seen.Symbols.Thread(id).TID
		if got := filled[fmt.Sprint(tid)]; 100*got < 98*want || 100*got > 102*want {
			t.Errorf("thread %d: %d samples are restored, want the %d that were taken", tid, got, want)
		}
	}
}

// snapshotCounter counts the samples of each thread that contain a frame.
type snapshotCounter map[trace.ThreadID]int64

// WriteSnapshot implements [trace.SnapshotWriter].
func (c snapshotCounter) WriteSnapshot(s *trace.Snapshot) error {
	if len(s.Stack) > 0 {
		c[s.Thread] += s.Count
	}
	return nil
}

// TestStacksAreBounded: each of n nested calls has a sample with all frames. The stacks of 511
// calls have 256 frames on average. Those of 512 calls have half a frame more on average, which
// exceeds the limit.
func TestStacksAreBounded(t *testing.T) {
	limited := kind.WriteOptions{Limits: trace.Limits{Frames: 1}}
	at := func(i int) time.Duration { return time.Duration(i) * 10 * time.Microsecond }
	var enters []trace.Event
	for i := range 600 {
		enters = append(enters, trace.Event{Wall: at(i)})
	}
	rec := testdata.ExampleRecording()
	rec.Info = trace.Info{Technique: trace.Sampled, Clock: trace.Wall, Interval: at(1), Elapsed: at(600)}
	file, notes := viewerFile(t, "perfetto", rec, enters, limited)
	if n := len(perfettoSamples(t, file)); n != 511 {
		t.Errorf("perfetto: %d samples, want 511", n)
	}
	if text := strings.Join(notes, "; "); !strings.Contains(text, "only the first 511 samples are written; --limit frames=N writes more") {
		t.Errorf("perfetto: notes %s", text)
	}

	const want = "more than 1 frames to write in addition to 256 per stack"
	for _, name := range []string{"perfetto", "simpleperf-proto"} {
		w, err := format.ByName(name).Write(io.Discard, rec, limited)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for s := (trace.Snapshot{Count: 1}); err == nil && n < 600; n++ {
			s.Wall, s.Until, s.Same, s.Stack = at(n), at(n+1), n, append(s.Stack, 0)
			err = w.(trace.SnapshotWriter).WriteSnapshot(&s)
		}
		if n != 512 || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d snapshots, error %v, want %s at the 512th", name, n, err, want)
		}
	}
	w, err := format.ByName("simpleperf-proto").Write(io.Discard, rec, limited)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvents(enters[:512]); err != nil { // a stack is written when the next call begins
		t.Errorf("simpleperf-proto: 512 events: %v", err)
	}
	if err := w.WriteEvents(enters[512:513]); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("simpleperf-proto: 513 events: %v, want %s", err, want)
	}
}
