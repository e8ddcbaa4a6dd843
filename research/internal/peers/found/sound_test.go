package found

import (
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/fixtures"
	"artifice/research/internal/peers/catapult"
	"artifice/research/internal/peers/flamegraph"
)

// filesOf returns the files of a format, with their kinds of damage.
func filesOf(t *testing.T, format string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "corpus")
	m, err := fixtures.Write(t.Context(), dir, fixtures.Config{Seed: 1, Variant: format})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range m.Formats {
		files[filepath.Join(dir, filepath.FromSlash(e.File))] = e.Damage
	}
	return files
}

// The readers below are those without a bug, according to docs/found.md.

// TestPprof: go tool pprof reads the valid file, and that with a name that is not UTF-8, and refuses
// the other broken files.
func TestPprof(t *testing.T) {
	for name, damage := range filesOf(t, "pprof") {
		out, err := exec.Command("go", "tool", "pprof", "-raw", name).CombinedOutput()
		read := strings.Contains(string(out), " 12000: 1 ") && strings.Contains(string(out), " 8000: 2 1 ")
		if want := damage == "" || damage == "utf8"; read != want || (err == nil) != want {
			t.Errorf("%s: read: %t, %v\n%s", filepath.Base(name), read, err, out)
		}
	}
}

// TestFlamegraph: flamegraph.pl draws the valid file and that with a name that is not UTF-8, and
// warns about lines without a valid count. It draws a count above 64 bits, rounded.
func TestFlamegraph(t *testing.T) {
	flamegraph.Require(t)
	for name, damage := range filesOf(t, "folded") {
		boxes, err := flamegraph.Draw(name)
		switch damage {
		case "", "utf8":
			if err != nil || len(boxes) != 2 || boxes[0].Samples+boxes[1].Samples != 28 {
				t.Errorf("%s: %+v, %v", filepath.Base(name), boxes, err)
			}
		case "missing", "negative", "number":
			if err == nil || !strings.Contains(err.Error(), "Ignored 1 lines with invalid format") {
				t.Errorf("%s: no warning: %+v, %v", filepath.Base(name), boxes, err)
			}
		}
	}
}

// TestCatapult: Catapult finds the calls of the valid file and of that with a name that is not
// UTF-8. It refuses the other broken files or warns.
func TestCatapult(t *testing.T) {
	c := catapult.Install(t)
	for name, damage := range filesOf(t, "chrome") {
		trace, err := c.Import(name)
		if damage != "" && damage != "utf8" {
			if err == nil && len(trace.Warnings) == 0 {
				t.Errorf("%s: no warning: %+v", filepath.Base(name), trace)
			}
			continue
		}
		var totals []int64
		for _, thread := range trace.Threads {
			for _, call := range thread.Calls {
				totals = append(totals, int64(math.Round(call.Total*1e6)))
			}
		}
		if err != nil || !slices.Equal(totals, []int64{20_000, 8000}) {
			t.Errorf("%s: total times %v ns, %v", filepath.Base(name), totals, err)
		}
	}
}
