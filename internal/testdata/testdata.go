// Package testdata finds the real traces and stack dumps that tests use. They belong to other
// projects and are not part of this repository: they are expected in ../shared/data, next to the
// checkout.
package testdata

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path returns the path of a file or folder in the data folder. If it is missing, the test is
// skipped. With CI=true, the test fails, because a missing file would hide that nothing was
// tested.
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
