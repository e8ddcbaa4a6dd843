package outputs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/outputs"
)

// TestTimelines: readers show the content of each input in its files.
func TestTimelines(t *testing.T) { run(t, outputs.Timelines) }

// TestMethodTraces does the same for method traces.
func TestMethodTraces(t *testing.T) { run(t, outputs.MethodTraces) }

// TestProfiles does the same for sums.
func TestProfiles(t *testing.T) { run(t, outputs.Profiles) }

// readerless lists the formats without a reader, with the reason.
var readerless = map[string]string{
	"dalvik1":             "packages check and fixtures hold dmtracedump and trace_processor to what they make of each file",
	"dalvik2":             "the same",
	"dalvik3":             "the same",
	"art-v2-15":           "trace_processor reads V2 of 2026 only",
	"art-v2-16":           "the same",
	"art-longrun-2025-02": "no other available reader supports it",
	"art-longrun-16":      "the same",
	"text":                "it is ours",
	"otlp":                "package opentelemetry compares it with pdata",
	"otlp-json":           "the same",
}

// TestEveryFormatHasAReader: research/readers/README.md has a row for each format that is written,
// except those without a reader.
func TestEveryFormatHasAReader(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testdata.Root(), "research", "readers", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "| format | reader |")
	table, _, ended := strings.Cut(table, "\n\n")
	if !found || !ended {
		t.Fatal("research/readers/README.md has no table of formats and readers")
	}
	for _, f := range format.Written() {
		has, lacks := strings.Contains(table, "\n| "+f.Name+" | "), readerless[f.Name] != ""
		if has == lacks {
			t.Errorf("%s has a row: %t; it has no reader: %t", f.Name, has, lacks)
		}
	}
}

func run(t *testing.T, formats func(testing.TB) []outputs.Format) {
	if testing.Short() {
		t.Skip("installs programs of the npm registry")
	}
	p := outputs.Build(t)
	all := outputs.Inputs(t, p, filepath.Dir(testdata.Path(t, "traces", outputs.Real[0])))
	inputs := testdata.Some(t, all, 1)
	for _, r := range outputs.Run(t, p, testdata.Some(t, formats(t), 1), inputs) {
		for _, f := range r.Failures {
			if f.Aspect == "" || slices.Contains(r.Shows, f.Aspect) {
				t.Errorf("%s in %s, %s: %s %s", r.Format, r.Reader, f.Input, f.Aspect, f.Text)
			}
		}
		if len(inputs) == len(all) && len(r.Refused) > len(inputs)*2/3 {
			t.Errorf("%s in %s: refused of most inputs: %v", r.Format, r.Reader, r.Refused)
		}
		t.Logf("%s in %s: %d files", r.Format, r.Reader, r.Files)
	}
}
