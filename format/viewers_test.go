package format_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	formatpkg "artifice/format"
	"artifice/format/dmtrace"
	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/calltree"
)

const us = time.Microsecond

// call is a call in the file of a viewer.
type call struct {
	tid        uint32
	name       string
	begin, end time.Duration
	cpu        [2]time.Duration // at begin and end; 0 in formats without CPU time
}

func (c call) String() string {
	return fmt.Sprint(c.tid, " ", c.name, " ", c.begin, " ", c.end, " ", c.cpu)
}

// viewers are the formats of timeline viewers, each with a separate decoder for tests that returns
// the calls of a file.
var viewers = []struct {
	format   string
	decode   func(t *testing.T, file []byte) []call
	cpu      bool // whether the format has CPU times
	rounding time.Duration
}{
	{"perfetto", perfettoCalls, true, 1},
	{"chrome", chromeCalls, true, time.Microsecond},
	{"speedscope", speedscopeCalls, false, 1},
	{"ftrace", ftraceCalls, false, time.Microsecond},
	{"atrace", atraceCalls, false, time.Microsecond},
}

// viewerFile writes events in a format and returns the file and the notes.
func viewerFile(t *testing.T, format string, rec *trace.Recording, events []trace.Event, options ...any) (file []byte, notes []string) {
	t.Helper()
	var out bytes.Buffer
	w, err := formatpkg.ByName(format).Write(&out, rec, options...)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), w.Notes()
}

