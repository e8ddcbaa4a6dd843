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

// TestPlaces checks that the text of each fault occurs in the source exactly once, and that the
// test that must detect it exists.
func TestPlaces(t *testing.T) {
	tests := map[string][]byte{} // by folder
	for _, f := range slices.Concat(verified, faults, late, desktop, edges) {
		path, _, err := f.find(testdata.Root())
		if err != nil {
			t.Errorf("%s: %v", f.what, err)
			continue
		}
		folder := filepath.Dir(path)
		if f.in != "" {
			folder = filepath.Join(testdata.Root(), f.in)
		}
		if tests[folder] == nil {
			tests[folder] = testsOf(t, folder)
		}
		if test, _, _ := strings.Cut(f.test, "/"); !bytes.Contains(tests[folder], []byte("\nfunc "+test)) {
			t.Errorf("%s: no test %s in %s", f.what, test, folder)
		}
	}
}

// testsOf returns the text of a folder's test files.
func testsOf(t *testing.T, folder string) (all []byte) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return all
}
