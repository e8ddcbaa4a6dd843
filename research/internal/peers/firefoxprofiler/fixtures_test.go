package firefoxprofiler_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"artifice/fixtures"
	"artifice/format/check"
	"artifice/format/dmtrace"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/research/internal/peers/made"
	"artifice/trace"
)

// TestFixtures: the Firefox Profiler's importer rejects the files listed as rejected in the
// manifest, and for accepted ones shows the threads that have events.
func TestFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a program of the npm registry")
	}
	f := &firefox{Client: firefoxprofiler.Install(t)}
	made.OpenCorpus(t, f, check.Firefox, func(file string, e fixtures.Entry) { compareThreads(t, f.shown, file) })
}

// firefox is the importer as a viewer.
type firefox struct {
	*firefoxprofiler.Client
	shown []firefoxprofiler.Thread
}

// Load implements [viewer].
func (f *firefox) Load(file string) (err error) {
	f.shown, err = f.Client.Load(file)
	return err
}

// compareThreads compares Firefox's threads with those that have events.
func compareThreads(t *testing.T, shown []firefoxprofiler.Thread, file string) {
	t.Helper()
	got := make(map[string]int)
	for _, thread := range shown {
		got[thread.Name]++
	}
	in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
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
