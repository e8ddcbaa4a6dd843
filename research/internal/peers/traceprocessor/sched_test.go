package traceprocessor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/format"
	"artifice/internal/testdata/tracetest"
	"artifice/research/internal/peers/made"
	"artifice/research/internal/peers/traceprocessor"
	"artifice/workload"
)

// TestStates: for both formats, trace_processor has the thread states that TestFtraceSched of
// package format works out by hand, and marks the sleeps in which threads waited for a device.
func TestStates(t *testing.T) {
	processor := traceprocessor.Install(t)
	for format, file := range made.Files(t, "artifice/format", "^TestFtraceSched$") {
		var rows []struct {
			TID, Dur int
			State    string
			IO       int
			Function string
		}
		load(t, processor, file)
		query(t, processor, `SELECT tid, state, dur, io_wait AS io, blocked_function AS "function"
			FROM thread_state JOIN thread USING (utid) WHERE tid IN (77, 78) AND dur > 0 ORDER BY tid, ts`, &rows)
		var got []string
		for _, r := range rows {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s %d %d %s", r.TID, r.State, r.Dur/1e6, r.IO, r.Function)))
		}
		function := map[string]string{"ftrace": " wait_on_page_bit+0x0/0x0"}[format] // Perfetto's own format has its address
		want := []string{"77 Running 6 0", "77 D 5 1" + function, "77 Running 1 0",
			"78 R 6 0", "78 Running 4 0", "78 D 5 1" + function, "78 Running 1 0"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

// TestBinder: for each call that waits for another process, trace_processor has a slice on its
// thread, and one on the answering thread, of the length of the wait.
func TestBinder(t *testing.T) {
	const app = `
name: calls
duration: 1s
methods:
  A.work: {do: [{self: 1ms}, {call: android.os.BinderProxy.transactNative}, {self: 1ms}, {call: android.os.BinderProxy.transactNative}]}
  android.os.BinderProxy.transactNative: {flags: native, wait: binder, do: [{self: 7ms}]}
threads:
  - {name: main, tid: 1005, do: [{call: A.work}]}
`
	processor := traceprocessor.Install(t)
	for _, name := range []string{"ftrace", "perfetto"} {
		p, err := workload.ReadYAML(strings.NewReader(app), "calls.yaml")
		if err != nil {
			t.Fatal(err)
		}
		rec, err := p.Truth(workload.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var rows []struct {
			TID, Depth, TS, Dur int
			Name                string
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, tracetest.Written(t, format.ByName(name), rec), 0o600); err != nil {
			t.Fatal(err)
		}
		load(t, processor, file)
		query(t, processor, `SELECT tid, depth, ts - (SELECT min(ts) FROM slice) AS ts, dur, slice.name AS name
			FROM slice JOIN thread_track ON track_id = thread_track.id JOIN thread USING (utid) ORDER BY tid, ts, depth`, &rows)
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprintf("%d: %s%s %d+%d", r.TID, strings.Repeat(" ", r.Depth), r.Name, r.TS/1e6, r.Dur/1e6))
		}
		const wait = "android.os.BinderProxy.transactNative "
		want := []string{"1005: A.work 0+16",
			"1005:  " + wait + "1+7", "1005:   binder transaction 1+7", "1005:  " + wait + "9+7", "1005:   binder transaction 9+7",
			"11001: binder reply 1+7", "11001: binder reply 9+7"} // the app has the tid of the first process
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// load loads a file; an error fails the test.
func load(t *testing.T, p *traceprocessor.Processor, file string) {
	t.Helper()
	if err := p.Load(file); err != nil {
		t.Fatal(err)
	}
}

// open opens a file with our reader; an error fails the test.
func open(t *testing.T, file string) *format.Input {
	t.Helper()
	in, err := format.Open(file, format.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in
}

func query(t *testing.T, p *traceprocessor.Processor, sql string, rows any) {
	t.Helper()
	if err := p.Query(sql, rows); err != nil {
		t.Fatal(err)
	}
}
