package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"artifice/bench"
	"artifice/internal/testdata"
	"artifice/tracer"
)

// TestTracerPage checks that docs/tracers.md has the mode of record of each tracer of apps and, if
// its name differs, that of bench. The page omits baselines, other readings of ART's samples, and
// modes that bench does not measure. The list of all tracers in docs/reference.md is generated.
func TestTracerPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "tracers.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range regexp.MustCompile("`([a-z0-9][a-z0-9-]*)`").FindAllStringSubmatch(string(page), -1) {
		names = append(names, name[1])
	}
	for _, way := range tracer.All() {
		if !way.Unmeasured && !way.Control && !slices.Contains(names, way.Name) {
			t.Errorf("no paragraph for %s", way.Name)
		}
	}
	for _, m := range bench.Modes() {
		if m.How != nil && !slices.Contains(names, m.Name) {
			t.Errorf("no paragraph has %s of bench", m.Name)
		}
	}
}
