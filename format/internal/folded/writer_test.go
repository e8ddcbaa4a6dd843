package folded_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/folded"
	"artifice/internal/testdata"
	"artifice/trace"
)

func write(t *testing.T, rec *trace.Recording, events []trace.Event, options ...any) string {
	t.Helper()
	var out strings.Builder
	w, err := folded.Format.Write(&out, rec, options...)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWriter has the expected values of TestWriter of package pprof.
func TestWriter(t *testing.T) {
	for _, test := range []struct {
		name string
		cfg  folded.Options
		want string
	}{
		{"wall", folded.Options{}, `# wall;us 0
app.Main.main;app.Work.run 40
app.Main.main;app.Work.run;app.Log.log 10
(toplevel) 40
app.Main.main 25
unknown.method_0x10 60
`},
		{"wall in ms", folded.Options{Unit: time.Millisecond}, "# no stacks\n"},
		{"wall in ns", folded.Options{Unit: time.Nanosecond}, `# wall;ns 0
app.Main.main;app.Work.run 40000
app.Main.main;app.Work.run;app.Log.log 10000
(toplevel) 40000
app.Main.main 25000
unknown.method_0x10 60000
`},
		{"CPU by thread", folded.Options{Value: folded.CPU, ByThread: true}, `# cpu;us 0
main;(toplevel) 1
main;app.Main.main 13
main;app.Main.main;app.Work.run 15
main;app.Main.main;app.Work.run;app.Log.log 2
thread-77;(toplevel) 5
`},
		{"calls", folded.Options{Value: folded.Calls}, `app.Main.main;app.Work.run 1
app.Main.main;app.Work.run;app.Log.log 1
app.Main.main 2
unknown.method_0x10 1
`},
	} {
		got := write(t, testdata.ExampleRecording(), testdata.ExampleEvents(), test.cfg)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
	}
}

// TestWriterNames checks that names contain no separators of frames and lines. The last frame lasts
// from 20 us to the stop at 100 us.
func TestWriterNames(t *testing.T) {
	rec := testdata.ExampleRecording()
	rec.Symbols.Methods[0] = trace.Method{Class: "a;b", Name: "c\nd\te"}
	rec.Symbols.Threads[0].Name = "x\r;y z"
	got := write(t, rec, testdata.ExampleEvents()[:3], folded.Options{ByThread: true})
	if want := "# wall;us 0\nx :y z;a:b.c d e 10\nx :y z;a:b.c d e;app.Work.run 80\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFoldedWithoutClock(t *testing.T) {
	rec := testdata.ExampleRecording()
	rec.Info.Clock = trace.Wall
	_, err := folded.Format.Write(nil, rec, folded.Options{Value: folded.CPU})
	if err == nil || !strings.Contains(err.Error(), "no CPU clock") {
		t.Errorf("error %v", err)
	}
	rec.Info.Clock = trace.ThreadCPU
	if got := write(t, rec, testdata.ExampleEvents()[:3]); got != "# cpu;us 0\napp.Main.main 8\n" {
		t.Errorf("time without a wall clock is CPU time: %q", got)
	}
	rec.Info.Clock, rec.Info.OfCPU = trace.Dual, true
	if got := write(t, rec, testdata.ExampleEvents()[:3]); !strings.HasPrefix(got, "# cpu;us 0\n") {
		t.Errorf("wall times that are CPU times: %q", got)
	}
}

func TestFoldedSnapshots(t *testing.T) {
	var out strings.Builder
	w, err := folded.Format.Write(&out, testdata.ExampleRecording(), folded.Options{Value: folded.Calls})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.(trace.SnapshotWriter).WriteSnapshot(&trace.Snapshot{Count: 2, Stack: []trace.MethodID{0, 2}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "app.Main.main;app.Log.log 6\n"; out.String() != want {
		t.Errorf("got %q", out.String())
	}
}
