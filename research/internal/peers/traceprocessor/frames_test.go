package traceprocessor_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/research/internal/peers/made"
	"artifice/research/internal/peers/traceprocessor"
	"artifice/trace"
)

// frameRow is a frame in trace_processor; the expected values are 0 if it has none.
type frameRow struct {
	PID               uint32
	Token, TS, Dur    int64
	Layer             string
	Expected, ForThem int64
}

// framesOfProcessor queries trace_processor, which has loaded a file, for the frames that have
// ended.
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

// rowsOf returns the frames of a recording in the same form.
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

// TestFrames: trace_processor and artifice read the same frames from files.
func TestFrames(t *testing.T) {
	files := made.Files(t, "artifice/format/internal/perfetto", "^Test(Frames|FramesWritten)$")
	p := traceprocessor.Install(t)
	for name, n := range map[string]int{"frames.pftrace": 4, "written.pftrace": 3} {
		load(t, p, files[name])
		want := framesOfProcessor(t, p)
		if d := cmp.Diff(want, rowsOf(open(t, files[name]).Recording)); d != "" || len(want) != n {
			t.Errorf("%s: %d frames, -trace_processor +read:\n%s", name, len(want), d)
		}
	}
}

// TestFramesWritten: trace_processor reports a frame as late that is written as late.
func TestFramesWritten(t *testing.T) {
	p := traceprocessor.Install(t)
	load(t, p, made.Files(t, "artifice/format/internal/perfetto", "^TestFramesWritten$")["written.pftrace"])
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

// TestSectionsWritten: trace_processor names the frames of a tracer of sections by Android's name,
// with the numbers of the vsyncs before them: those of 10, 20 and 40 ms, the second also on another
// thread, and of 60 ms.
func TestSectionsWritten(t *testing.T) {
	p := traceprocessor.Install(t)
	load(t, p, made.Files(t, "artifice/format/internal/perfetto", "^TestSectionsWritten$")["sections.pftrace"])
	var names []struct{ Name string }
	if err := p.Query("select name as Name from slice where name glob '*doFrame*' order by ts, track_id", &names); err != nil {
		t.Fatal(err)
	}
	want := []struct{ Name string }{{"Choreographer#doFrame 2"}, {"Choreographer#doFrame 3"}, {"Choreographer#doFrame 3"}, {"Choreographer#doFrame 5"}, {"Choreographer#doFrame 7"}}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("-want +trace_processor:\n%s", d)
	}
}
