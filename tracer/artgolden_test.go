package tracer_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"artifice/internal/testdata"
	"artifice/internal/testdata/artgolden"
)

// hashes reads the hashes of ART's files.
func hashes(t *testing.T) artgolden.Hashes {
	f, err := os.Open("testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := artgolden.ReadHashes(f)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestART compares the emulator's files with those of ART's trace.cc.
func TestART(t *testing.T) {
	want := hashes(t)
	var known []string
	for _, name := range artgolden.Workloads {
		if want[artgolden.TruthKey(name)] != "" {
			known = append(known, name)
		}
	}
	if len(known) == 0 {
		t.Fatal("there are no hashes")
	}
	for _, name := range testdata.Some(t, known, 2) {
		truth := truthOf(t, name, want)
		var cells []artgolden.Cell
		for _, v := range artgolden.Versions {
			cells = append(cells, artgolden.Cells(name, v)...)
		}
		for _, c := range testdata.Some(t, cells, 12) {
			if want[c.String()] == "" {
				t.Errorf("%s: no hash of ART's file", c)
				continue
			}
			file, err := artgolden.Emulate(truth, c)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := artgolden.Hash(file, c); err != nil || got != want[c.String()] {
				t.Errorf("%s: the file of %d bytes has hash %s, want ART's %s (%v)", c, len(file), got, want[c.String()], err)
			}
		}
	}
}

// truthOf returns a truth after checking that it equals the one that ART traced.
func truthOf(t *testing.T, name string, want artgolden.Hashes) *artgolden.Truth {
	truth, err := artgolden.NewTruth(name)
	if err != nil {
		t.Fatal(err)
	}
	var script bytes.Buffer
	if err := truth.Script(&script); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(script.Bytes())
	if got := hex.EncodeToString(sum[:12]); got != want[artgolden.TruthKey(name)] {
		t.Fatalf("the truth of %s differs from the one that ART traced: run research/artwriters again", name)
	}
	return truth
}
