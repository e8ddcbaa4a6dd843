package found

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"artifice/fixtures"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/research/internal/peers/speedscope"
	"artifice/research/internal/peers/traceprocessor"
)

// selfTimes returns the self times in ns, or numbers of samples, that the manifest states of a
// valid file's methods.
func selfTimes(t *testing.T, name string) map[string]float64 {
	t.Helper()
	m, err := fixtures.Write(t.Context(), filepath.Join(t.TempDir(), "corpus"), fixtures.Config{Seed: 1, Only: name})
	if err != nil {
		t.Fatal(err)
	}
	content, self := m.Formats[0].Content, map[string]float64{}
	for _, s := range content.Times {
		self[content.Methods[s.Method].Name] = float64(s.SelfWall + s.SelfCPU + s.SelfSamples)
	}
	return self
}

// equal compares self times of a reader with the manifest's, rounded to a nanosecond.
func equal(t *testing.T, name string, got map[string]float64) {
	t.Helper()
	if want := selfTimes(t, name); !maps.EqualFunc(got, want, func(a, b float64) bool { return a-b < 0.5 && b-a < 0.5 }) {
		t.Errorf("%s: %v, the manifest states %v", name, got, want)
	}
}

// TestContentSpeedscope: speedscope finds the self times that the manifest states.
func TestContentSpeedscope(t *testing.T) {
	s := speedscope.InstallImporter(t)
	units := map[string]float64{"nanoseconds": 1, "microseconds": 1000, "none": 1}
	for _, name := range []string{"valid/pprof.pb", "valid/folded.folded", "valid/speedscope.json", "valid/speedscope-samples.json"} {
		p := imported(t, s, name)
		got := map[string]float64{}
		for stack, weight := range weights(p) {
			got[stack[strings.LastIndex(stack, ";")+1:]] += weight * units[p.Unit]
		}
		equal(t, name, got)
	}
}

// TestContentFirefox: the Firefox Profiler finds these self times, too.
func TestContentFirefox(t *testing.T) {
	c := firefoxprofiler.Install(t)
	for name, unit := range map[string]float64{"valid/firefox.json": 1e6, "valid/folded.folded": 1} {
		if _, err := c.Load(file(t, name)); err != nil {
			t.Fatal(err)
		}
		list, err := c.Stacks()
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		got := map[string]float64{}
		for _, s := range list[0].Stacks {
			if n := len(s.Frames); n > 0 {
				got[s.Frames[n-1]] += s.Weight * unit
			}
		}
		equal(t, name, got)
	}
}

// TestContentTraceProcessor: trace_processor finds the manifest's thread, events and self times in
// files with events.
func TestContentTraceProcessor(t *testing.T) {
	p := traceprocessor.Install(t)
	for _, name := range []string{"valid/perfetto.pftrace", "valid/chrome.json"} {
		if err := p.Load(file(t, name)); err != nil {
			t.Fatal(err)
		}
		var rows []struct {
			Name, Thread     string
			Tid, TS, Dur, In float64
		}
		if err := p.Query(`select s.name, t.name as thread, t.tid, s.ts, s.dur,
			(select ifnull(sum(c.dur), 0) from slice c where c.parent_id = s.id) as "in"
			from slice s join thread_track k on s.track_id = k.id join thread t using (utid) order by s.ts`, &rows); err != nil {
			t.Fatal(err)
		}
		self, lines := map[string]float64{}, []string{}
		for _, r := range rows {
			self[r.Name] += r.Dur - r.In
			lines = append(lines, fmt.Sprint(r.Thread, " ", r.Tid, " ", r.TS, " ", r.Dur))
		}
		equal(t, name, self)
		if got := strings.Join(lines, ", "); got != "main 7 10000 20000, main 7 12000 8000" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
