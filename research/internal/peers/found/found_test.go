// Package found reproduces the bugs of docs/found.md: each test gives a file of the corpus of
// package fixtures to a reader of another project and checks what docs/found.md states. A test that
// fails shows that the reader has changed, and the entry must be updated.
package found

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"artifice/fixtures"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/research/internal/peers/node"
	"artifice/research/internal/peers/speedscope"
	"artifice/research/internal/peers/traceprocessor"
)

// file returns a file of the corpus, written as docs/found.md writes it.
func file(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "corpus")
	if _, err := fixtures.Write(t.Context(), dir, fixtures.Config{Seed: 1, Only: name}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// named returns valid/chrome.json with names in the ends of calls, which readers need not require.
func named(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(file(t, "valid/chrome.json"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "named.json")
	text := strings.NewReplacer(`"ts": 20}`, `"ts": 20, "name": "a.A.bar"}`, `"ts": 30}`, `"ts": 30, "name": "a.A.foo"}`).Replace(string(data))
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// imported returns the only profile that speedscope reads of a file of the corpus.
func imported(t *testing.T, s *speedscope.Importer, name string) speedscope.Profile {
	t.Helper()
	profiles, err := s.Import(file(t, name))
	if err != nil || len(profiles) != 1 {
		t.Fatalf("%s: %d profiles, %v", name, len(profiles), err)
	}
	return profiles[0]
}

// weights returns the weight of each stack.
func weights(p speedscope.Profile) map[string]float64 {
	of := map[string]float64{}
	for _, s := range p.Stack {
		of[strings.Join(s.Frames, ";")] += s.Weight
	}
	return of
}

// TestSpeedscope: bugs 1 to 3.
func TestSpeedscope(t *testing.T) {
	s := speedscope.InstallImporter(t)
	if p := imported(t, s, "valid/chrome.json"); p.Total != 2 {
		t.Errorf("1: ends without a name: total %v", p.Total)
	}
	if p, err := s.Import(named(t)); err != nil || len(p) != 1 || p[0].Total != 20 {
		t.Errorf("1: ends with a name: %+v, %v", p, err)
	}
	if p := imported(t, s, "broken/speedscope-cut.json"); p.Total != 3 || len(p.Stack) != 1 || !strings.HasPrefix(p.Stack[0].Frames[0], `{"type": "C"`) {
		t.Errorf("2: cut JSON: %+v", p)
	}
	for _, name := range []string{"broken/pprof-index.pb", "broken/pprof-zero.pb"} {
		if w := weights(imported(t, s, name)); len(w) != 1 || w["a.A.foo"] != 20000 {
			t.Errorf("3: %s: %v", name, w)
		}
	}
	if w := weights(imported(t, s, "broken/pprof-twice.pb")); len(w) != 1 || w["a.A.bar"] != 20000 {
		t.Errorf("3: two locations of one id: %v", w)
	}
	if w := weights(imported(t, s, "valid/pprof.pb")); len(w) != 2 || w["a.A.foo"] != 12000 || w["a.A.foo;a.A.bar"] != 8000 {
		t.Errorf("the valid file: %v", w)
	}
}

// TestFirefox: bugs 4 to 6.
func TestFirefox(t *testing.T) {
	c := firefoxprofiler.Install(t)
	if _, err := c.Load(file(t, "valid/chrome.json")); err == nil || !strings.Contains(err.Error(), "did not follow the expected form") {
		t.Errorf("4: ends without a name: %v", err)
	}
	if _, err := c.Load(named(t)); err != nil {
		t.Errorf("4: ends with a name: %v", err)
	}
	if _, err := c.Load(file(t, "broken/folded-number.folded")); err != nil {
		t.Fatal(err)
	}
	list, err := c.Stacks()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	total := 0.0
	for _, s := range list[0].Stacks {
		total += s.Weight
	}
	if math.Abs(total-20) > 1e-9 {
		t.Errorf("5: the count 8x: total %v", total)
	}
	c.Limit(20 * time.Second)
	if _, err := c.Load(file(t, "broken/folded-overflow.folded")); !errors.Is(err, node.ErrHangs) && !errors.Is(err, node.ErrCrashed) {
		t.Errorf("6: a large count: %v", err)
	}
}

// TestTraceProcessor: bug 7.
func TestTraceProcessor(t *testing.T) {
	p := traceprocessor.Install(t)
	for name, want := range map[string]map[string]float64{
		"broken/pprof-index.pb": {"a.A.foo": 20000},
		"broken/pprof-twice.pb": {"a.A.bar": 20000},
		"broken/pprof-cut.pb":   {"a.A.foo": 12000, "": 8000},
		"valid/pprof.pb":        {"a.A.foo": 12000, "a.A.bar": 8000},
	} {
		if err := p.Load(file(t, name)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var rows []struct {
			Name  string
			Value float64
		}
		var stats []struct{ Value float64 }
		if err := errors.Join(p.Query(`select f.name, s.value from __intrinsic_aggregate_sample s
			join __intrinsic_stack_profile_callsite c on s.callsite_id = c.id
			join __intrinsic_stack_profile_frame f on c.frame_id = f.id`, &rows),
			p.Query("select value from stats where value > 0 and severity in ('error', 'data_loss')", &stats)); err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, r := range rows {
			got[r.Name] += r.Value
		}
		if len(stats) > 0 || len(got) != len(want) {
			t.Errorf("7: %s: %v, errors %v", name, got, stats)
		}
		for n, v := range want {
			if got[n] != v {
				t.Errorf("7: %s: %s has %v, want %v", name, n, got[n], v)
			}
		}
	}
}

// TestDocument: docs/found.md names only files of the corpus.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "found.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?:valid|broken)/[a-z0-9.-]+[a-z]`).FindAllString(string(text), -1)
	if len(names) < 7 {
		t.Errorf("only %d files", len(names))
	}
	for _, name := range names {
		file(t, name)
	}
}