// TestFirefoxCPU: a sample contains the CPU time since the previous one, in the unit stated in the
// file (Firefox Profiler, src/types/profile.ts, threadCPUDelta). The main thread has samples at the
// times of testdata.ExampleEvents and at the stop, where its open frame ends.
func TestFirefoxCPU(t *testing.T) {
	file, _ := viewerFile(t, "firefox", testdata.ExampleRecording(), testdata.ExampleEvents())
	var doc struct {
		Meta struct {
			SampleUnits struct{ ThreadCPUDelta string }
		}
		Threads []firefoxTables
	}
	if err := json.Unmarshal(file, &doc); err != nil {
		t.Fatal(err)
	}
	samples := doc.Threads[0].Samples
	if diff := cmp.Diff([]float64{0.010, 0.020, 0.050, 0.060, 0.070, 0.080, 0.095, 0.1}, samples.Time); diff != "" {
		t.Errorf("times (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]int64{0, 8000, 10000, 2000, 5000, 5000, 1000, 0}, samples.ThreadCPUDelta); diff != "" || doc.Meta.SampleUnits.ThreadCPUDelta != "ns" {
		t.Errorf("CPU times in %s (-want +got)\n%s", doc.Meta.SampleUnits.ThreadCPUDelta, diff)
	}
}

// inFormat returns calls as text, with the data that a format preserves, in alphabetical order.
func inFormat(calls []call, cpu bool, rounding time.Duration) []string {
	var lines []string
	for _, c := range calls {
		c.begin, c.end = c.begin/rounding*rounding, c.end/rounding*rounding
		if !cpu {
			c.cpu = [2]time.Duration{}
		}
		lines = append(lines, c.String())
	}
	slices.Sort(lines)
	return lines
}

// TestViewers: files contain the calls listed in testdata.ExampleEvents.
func TestViewers(t *testing.T) {
	cpu := func(begin, end time.Duration) [2]time.Duration { return [2]time.Duration{begin * us, end * us} }
	closed := []call{
		{1, "app.Main.main", 10 * us, 80 * us, cpu(0, 30)},
		{1, "app.Work.run", 20 * us, 70 * us, cpu(8, 25)},
		{1, "app.Log.log", 50 * us, 60 * us, cpu(18, 20)},
	}
	const orphan = "1 exit has no entry; its call began before the trace and is ignored"
	for _, v := range viewers {
		for _, c := range []struct {
			until calltree.EndPolicy
			open  []call
			notes []string
		}{
			{calltree.UntilLastEvent, []call{
				{1, "app.Main.main", 95 * us, 95 * us, cpu(31, 31)}, {77, "unknown.method_0x10", 40 * us, 40 * us, cpu(5, 5)},
			}, []string{orphan, "2 calls have not returned at the end; each ends at its thread's last event"}},
			{calltree.UntilStop, []call{
				{1, "app.Main.main", 95 * us, 100 * us, cpu(31, 31)}, {77, "unknown.method_0x10", 40 * us, 100 * us, cpu(5, 5)},
			}, []string{orphan, "2 calls have not returned at the end; each ends at the stop of the trace"}},
		} {
			file, notes := viewerFile(t, v.format, testdata.ExampleRecording(), testdata.ExampleEvents(), kind.WriteOptions{Until: c.until})
			want := inFormat(append(slices.Clone(closed), c.open...), v.cpu, v.rounding)
			if diff := cmp.Diff(want, inFormat(v.decode(t, file), true, 1)); diff != "" {
				t.Errorf("%s, until %v (-want +got)\n%s", v.format, c.until, diff)
			}
			if diff := cmp.Diff(c.notes, notes); diff != "" {
				t.Errorf("%s: notes (-want +got)\n%s", v.format, diff)
			}
		}
	}
}

// TestViewersRepairNesting: an exit of another method ends the innermost frame, and a decreasing
// time is replaced by the previous one.
func TestViewersRepairNesting(t *testing.T) {
	events := []trace.Event{
		{Wall: 10 * us, Method: 0},
		{Wall: 20 * us, Method: 1},
		{Wall: 15 * us, Method: 0, Action: trace.Exit},
		{Wall: 30 * us, Method: 0, Action: trace.Unwind},
	}
	want := []call{{1, "app.Main.main", 10 * us, 30 * us, [2]time.Duration{}}, {1, "app.Work.run", 20 * us, 20 * us, [2]time.Duration{}}}
	wantNotes := []string{
		"1 exit does not name the innermost method; the exit closes the innermost frame",
		"1 event is earlier than the previous event of its thread; the event is written at the time of the previous one",
	}
	for _, v := range viewers {
		file, notes := viewerFile(t, v.format, testdata.ExampleRecording(), events)
		if diff := cmp.Diff(inFormat(want, true, 1), inFormat(v.decode(t, file), true, 1)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", v.format, diff)
		}
		if diff := cmp.Diff(wantNotes, notes); diff != "" {
			t.Errorf("%s: notes (-want +got)\n%s", v.format, diff)
		}
	}
}

// TestViewersOfOrphans: a thread with only an orphan exit has no calls in any format.
func TestViewersOfOrphans(t *testing.T) {
	orphan := []trace.Event{{Thread: 1, Wall: 10 * us, Action: trace.Exit}}
	for _, v := range viewers {
		file, notes := viewerFile(t, v.format, testdata.ExampleRecording(), orphan)
		if calls := v.decode(t, file); len(calls) > 0 || len(notes) != 1 {
			t.Errorf("%s: calls %v, notes %q", v.format, calls, notes)
		}
	}
	file, _ := viewerFile(t, "firefox", testdata.ExampleRecording(), orphan)
	if samples := firefoxSamples(t, file); len(samples) > 0 {
		t.Errorf("firefox: samples %q", samples)
	}
}

// TestViewersOfRealTraces: every format has the calls of referenceCalls for real traces, in which
// all exits match.
func TestViewersOfRealTraces(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, name := range testdata.Some(t, []string{"instrumented-art-file.trace", "sampled-host-file.trace"}, 1) {
		f, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		all := tracetest.Events(t, f.Events)
		want := referenceCalls(&f.Recording, all)
		if len(want) < 1000 {
			t.Errorf("%s: only %d calls", name, len(want))
		}
		for _, v := range viewers {
			start := f.Info.Start
			if v.format == "chrome" || v.format == "speedscope" {
				start = 0 // times relative to the start
			}
			shifted := slices.Clone(want)
			for i := range shifted {
				shifted[i].begin += start
				shifted[i].end += start
			}
			file, _ := viewerFile(t, v.format, &f.Recording, all)
			dual := f.Info.Clock == trace.Dual
			if got, want := inFormat(v.decode(t, file), v.cpu && dual, 1), inFormat(shifted, v.cpu && dual, v.rounding); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d calls, want %d; first difference\n%s", name, v.format, len(got), len(want), firstDiff(got, want))
			}
		}
	}
}

