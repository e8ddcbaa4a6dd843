package testdata

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SaveFolder is the environment variable that names the folder of [Save].
const SaveFolder = "SAVE_TEST_FILES"

// Save writes a file created by a test into the folder of the environment variable [SaveFolder],
// where module research passes it to other programs. Without the variable Save does nothing.
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
