package made

import (
	"path/filepath"
	"testing"

	"artifice/fixtures"
)

// Corpus returns a folder with the corpus of test files, and its manifest.
func Corpus(t testing.TB) (string, *fixtures.Manifest) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "corpus")
	m, err := fixtures.Write(t.Context(), dir, fixtures.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}
