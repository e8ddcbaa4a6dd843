package opentelemetry_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"artifice/format/check"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/outputs"
)

// checked returns the rules that a file breaks by artifice check.
func checked(t *testing.T, name string) []string {
	t.Helper()
	r, err := check.File(name, check.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(r.Counts))
}

// checked returns the rules that a message breaks in an encoding.
func (f file) checked(t *testing.T, e encoded, d pprofile.Profiles) []string {
	t.Helper()
	b, err := e.write(d)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return checked(t, f.name)
}

// repaired are the broken files that pdata cannot write as they are: it refuses an id with another
// number of bytes, and adds the empty string to a table without it.
var repaired = []string{"empty-string-table", "trace-id"}

// TestBrokenFiles: check reports the same findings for a broken file of its own tests and for the
// protobuf that pdata writes from it.
func TestBrokenFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata.Root(), "format", "check", "testdata", "otlp", "*.json"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	f := newFile(t)
	for _, file := range files {
		if slices.Contains(repaired, strings.TrimSuffix(filepath.Base(file), ".json")) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := encodings[1].read(text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if diff := cmp.Diff(checked(t, file), f.checked(t, encodings[0], d)); diff != "" {
			t.Errorf("%s: -JSON +protobuf\n%s", file, diff)
		}
	}
}

// TestRandom: check reports the same findings for both encodings of a random message of pdata.
func TestRandom(t *testing.T) {
	f := newFile(t)
	r := random{rand.New(rand.NewPCG(5, 6))}
	broken := map[string]int{}
	for i := range count() / 10 {
		d := r.pdata()
		got := f.checked(t, encodings[0], d)
		if diff := differ(f.checked(t, encodings[1], d), got); diff != "" {
			t.Fatalf("profile %d: -JSON +protobuf\n%s", i, diff)
		}
		for _, id := range got {
			broken[id]++
		}
	}
	t.Log(broken)
}

// TestWrittenConforms: check has no findings in OTLP files of recordings and profiles, and pdata
// reads them.
func TestWrittenConforms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	p := outputs.Build(t)
	dir := t.TempDir()
	for i, args := range [][]string{
		{"record", "-q", "cold-start", "--duration", "300ms"},
		{"record", "-q", "network-client", "--duration", "300ms", "--mode", "truth"},
		{"convert", "-q", testdata.Path(t, "traces", "sampled-art-file.trace")},
		{"convert", "-q", testdata.Path(t, "other", "java.cpu.pprof")},
		{"convert", "-q", testdata.Path(t, "field", "otlp-profiles.json")},
		{"convert", "-q", testdata.Path(t, "field", "profile.otlp")},
	} {
		for _, e := range encodings {
			name := filepath.Join(dir, fmt.Sprintf("%d.%s", i, strings.ReplaceAll(e.format, "-", ".")))
			p.Run(t, append(args, "-o", name)...)
			if got := checked(t, name); len(got) > 0 {
				t.Errorf("%v as %s: %v", args, e.format, got)
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if d, err := e.read(b); err != nil || d.SampleCount() == 0 {
				t.Errorf("%v: %s reads %d samples: %v", args, e, d.SampleCount(), err)
			}
			p.Run(t, "check", name)
		}
	}
}

func TestMain(m *testing.M) {
	status := m.Run()
	outputs.Remove()
	os.Exit(status)
}
