package testdata

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SaveFolder is the environment variable with the folder into which [Save] writes.
const SaveFolder = "SAVE_TEST_FILES"

// Save writes a file that a test made into the folder of the environment variable [SaveFolder], where
// module research gives it to other programs. Without the variable Save does nothing.
func Save(t testing.TB, name string, data []byte) {
	t.Helper()
	folder := os.Getenv(SaveFolder)
	if folder == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, "/", "-")), data, 0o666); err != nil {
		t.Fatal(err)
	}
}
