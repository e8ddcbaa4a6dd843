package perfetto_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/formattest"
	format "artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/trace"
)

// drawing returns a recording of an app that draws on a display of 100 Hz: see TestFramesWritten.
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

// TestSectionsWritten checks a tracer of sections. It writes the frames of drawing with Android's
// name, which includes the number of the vsync: the frames of 10, 20, 40 and 60 ms, and that of 20
// ms also on another thread. Read back, they are calls of one method.
func TestSectionsWritten(t *testing.T) {
	rec := drawing()
	rec.Info.Sections = true
	data := written(t, rec)
	testdata.Save(t, "sections.pftrace", data)
	frames := 0
	for _, m := range formattest.MustOpen(t, data, format.Config{}).Recording.Symbols.Methods {
		if m.DrawsFrame() {
			frames++
		}
	}
	if frames != 1 {
		t.Errorf("%d methods draw frames, want 1", frames)
	}
}

// frameRow is a frame in the columns of trace_processor. A column without a value is 0.
type frameRow struct {
	PID               uint32
	Token, TS, Dur    int64
	Layer             string
	Expected, ForThem int64
}

// rowsOf returns the frames of a recording as rows.
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

// TestFramesWritten checks frames of a display of 100 Hz, computed by hand. One is on time, from
// 10.1 to 19 ms. One begins at 20.2 ms and ends at 43 ms, 13 ms late. The next begins in the vsync
// of 40 ms and ends at its deadline, 50 ms. A doFrame of another thread is not a frame of the app,
// and a doFrame that is open at the end has no end.
func TestFramesWritten(t *testing.T) {
	recording := drawing
	const second = 1_000_000_000
	want := []frameRow{
		{PID: 70, Token: 2, TS: second + 10_100_000, Dur: 8_900_000, Expected: second + 10_000_000, ForThem: 10_000_000},
		{PID: 70, Token: 3, TS: second + 20_200_000, Dur: 22_800_000, Expected: second + 20_000_000, ForThem: 10_000_000},
		{PID: 70, Token: 5, TS: second + 43_000_000, Dur: 7_000_000, Expected: second + 40_000_000, ForThem: 10_000_000},
	}
	data := written(t, recording())
	testdata.Save(t, "written.pftrace", data)
	back := formattest.MustOpen(t, data, format.Config{}).Recording
	if d := cmp.Diff(want, rowsOf(back)); d != "" {
		t.Errorf("-want +read:\n%s", d)
	}
	if d := cmp.Diff(want, rowsOf(formattest.MustOpen(t, written(t, back), format.Config{}).Recording)); d != "" {
		t.Errorf("written once more: -want +read:\n%s", d)
	}
	sampled := recording()
	sampled.Info.Technique = trace.Sampled
	if got := formattest.MustOpen(t, written(t, sampled), format.Config{}).Recording.DisplayFrames; got != nil {
		t.Errorf("frames of samples: %+v, want none", got)
	}
}
