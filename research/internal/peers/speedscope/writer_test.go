package speedscope_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	formatpkg "artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/speedscope"
	"artifice/trace"
)

// TestEvented: speedscope shows the known times of a trace, both in its own format and in Chrome's.
func TestEvented(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	testdata.Seldom(t, 6)
	viewer := speedscope.Install(t)
	const ms = time.Millisecond
	rec := &trace.Recording{Symbols: &trace.Symbols{
		Threads: []trace.Thread{{TID: 7, Name: "main"}},
		Methods: []trace.Method{{Class: "a.A", Name: "<init>"}, {Class: "a.B", Name: "work"}, {Class: "a.C", Name: "idle"}},
	}}
	events := []trace.Event{ // <init> from 100 to 300 ms, in it work for 120 ms and again for 20, idle for 10
		{Wall: 100 * ms, Method: 0},
		{Wall: 110 * ms, Method: 1}, {Wall: 230 * ms, Method: 1, Action: trace.Exit},
		{Wall: 240 * ms, Method: 2}, {Wall: 250 * ms, Method: 2, Action: trace.Exit},
		{Wall: 260 * ms, Method: 1}, {Wall: 280 * ms, Method: 1, Action: trace.Exit},
		{Wall: 300 * ms, Method: 0, Action: trace.Exit},
	}
	want := []speedscope.Row{
		{"a.B.work", "140.00ms (70%)", "140.00ms (70%)"},
		{"a.A.<init>", "200.00ms (100%)", "50.00ms (25%)"},
		{"a.C.idle", "10.00ms (5.0%)", "10.00ms (5.0%)"},
	}
	for _, format := range []string{"speedscope", "chrome"} {
		file := filepath.Join(t.TempDir(), "app"+formatpkg.ToWrite(format).Endings[0])
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		w, err := formatpkg.ByName(format).Write(out, rec)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteEvents(events); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, viewer.Sandwich(t, file)); diff != "" {
			t.Errorf("%s (-made +speedscope)\n%s", format, diff)
		}
	}
}