func firstDiff(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return got[i] + "\n" + want[i]
		}
	}
	return "one has more"
}

// referenceCalls returns the calls of a trace with matching exits. Open calls end at the stop.
func referenceCalls(rec *trace.Recording, events []trace.Event) []call {
	symbols := rec.Symbols
	var calls []call
	open := map[trace.ThreadID][]int{} // places in calls
	last := map[trace.ThreadID]trace.Event{}
	for _, e := range events {
		stack := open[e.Thread]
		last[e.Thread] = e
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack, len(calls))
			calls = append(calls, call{symbols.Thread(e.Thread).TID, symbols.Method(e.Method).FullName(), e.Wall, -1, [2]time.Duration{e.CPU, -1}})
		} else if len(stack) > 0 {
			c := &calls[stack[len(stack)-1]]
			c.end, c.cpu[1] = e.Wall, e.CPU
			open[e.Thread] = stack[:len(stack)-1]
		}
	}
	stop := rec.Info.Elapsed
	for _, e := range events {
		stop = max(stop, e.Wall)
	}
	for id, stack := range open {
		for _, i := range stack {
			calls[i].end, calls[i].cpu[1] = stop, last[id].CPU
		}
	}
	return calls
}

// openCalls matches ends with begins, like every viewer.
type openCalls struct {
	calls []call
	open  map[uint32][]int
}

func (o *openCalls) begin(tid uint32, name string, at, cpu time.Duration) {
	if o.open == nil {
		o.open = map[uint32][]int{}
	}
	o.open[tid] = append(o.open[tid], len(o.calls))
	o.calls = append(o.calls, call{tid, name, at, -1, [2]time.Duration{cpu, -1}})
}

// end ends the innermost call of a thread. name is empty in formats without names of ends.
func (o *openCalls) end(t *testing.T, tid uint32, name string, at, cpu time.Duration) {
	t.Helper()
	stack := o.open[tid]
	if len(stack) == 0 {
		t.Fatalf("end without a begin on thread %d at %v", tid, at)
	}
	c := &o.calls[stack[len(stack)-1]]
	if name != "" && name != c.name {
		t.Errorf("end of %s, but %s is open", name, c.name)
	}
	if at < c.begin {
		t.Errorf("%s ends before it begins", c.name)
	}
	c.end, c.cpu[1] = at, cpu
	o.open[tid] = stack[:len(stack)-1]
}

// all returns the calls. It reports an error if one is open.
func (o *openCalls) all(t *testing.T) []call {
	t.Helper()
	for tid, stack := range o.open {
		if len(stack) > 0 {
			t.Errorf("%d calls of thread %d have no end", len(stack), tid)
		}
	}
	return o.calls
}

// TestPerfettoSamplesAreBounded: a stack that represents 2^40 samples is an error, instead of
// filling the disk.
func TestPerfettoSamplesAreBounded(t *testing.T) {
	for _, c := range []struct {
		count int64
		sum   bool
		limit int
		want  string // "" is no error
	}{
		{1 << 40, false, 0, "more than 16777216 samples"},
		{1 << 40, true, 0, "more than 1048576 samples"},
		{4, true, 3, "more than 3 samples"},
		{3, true, 3, ""},
		{2_000_000, true, 2_000_000, ""},
	} {
		for _, format := range []string{"perfetto", "simpleperf-proto"} {
			rec := testdata.ExampleRecording()
			rec.Info.Clock = trace.Wall
			w, err := formatpkg.ByName(format).Write(io.Discard, rec, kind.WriteOptions{Limits: trace.Limits{Samples: c.limit}})
			if err != nil {
				t.Fatal(err)
			}
			err = w.(trace.SnapshotWriter).WriteSnapshot(&trace.Snapshot{Count: c.count, Until: time.Second, Stack: []trace.MethodID{0}, Sum: c.sum})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %+v: %v", format, c, err)
			}
		}
	}
}

