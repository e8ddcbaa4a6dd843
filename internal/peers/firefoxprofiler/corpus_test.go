package firefoxprofiler_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/fixtures"
	"artifice/internal/peers/firefoxprofiler"
	"artifice/reader"
	"artifice/trace"
)

// TestCorpus loads the files of the corpus in the variants that ART writes and
// Firefox reads: it refuses those that the manifest says it refuses, and shows
// the threads of those that it accepts.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a program of the npm registry")
	}
	client := firefoxprofiler.Install(t)
	dir := filepath.Join(t.TempDir(), "corpus")
	m, err := fixtures.Write(dir, fixtures.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	tried := make(map[string]int)
	for _, e := range m.Fixtures {
		does := e.Readers[firefox].Does
		if e.Variant != "art" && e.Variant != "art-stream" || does == "unknown" || strings.Contains(e.File, "/time-") || strings.Contains(e.File, "record-size-0") {
			continue // a gap of half an hour has 20 million samples, and on records without a byte it hangs
		}
		tried[does]++
		file := filepath.Join(dir, filepath.FromSlash(e.File))
		shown, err := client.Load(file)
		if refused := err != nil; refused != (does == "refuses") {
			t.Errorf("%s: %q, but Firefox: %v", e.File, e.Readers[firefox], err)
		}
		if err != nil {
			continue
		}
		if does == "accepts" && e.Broken == nil { // our reader stops in a broken file
			compareThreads(t, shown, file)
		}
	}
	if tried["accepts"] < 15 || tried["refuses"] < 3 {
		t.Errorf("too few files were tried: %v", tried)
	}
	t.Logf("tried %v", tried)
}

const firefox = "firefox"

// compareThreads holds the threads that Firefox shows against those that have
// events.
func compareThreads(t *testing.T, shown []firefoxprofiler.Thread, file string) {
	t.Helper()
	got := make(map[string]int)
	for _, thread := range shown {
		got[thread.Name]++
	}
	in, err := reader.Open(file, reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want := make(map[string]int)
	seen := make(map[trace.ThreadID]bool)
	for e, err := range trace.All(in.Events) {
		if err != nil {
			t.Fatal(err)
		}
		if !seen[e.Thread] {
			seen[e.Thread] = true
			want[in.Symbols.Thread(e.Thread).Name]++
		}
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: Firefox shows %d threads called %.60q, there are %d (%s)", file, got[name], name, n, strings.Join(slices.Sorted(maps.Keys(got)), ", "))
		}
	}
}
