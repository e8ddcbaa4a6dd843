package firefoxprofiler_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"artifice/format/check"
	"artifice/research/internal/peers/firefoxprofiler"
)

// TestVerdictsOnNames: the importer and check agree on incomplete lines of methods.
func TestVerdictsOnNames(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a program of the npm registry")
	}
	client := firefoxprofiler.Install(t)
	for methods, refused := range map[string]bool{
		"0x4\ta.A\tm\t()V\n0x8\tb.B\tn\t()V\n": false,
		"0x4\ta.A\tm\t\n0x8\tb.B\tn\t\n":       false,
		"0x4\t\tm\t()V\n0x8\tb.B\tn\t()V\n":    true, // equally frequent: the first counts
		"0x4\ta.A\tm\t()V\n0x8\t\tn\t()V\n":    false,
		"0x4\tjava.A\tm\t()V\n0x8\t\tn\t()V\n": true,
		"0x4\tcom.\tm\t()V\n0x8\torg.\tn\t()V": true,
		"0x4\tcom.a.A\tm\n0x8\torg.a.B\tn":     false,
		"0x4\ta.A\n0x8\ta.B\tn\t()V\n":         false,
		"0x4\n0x8\ta.B\tn\t()V\n":              true,
		"0x4\t\t\t\n0x8\t\t\t\n":               true,
	} {
		file := filepath.Join(t.TempDir(), "made.trace")
		if err := os.WriteFile(file, traceOf(methods), 0o666); err != nil {
			t.Fatal(err)
		}
		checked, err := check.File(file, check.Config{Name: "made.trace"})
		if err != nil {
			t.Fatal(err)
		}
		if v := checked.Verdict(check.Firefox); (v.Outcome == check.Refuses) != refused {
			t.Errorf("%q: check reports %s %q", methods, v.Outcome, v.Reasons)
		}
		if _, err := client.Load(file); (err != nil) != refused {
			t.Errorf("%q: Firefox: %v", methods, err)
		}
	}
}

// traceOf returns a classic file with two nested calls, of the methods 4 and 8.
func traceOf(methods string) []byte {
	if methods[len(methods)-1] != '\n' {
		methods += "\n"
	}
	file := []byte("*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n" + methods + "*end\nSLOW\x02\x00\x20\x00\x01")
	file = append(file, make([]byte, 32-9)...)
	for i, word := range []uint32{4, 8, 9, 5} {
		file = binary.LittleEndian.AppendUint16(file, 1)
		file = binary.LittleEndian.AppendUint32(file, word)
		file = binary.LittleEndian.AppendUint32(file, uint32(1000*(i+1)))
	}
	return file
}
