// Package testdata finds the real traces and stack dumps that tests run on.
// They are other projects' files and are not part of this repository: they are
// looked for in ../shared/data, next to the checkout.
package testdata

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path returns the path of a file or folder in the data folder. Where it is
// absent the test is skipped; with CI=true, it fails, because there a missing
// file would hide what it was meant to test.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{Root(), "..", "shared", "data"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("real data is missing: %v", err)
		}
		t.Skipf("real data is not here: %v", err)
	}
	return path
}

// Root returns the folder of this checkout.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}
