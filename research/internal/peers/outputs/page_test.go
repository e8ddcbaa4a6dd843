package outputs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/research/internal/peers/catapult"
	"artifice/research/internal/peers/outputs"
	"artifice/research/internal/peers/seen"
	"artifice/research/internal/peers/traceprocessor"
)

// pageApp has, on two threads of one core, all elements of a system trace's page: calls, waits for
// the core and for a device, and a name that would end the element that contains the text.
const pageApp = `
name: page
cores: [{count: 1}]
slice: 4ms
duration: 1s
methods:
  com.example.Feed.show: {do: [{self: 3ms}, {call: java.io.File.read}, {self: 1ms}]}
  java.io.File.read: {wait: io, do: [{self: 5ms}]}
  com.example.</script><!--.<init>: {do: [{self: 2ms}]}
threads:
  - {name: main, tid: 77, do: [{call: com.example.Feed.show}]}
  - {name: io, tid: 78, priority: 130, do: [{call: com.example.Feed.show}, {call: "com.example.</script><!--.<init>"}]}
`

// TestPageInViewers: Perfetto's trace_processor and Catapult's viewer open the .html pages of
// convert and record as a trace, as they open systrace's. They report the values worked out by
// hand: main runs 3 ms, reads to 8 ms, and runs 1 ms; io waits 3 ms for the core, before its first
// call, runs to 6, reads to 11, and runs 3.
func TestPageInViewers(t *testing.T) {
	dir := t.TempDir()
	app := filepath.Join(dir, "app.yaml")
	if err := os.WriteFile(app, []byte(pageApp), 0o600); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "trace.html")
	if out, err := exec.Command(outputs.Build(t).Path(), "record", app, "--mode", "truth", "-o", page).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const script = "com.example.< /script>< !--.<init>"
	want := seen.Calls{}
	for _, c := range []struct {
		tid, depth int
		name       string
		ms         int64
	}{
		{77, 0, "com.example.Feed.show", 9}, {77, 1, "java.io.File.read", 5},
		{78, 0, "com.example.Feed.show", 9}, {78, 1, "java.io.File.read", 5}, {78, 0, script, 2},
	} {
		want.Add(seen.Call{Thread: c.tid, Depth: c.depth, Method: c.name}, 1, 1e6*time.Duration(c.ms))
	}
	t.Run("trace_processor", func(t *testing.T) {
		p := traceprocessor.Install(t)
		if err := p.Load(page); err != nil {
			t.Fatal(err)
		}
		got, err := p.Slices(func(name string) string { return name })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("catapult", func(t *testing.T) {
		trace, states := catapult.InstallViewer(t).Import(t, page)
		got := seen.Calls{}
		for _, thread := range trace.Threads {
			for _, c := range thread.Calls {
				got.Add(seen.Call{Thread: thread.TID, Depth: c.Depth, Method: c.Name}, c.N, time.Duration(c.Total*1e6+.5))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for _, warning := range trace.Warnings {
			if !strings.Contains(warning, "Unknown event sched_waking") { // unsupported by it
				t.Error(warning)
			}
		}
		var is []string
		for _, s := range states {
			is = append(is, fmt.Sprintf("%d %s %d %.0f", s.TID, s.Name, s.N, s.Total))
		}
		slices.Sort(is)
		// Catapult takes the cause of a wait from the kernel's event, which comes 1 µs before the
		// thread becomes runnable.
		if diff := cmp.Diff([]string{"77 Running 2 4", "77 Uninterruptible Sleep 1 5", "78 Runnable 1 3", "78 Running 2 6", "78 Uninterruptible Sleep 1 5"}, is); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
