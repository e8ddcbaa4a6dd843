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

// TestTracerTable checks that the table of docs/tracers.md has a row for each tracer of apps, and
// that each row has its mode of record and, if its name differs, of bench. The table omits
// baselines, other readings of ART's samples, and modes that bench does not measure.
func TestTracerTable(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "tracers.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rows, modes []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9][a-z0-9-]*)` \\| (.*?) ?\\|").FindAllStringSubmatch(string(page), -1) {
		rows = append(rows, row[1])
		if row[2] == "" {
			modes = append(modes, row[1])
		}
		for _, name := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(row[2], -1) {
			modes = append(modes, name[1])
		}
	}
	for _, way := range tracer.All() {
		if !way.Unmeasured && !way.Control && !slices.Contains(rows, way.Name) {
			t.Errorf("no row for %s", way.Name)
		}
	}
	for _, name := range rows {
		if way, err := tracer.ByName(name); err != nil || way.Unmeasured || way.Control {
			t.Errorf("row for %s, which traces no app: %v", name, err)
		}
	}
	for _, name := range modes {
		if _, ok := bench.ModeByName(name); !ok {
			t.Errorf("%s is no mode of bench", name)
		}
	}
	for _, m := range bench.Modes() {
		if m.How != nil && !slices.Contains(modes, m.Name) {
			t.Errorf("no row has %s of bench", m.Name)
		}
	}
}