// TestSamplesOfViewers: stack dumps are written as samples, in order, with the number of samples of
// each stack.
func TestSamplesOfViewers(t *testing.T) {
	snapshots := []trace.Snapshot{
		{Thread: 0, Wall: 0, Until: 20 * us, Count: 2, Stack: []trace.MethodID{0, 1}},
		{Thread: 1, Wall: 5 * us, Until: 5 * us, Count: 1},
		{Thread: 0, Wall: 20 * us, CPU: 15 * us, Until: 30 * us, Count: 1, Stack: []trace.MethodID{0}},
		{Thread: 0, Wall: 30 * us, CPU: 21 * us, Until: 30 * us},
	}
	ofCPU := false
	write := func(format string, options ...any) string {
		var out bytes.Buffer
		rec := testdata.ExampleRecording()
		rec.Info.OfCPU = ofCPU
		w, err := formatpkg.ByName(format).Write(&out, rec, options...)
		if err != nil {
			t.Fatal(err)
		}
		for i := range snapshots {
			if err := w.(trace.SnapshotWriter).WriteSnapshot(&snapshots[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	plain := perfetto.Options{}
	for _, c := range []struct {
		o            perfetto.Options
		ofCPU        bool
		want, counts string
	}{
		{plain, false, "1 0s+10µs main;run, 1 10µs+10µs main;run, 77 5µs+0s (toplevel), 1 20µs+10µs main", "artifice.wall wall-time 1"}, // from one to the next
		// The duration of the 77 samples is unknown.
		{plain, true, "1 0s+7.5µs main;run, 1 10µs+7.5µs main;run, 1 20µs+6µs main, 77 5µs+0s (toplevel)", "artifice.cpu cpu-clock 1"},
		{perfetto.Options{PerfSamples: true}, false, "1 0s main;run, 1 10µs main;run, 77 5µs (toplevel), 1 20µs main", ""},
	} {
		ofCPU = c.ofCPU
		f := readPerfetto(t, []byte(write("perfetto", c.o)))
		if got := strings.Join(f.samples, ", "); got != c.want || f.counts != c.counts {
			t.Errorf("perfetto: %s with unit %q, want %s with unit %q", got, f.counts, c.want, c.counts)
		}
	}
	ofCPU = false
	list, _ := simpleperfSamples(t, []byte(write("simpleperf-proto", plain)))
	if got, want := fmt.Sprint(list), "[{1;app.Main.main;app.Work.run 0 7500} {1;app.Main.main;app.Work.run 10000 7500} {1;app.Main.main 20000 6000}]"; got != want {
		t.Errorf("simpleperf-proto: %s, want %s", got, want)
	}
	want := "main (1) [main run]x20000 [main]x10000, thread-77 (77) [(toplevel)]x0"
	if got := strings.Join(speedscopeSamples(t, []byte(write("speedscope", plain))), ", "); got != want {
		t.Errorf("speedscope: %s, want %s", got, want)
	}
	want = "main 0 main;run x0.02 cpu 0, main 0.02 main x0.01 cpu 15000, main 0.03 null x0 cpu 6000, thread-77 0.005 null x0 cpu 0, thread-77 0.005 null x0 cpu 0"
	if got := strings.Join(firefoxSamples(t, []byte(write("firefox", plain))), ", "); got != want {
		t.Errorf("firefox: %s, want %s", got, want)
	}
}
