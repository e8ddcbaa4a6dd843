package firefoxprofiler_test

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata/tracetest"

	gocmp "github.com/google/go-cmp/cmp"

	formatpkg "artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/trace"
)

// TestSavedProfiles: for a profile saved by the Firefox Profiler, in the newest version of its
// format, the reader of stackdump returns the same times of each thread's stacks as the profiler's
// own tables.
func TestSavedProfiles(t *testing.T) {
	if testing.Short() {
		t.Skip("starts node")
	}
	testdata.Seldom(t, 6)
	client := firefoxprofiler.Install(t)
	dir := t.TempDir()
	const ms = time.Millisecond
	for format, as := range map[string]struct {
		each time.Duration // per unit of weight
		off  time.Duration // tolerance: a thread's last sample has no end; or rounding
	}{
		"art": {ms / 10, ms / 10}, "folded": {ms, ms}, "firefox": {ms, 2 * time.Microsecond}, "simpleperf-proto": {ms, 2 * time.Microsecond},
	} {
		file, saved := filepath.Join(dir, format), filepath.Join(dir, format+".json")
		writeAs(t, file, format)
		if _, err := client.Load(file); err != nil {
			t.Fatal(err)
		}
		threads, err := client.Stacks()
		if err == nil {
			err = client.Save(saved)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]time.Duration{}
		for _, thread := range threads {
			for _, s := range thread.Stacks {
				if len(s.Frames) > 0 {
					want[thread.Name+": "+strings.Join(s.Frames, ";")] += time.Duration(math.Round(s.Weight * float64(as.each)))
				}
			}
		}
		if diff := gocmp.Diff(want, stacksIn(t, saved), gocmp.Comparer(func(a, b time.Duration) bool { return (a - b).Abs() <= as.off })); diff != "" || len(want) < 5 {
			t.Errorf("%s (-Firefox +stackdump)\n%s", format, diff)
		}
	}
}

// writeAs writes madeTrace.
func writeAs(t *testing.T, file, format string) {
	t.Helper()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	rec := madeTrace()
	w, err := formatpkg.ByName(format).Write(out, rec)
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Fill(t, w, rec.Events)
}

// stacksIn returns the time of each stack of a thread in a file.
func stacksIn(t *testing.T, file string) map[string]time.Duration {
	t.Helper()
	in, err := formatpkg.Open(file, formatpkg.Config{Options: []any{formatpkg.DumpConfig{Ends: true}}})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	s, events := in.Dumps, tracetest.Events(t, in.Dumps)
	stacks := map[string]time.Duration{}
	open, last := map[trace.ThreadID][]string{}, map[trace.ThreadID]time.Duration{}
	for _, e := range events {
		frames := open[e.Thread]
		stacks[s.Symbols.Threads[e.Thread].Name+": "+strings.Join(frames, ";")] += e.Wall - last[e.Thread]
		last[e.Thread] = e.Wall
		if e.Action == trace.Enter {
			m := s.Symbols.Methods[e.Method]
			open[e.Thread] = append(frames, m.Class+"."+m.Name)
		} else {
			open[e.Thread] = frames[:len(frames)-1]
		}
	}
	maps.DeleteFunc(stacks, func(stack string, d time.Duration) bool { return strings.HasSuffix(stack, ": ") || d == 0 })
	return stacks
}
