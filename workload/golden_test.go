package workload

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/text"
	"artifice/trace"
)

var update = flag.Bool("update", false, "write the golden files anew; look at the difference")

// TestGoldens checks the first events of some built-in programs with seed 1, as text lines. They
// change only if a program, the generator or its random numbers change; then all users' seeded
// truths change, too.
func TestGoldens(t *testing.T) {
	for name, length := range map[string]time.Duration{
		"tid-reuse":      50 * time.Millisecond,
		"mid-program":    30 * time.Millisecond,
		"proxy-calls":    5 * time.Millisecond,
		"w6-random-tree": 3 * time.Millisecond,
		"cold-start":     4 * time.Millisecond,
	} {
		rec := truthOf(t, Must(ByName(name)), Config{Seed: 1, Duration: length})
		var b strings.Builder
		w := text.NewWriter(&b, rec)
		if _, err := trace.Copy(w, rec.Events); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
