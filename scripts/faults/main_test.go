package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestPlaces: the place of each fault is in the source, and in one place only; and the test
// that is to notice is there.
func TestPlaces(t *testing.T) {
	for _, f := range slices.Concat(verified, faults, late) {
		path, _, err := f.find(testdata.Root())
		if err != nil {
			t.Errorf("%s: %v", f.what, err)
			continue
		}
		folder := filepath.Dir(path)
		if f.in != "" {
			folder = filepath.Join(testdata.Root(), f.in)
		}
		if test, _, _ := strings.Cut(f.test, "/"); !hasTest(t, folder, test) {
			t.Errorf("%s: no test %s in %s", f.what, test, folder)
		}
	}
}

// hasTest reports whether a folder's test files have a test.
func hasTest(t *testing.T, folder, test string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && bytes.Contains(text, []byte("\nfunc "+test))
	})
}
