package check_test

import (
	"os"
	"path/filepath"
	"testing"

	"artifice/format/check"
)

// TestPair: the .key and .data file of an old trace are read as one file, by any of the three
// names. Offsets in the second file follow those of the first.
func TestPair(t *testing.T) {
	f := goodFile()
	f.records[3].wall = 1015 // a decreasing time at offset 282 of both files
	whole := f.bytes()
	base := filepath.Join(t.TempDir(), "old")
	for ending, half := range map[string][]byte{".key": whole[:len(f.key())], ".data": whole[len(f.key()):]} {
		if err := os.WriteFile(base+ending, half, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{base, base + ".key", base + ".data"} {
		r, err := check.File(name, check.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if ids(r) != "E031" || r.Findings[0].Offset != 282 || r.Events != 4 {
			t.Errorf("%s: %d events, %v", filepath.Base(name), r.Events, r.Findings)
		}
	}
}
