package opentelemetry_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/pprof/profile"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/opentelemetry"
	"artifice/research/internal/peers/outputs"
)

// whole returns a profile of CPU time with each part that a conversion can preserve.
func whole() *profile.Profile {
	m := &profile.Mapping{ID: 1, Start: 0x1000, Limit: 0x2000, File: "/bin/app", BuildID: "abc", HasFunctions: true}
	main := &profile.Function{ID: 1, Name: "app.Main.main", SystemName: "app.Main.main", Filename: "Main.java", StartLine: 3}
	work := &profile.Function{ID: 2, Name: "app.Main.work", SystemName: "app.Main.work", Filename: "Main.java", StartLine: 9}
	outer := &profile.Location{ID: 1, Mapping: m, Address: 0x1100, Line: []profile.Line{{Function: main, Line: 5}}}
	inner := &profile.Location{ID: 2, Mapping: m, Address: 0x1200, Line: []profile.Line{{Function: work, Line: 12}}}
	sample := func(n int64, thread string) *profile.Sample {
		return &profile.Sample{Location: []*profile.Location{inner, outer}, Value: []int64{n, n * 10_000_000},
			Label: map[string][]string{"thread": {thread}, "request": {"a"}}, NumLabel: map[string][]int64{"size": {7}}, NumUnit: map[string][]string{"size": {"bytes"}}}
	}
	return &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10_000_000, TimeNanos: 1_700_000_000_000_000_000, DurationNanos: 1_000_000_000,
		Sample: []*profile.Sample{sample(3, "main"), sample(2, "worker")}, Mapping: []*profile.Mapping{m}, Location: []*profile.Location{outer, inner},
		Function: []*profile.Function{main, work}, Comments: []string{"a comment"}}
}

// lossless are the formats that preserve all parts of a profile.
var lossless = []string{"pprof", "otlp", "otlp-json"}

// TestProfilePartsArePreserved: a conversion of a profile to a format and back keeps all parts, or
// none of those that only profiles have.
func TestProfilePartsArePreserved(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	p := outputs.Build(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.pb.gz")
	write(t, in, whole())
	want := opentelemetry.PartsOf(whole())
	for _, f := range testdata.SomeUnlessNamed(t, format.Written(), 6) {
		there, back := filepath.Join(dir, "there."+f.Name), filepath.Join(dir, "back."+f.Name+".pb.gz")
		p.Run(t, "convert", "-q", in, "-o", there, "--format", f.Name)
		p.Run(t, "convert", "-q", there, "-o", back, "--format", "pprof")
		b, err := os.ReadFile(back)
		if err != nil {
			t.Fatal(err)
		}
		q, err := profile.ParseData(b)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		got := opentelemetry.PartsOf(q)
		keeps := slices.Contains(lossless, f.Name)
		for part := range want {
			if keeps && got[part] != want[part] {
				t.Errorf("%s: %s are %q, want %q", f.Name, part, got[part], want[part])
			}
		}
		for _, part := range opentelemetry.OfProfiles {
			if !keeps && got[part] == want[part] {
				t.Errorf("%s preserves %s, contrary to research/readers/README.md", f.Name, part)
			}
		}
	}
}

func write(t *testing.T, name string, p *profile.Profile) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
}
