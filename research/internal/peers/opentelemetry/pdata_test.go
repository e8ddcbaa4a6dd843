package opentelemetry_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/opentelemetry"
)

// count is the number of random profiles.
func count() int {
	if testdata.Exhaustive() {
		return 100_000
	}
	return 1000
}

// file is a file that tests write repeatedly.
type file struct {
	testing.TB
	name string
}

func newFile(t testing.TB) file { return file{t, filepath.Join(t.TempDir(), "x")} }

// read reads content as a file of a format with artifice.
func (f file) read(of string, content []byte) *profile.Profile {
	f.Helper()
	if err := os.WriteFile(f.name, content, 0o600); err != nil {
		f.Fatal(err)
	}
	in, err := format.Open(f.name, format.Config{Format: of})
	if err != nil {
		f.Fatalf("%s: %v\n%q", of, err, content)
	}
	defer in.Close()
	return in.Profile
}

// write writes a profile in a format with artifice, and returns the file.
func (f file) write(of string, p *profile.Profile) []byte {
	f.Helper()
	i := slices.IndexFunc(format.Written(), func(w *format.Format) bool { return w.Name == of })
	var b bytes.Buffer
	if _, err := format.Written()[i].WriteProfile(&b, p); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}

// TestWritten: pdata reads all content of a pprof profile from a file of artifice, and artifice
// reads it from the file that pdata writes next, in either encoding.
func TestWritten(t *testing.T) {
	f := newFile(t)
	r := random{rand.New(rand.NewPCG(1, 2))}
	for i := range count() {
		p := r.pprof()
		want := opentelemetry.OfPprof(p)
		to, back := encodings[i%2], encodings[i/2%2]
		ours := f.write(to.format, p)
		d, err := to.read(ours)
		if err != nil {
			t.Fatalf("profile %d: %s: %v\n%s", i, to, err, ours)
		}
		if diff := differ(want, opentelemetry.OfPdata(d)); diff != "" {
			t.Fatalf("profile %d: -pprof +%s of our file\n%s", i, to, diff)
		}
		checkScope(t, d, p)
		theirs, err := back.write(d)
		if err != nil {
			t.Fatal(err)
		}
		q := f.read(back.format, theirs)
		if diff := differ(want, opentelemetry.OfPprof(q)); diff != "" {
			t.Fatalf("profile %d: -pprof +read from %s\n%s", i, back, diff)
		}
		if q.DefaultSampleType != p.DefaultSampleType || q.DocURL != p.DocURL || !slices.Equal(q.Comments, p.Comments) || len(q.Sample) != len(p.Sample) {
			t.Fatalf("profile %d: %v read from %s, want %v", i, q, back, p)
		}
	}
}

// differ returns the difference of two lists, "" if they are equal.
func differ(want, got []string) string {
	if slices.Equal(want, got) { // fast
		return ""
	}
	return cmp.Diff(want, got)
}

// checkScope compares what the scope and the profiles of our file state of pprof's sample types.
func checkScope(t *testing.T, d pprofile.Profiles, p *profile.Profile) {
	t.Helper()
	s := d.ResourceProfiles().At(0).ScopeProfiles().At(0)
	shown, _ := s.Scope().Attributes().Get("pprof.scope.default_sample_type")
	if p.DefaultSampleType != "" && shown.Str() != p.DefaultSampleType {
		t.Fatalf("the scope's type is %q, want %q", shown.Str(), p.DefaultSampleType)
	}
	if s.Profiles().Len() != len(p.SampleType) {
		t.Fatalf("%d profiles, want %d", s.Profiles().Len(), len(p.SampleType))
	}
	for _, of := range s.Profiles().All() {
		if of.Samples().Len() != len(p.Sample) {
			t.Fatalf("%d samples, want %d", of.Samples().Len(), len(p.Sample))
		}
	}
}

// TestRead: artifice reads all content of messages that pdata writes, and pdata reads it from the
// file that artifice writes next.
func TestRead(t *testing.T) {
	f := newFile(t)
	r := random{rand.New(rand.NewPCG(3, 4))}
	for i := range count() {
		d := r.pdata()
		want := opentelemetry.OfPdata(d)
		from, to := encodings[i%2], encodings[i/2%2]
		theirs, err := from.write(d)
		if err != nil {
			t.Fatal(err)
		}
		p := f.read(from.format, theirs)
		if diff := differ(want, opentelemetry.OfPprof(p)); diff != "" {
			t.Fatalf("profile %d: -pdata +read from %s\n%s\n%s", i, from, diff, theirs)
		}
		again, err := to.read(f.write(to.format, p))
		if err != nil {
			t.Fatalf("profile %d: %s: %v", i, to, err)
		}
		if diff := differ(want, opentelemetry.OfPdata(again)); diff != "" {
			t.Fatalf("profile %d: -pdata +%s of our file\n%s", i, to, diff)
		}
	}
}
