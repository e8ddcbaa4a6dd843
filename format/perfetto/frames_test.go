package perfetto_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format"
	"artifice/format/perfetto"
	"artifice/internal/calltest"
	"artifice/internal/dumptest"
	"artifice/internal/peers/traceprocessor"
	"artifice/stackdump"
	"artifice/trace"
	"artifice/writer"
)

// Numbers of FrameTimelineEvent's messages, from frame_timeline_event.proto.
const expectedDisplay, expectedSurface, actualSurface, endOfFrame = 1, 3, 4, 5

// framePackets are those of three frames of an app (70), one of another (80), and one of the compositor, all
// times in ms of a clock that is 5 s behind. The app's first frame has two layers and is expected once; of the
// second the compositor expects nothing any more; the third goes on when the trace ends, and an end has no begin.
func framePackets() [][]byte {
	cookie := 0
	event := func(ms, kind int, fields ...any) []byte {
		return message(8, int64(4_000_000_000+ms*1_000_000), 58, 3, 10, 8, 76, message(kind, message(fields...)))
	}
	var packets [][]byte
	slice := func(begin, end, kind int, fields ...any) {
		cookie++
		packets = append(packets, event(begin, kind, append([]any{1, cookie}, fields...)...))
		if end > 0 {
			packets = append(packets, event(end, endOfFrame, 1, cookie))
		}
	}
	slice(1, 20, expectedDisplay, 2, 5, 3, 9)
	slice(2, 18, expectedSurface, 2, 5, 3, 5, 4, 70, 5, "window")
	slice(3, 25, actualSurface, 2, 5, 3, 5, 4, 70, 5, "window", 6, 2, 7, 0, 9, 64, 10, 1)
	slice(4, 17, actualSurface, 2, 5, 3, 5, 4, 70, 5, "popup", 6, 1, 7, 1, 9, 1, 10, 1)
	slice(30, 90, actualSurface, 2, 6, 3, 6, 4, 70, 5, "window", 6, 2, 9, 64, 10, 2)
	slice(8, 24, expectedSurface, 2, 5, 3, 5, 4, 80, 5, "other")
	slice(9, 22, actualSurface, 2, 5, 3, 5, 4, 80, 5, "other", 6, 1, 9, 1, 10, 1)
	slice(95, 0, actualSurface, 2, 7, 3, 7, 4, 70, 5, "window")
	return append(packets, event(96, endOfFrame, 1, 77), message(8, int64(4_097_000_000), 58, 3, 10, 8, 76, message()))
}

// framesFrom are the frames of framePackets, where time begins at so many ms.
func framesFrom(ms int) (frames []trace.DisplayFrame) {
	at := func(at int) time.Duration { return time.Duration(at-ms) * time.Millisecond }
	return []trace.DisplayFrame{
		{PID: 70, Token: 5, Layer: "window", Begin: at(3), End: at(25), ExpectedBegin: at(2), Deadline: at(18), Expected: true, Present: 2, Jank: 64},
		{PID: 70, Token: 5, Layer: "popup", Begin: at(4), End: at(17), ExpectedBegin: at(2), Deadline: at(18), Expected: true, Present: 1, Jank: 1},
		{PID: 80, Token: 5, Layer: "other", Begin: at(9), End: at(22), ExpectedBegin: at(8), Deadline: at(24), Expected: true, Present: 1, Jank: 1},
		{PID: 70, Token: 6, Layer: "window", Begin: at(30), End: at(90), Present: 2, Jank: 64},
	}
}

// framesWithSlices is a file of these with a slice from 10 to 40 ms.
func framesWithSlices() []byte {
	clock := message(6, message(1, message(1, 6, 2, int64(9_000_000_000)), 1, message(1, 3, 2, int64(4_000_000_000))))
	packets := append([][]byte{clock}, framePackets()...)
	return file(append(packets,
		message(10, 3, 60, message(1, 99, 4, message(1, 70, 2, 70, 5, "main"))),
		message(10, 3, 8, int64(9_010_000_000), 11, message(9, 1, 11, 99, 23, "Choreographer#doFrame 5")),
		message(10, 3, 8, int64(9_040_000_000), 11, message(9, 2, 11, 99)))...)
}

// TestFrames: frames of the display are told beside slices and beside samples, by the time of their events.
func TestFrames(t *testing.T) {
	o := calltest.MustOpen(t, framesWithSlices(), format.Config{})
	if d := cmp.Diff(framesFrom(10), o.Recording.DisplayFrames); d != "" {
		t.Errorf("beside slices: -want +got:\n%s", d)
	}
	samples := file(slices.Concat(perfPackets(), framePackets())...) // the first is at 10 s
	if d := cmp.Diff(framesFrom(1000), parse(t, samples).DisplayFrames); d != "" {
		t.Errorf("beside samples: -want +got:\n%s", d)
	}
}

// TestLastFrames: with the last 5 ms alone, frames that ended before are not there. Samples are at 10, 10.005 and
// 10.01 s, and the frames of framePackets end before that.
func TestLastFrames(t *testing.T) {
	data := file(slices.Concat(perfPackets(), framePackets(), [][]byte{
		message(8, int64(5_001_000_000), 58, 3, 10, 8, 76, message(actualSurface, message(1, 100, 2, 9, 4, 70))),
		message(8, int64(5_011_000_000), 58, 3, 10, 8, 76, message(endOfFrame, message(1, 100))),
	})...)
	s, err := dumptest.New(bytes.NewReader(data), "test", stackdump.Config{Format: perfetto.Samples.Dumps, Last: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.DisplayFrame{{PID: 70, Token: 9, Begin: -4 * time.Millisecond, End: 6 * time.Millisecond}}
	if d := cmp.Diff(want, s.DisplayFrames); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

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

// TestJankKept: why a frame was late stays as SurfaceFlinger told it, here by its own scheduling (16) and the display (32), dropped (3).
func TestJankKept(t *testing.T) {
	clock := message(6, message(1, message(1, 6, 2, int64(9_000_000_000)), 1, message(1, 3, 2, int64(9_000_000_000))))
	frame := func(at int64, kind int, fields ...any) []byte {
		return message(10, 3, 8, at, 76, message(kind, message(fields...)))
	}
	data := file(clock,
		message(10, 3, 60, message(1, 99, 4, message(1, 70, 2, 70, 5, "main"))),
		message(10, 3, 8, int64(9_010_000_000), 11, message(9, 1, 11, 99, 23, "a.B.m")), message(10, 3, 8, int64(9_040_000_000), 11, message(9, 2, 11, 99)),
		frame(9_010_000_000, 3, 1, 100, 2, 9, 4, 70), frame(9_020_000_000, 5, 1, 100),
		frame(9_010_000_000, 4, 1, 101, 2, 9, 4, 70, 6, 3, 9, 48), frame(9_030_000_000, 5, 1, 101))
	once := calltest.MustOpen(t, data, format.Config{}).Recording
	again := calltest.MustOpen(t, written(t, once), format.Config{}).Recording
	for what, rec := range map[string]*trace.Recording{"read": once, "written": again} {
		if f := rec.DisplayFrames; len(f) != 1 || f[0].Present != 3 || f[0].Jank != 48 || !f[0].Expected {
			t.Errorf("%s: %+v", what, f)
		}
	}
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

// written returns a recording as a Perfetto trace.
func written(t *testing.T, rec *trace.Recording) []byte {
	t.Helper()
	return calltest.Written(t, perfetto.Format, rec, writer.Options{})
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
