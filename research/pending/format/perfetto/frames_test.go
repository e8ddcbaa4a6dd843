//go:build pending

package perfetto_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format"
	"artifice/format/formattest"
	"artifice/research/internal/peers/traceprocessor"
	"artifice/trace"
)

// frameRow is a frame as trace_processor has it; what is expected is 0 where it has nothing.
type frameRow struct {
	PID               uint32
	Token, TS, Dur    int64
	Layer             string
	Expected, ForThem int64
}

// framesOfProcessor asks trace_processor, which has loaded a file, for the frames that have ended.
func framesOfProcessor(t *testing.T, p *traceprocessor.Processor) (rows []frameRow) {
	t.Helper()
	if err := p.Query(`select pid as PID, a.surface_frame_token as Token, a.ts as TS, a.dur as Dur, a.layer_name as Layer,
			coalesce(e.ts, 0) as Expected, coalesce(e.dur, 0) as ForThem
		from actual_frame_timeline_slice a join process using (upid)
		left join expected_frame_timeline_slice e on e.upid = a.upid and e.surface_frame_token = a.surface_frame_token
		where a.surface_frame_token is not null and a.dur >= 0 order by a.ts, pid, Token, Layer`, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// rowsOf are the frames of a recording likewise.
func rowsOf(rec *trace.Recording) (rows []frameRow) {
	for _, f := range rec.DisplayFrames {
		row := frameRow{PID: f.PID, Token: f.Token, TS: int64(rec.Info.Start + f.Begin), Dur: int64(f.End - f.Begin), Layer: f.Layer}
		if f.Expected {
			row.Expected, row.ForThem = int64(rec.Info.Start+f.ExpectedBegin), int64(f.Deadline-f.ExpectedBegin)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestFramesOfProcessor: trace_processor makes the same frames of such a file.
func TestFramesOfProcessor(t *testing.T) {
	p := traceprocessor.Install(t)
	path := filepath.Join(t.TempDir(), "frames.pftrace")
	data := framesWithSlices()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(path); err != nil {
		t.Fatal(err)
	}
	want := framesOfProcessor(t, p)
	if d := cmp.Diff(want, rowsOf(calltest.MustOpen(t, data, format.Config{}).Recording)); d != "" || len(want) != 4 {
		t.Errorf("-trace_processor +read:\n%s", d)
	}
}

// drawing is a recording of an app that draws for a display of 100 Hz: see TestFramesWritten.
func drawing() *trace.Recording {
	const us = time.Microsecond
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Clock: trace.Wall, Technique: trace.Truth, Start: time.Second}}
	rec.Symbols.AddThread(trace.Thread{TID: 70, Name: "main"})
	rec.Symbols.AddThread(trace.Thread{TID: 71, Name: "popup"})
	rec.Symbols.AddMethod(trace.Method{Class: "android.view.Choreographer", Name: "doFrame"})
	rec.Symbols.AddMethod(trace.Method{Class: "android.os.MessageQueue", Name: "nativePollOnce", Wait: trace.IO, Period: 10_000 * us})
	rec.Symbols.AddMethod(trace.Method{Class: "a.View", Name: "draw"})
	var events []trace.Event
	for _, e := range []struct {
		at     time.Duration
		thread trace.ThreadID
		method trace.MethodID
		action trace.Action
	}{
		{0, 0, 1, trace.Enter}, {10_000, 0, 1, trace.Exit},
		{10_100, 0, 0, trace.Enter}, {11_000, 0, 2, trace.Enter}, {18_000, 0, 2, trace.Exit}, {19_000, 0, 0, trace.Exit},
		{20_200, 0, 0, trace.Enter}, {21_000, 1, 0, trace.Enter}, {22_000, 1, 0, trace.Exit}, {43_000, 0, 0, trace.Exit},
		{43_000, 0, 0, trace.Enter}, {50_000, 0, 0, trace.Exit},
		{60_000, 0, 0, trace.Enter},
	} {
		events = append(events, trace.Event{Wall: e.at * us, Thread: e.thread, Method: e.method, Action: e.action})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// TestSectionsWritten: a tracer of sections has the frames of that recording by Android's name, with the numbers of the
// vsyncs before them: those of 10, 20 and 40 ms, the second also on another thread, and of 60 ms. trace_processor shows them
// so; read back, they are calls of one method.
func TestSectionsWritten(t *testing.T) {
	rec := drawing()
	rec.Info.Sections = true
	data := written(t, rec)
	frames := 0
	for _, m := range calltest.MustOpen(t, data, format.Config{}).Recording.Symbols.Methods {
		if m.DrawsFrame() {
			frames++
		}
	}
	if frames != 1 {
		t.Errorf("%d methods draw frames, want 1", frames)
	}
	p := traceprocessor.Install(t)
	path := filepath.Join(t.TempDir(), "sections.pftrace")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(path); err != nil {
		t.Fatal(err)
	}
	var names []struct{ Name string }
	if err := p.Query("select name as Name from slice where name glob '*doFrame*' order by ts, track_id", &names); err != nil {
		t.Fatal(err)
	}
	want := []struct{ Name string }{{"Choreographer#doFrame 2"}, {"Choreographer#doFrame 3"}, {"Choreographer#doFrame 3"}, {"Choreographer#doFrame 5"}, {"Choreographer#doFrame 7"}}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("-want +trace_processor:\n%s", d)
	}
}

// TestFramesWritten, by hand: of a display of 100 Hz, a frame from 10.1 to 19 ms in time, one that begins at
// 20.2 ms and ends at 43, 13 ms late, and the next, which begins in the vsync of 40 ms and ends at its deadline, 50. A
// doFrame of another thread is no frame of the app's, and one that is open at the end has no end.
func TestFramesWritten(t *testing.T) {
	recording := drawing
	const second = 1_000_000_000
	want := []frameRow{
		{PID: 70, Token: 2, TS: second + 10_100_000, Dur: 8_900_000, Expected: second + 10_000_000, ForThem: 10_000_000},
		{PID: 70, Token: 3, TS: second + 20_200_000, Dur: 22_800_000, Expected: second + 20_000_000, ForThem: 10_000_000},
		{PID: 70, Token: 5, TS: second + 43_000_000, Dur: 7_000_000, Expected: second + 40_000_000, ForThem: 10_000_000},
	}
	data := written(t, recording())
	back := calltest.MustOpen(t, data, format.Config{}).Recording
	if d := cmp.Diff(want, rowsOf(back)); d != "" {
		t.Errorf("-want +read:\n%s", d)
	}
	if d := cmp.Diff(want, rowsOf(calltest.MustOpen(t, written(t, back), format.Config{}).Recording)); d != "" {
		t.Errorf("written once more: -want +read:\n%s", d)
	}
	sampled := recording()
	sampled.Info.Technique = trace.Sampled
	if got := calltest.MustOpen(t, written(t, sampled), format.Config{}).Recording.DisplayFrames; got != nil {
		t.Errorf("of samples: %+v", got)
	}

	p := traceprocessor.Install(t)
	path := filepath.Join(t.TempDir(), "written.pftrace")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(path); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, framesOfProcessor(t, p)); d != "" {
		t.Errorf("-want +trace_processor:\n%s", d)
	}
	type verdict struct {
		Late, InTime int
		Jank         string
	}
	var verdicts []verdict
	if err := p.Query(`select present_type = 'Late Present' as Late, on_time_finish as InTime, jank_type as Jank
		from actual_frame_timeline_slice order by ts`, &verdicts); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]verdict{{0, 1, "None"}, {1, 0, "App Deadline Missed"}, {0, 1, "None"}}, verdicts); d != "" {
		t.Errorf("-want +trace_processor:\n%s", d)
	}
}
