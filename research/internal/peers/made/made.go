// Package made returns the files that tests of the product generate, and the corpus of package
// fixtures, so that other programs read the same files as our readers. Package outputs covers
// convert's files of whole traces.
package made

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// Files runs the tests of a package that match a pattern, and returns the files that they save, by
// name.
func Files(t testing.TB, pkg, pattern string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "test", "-count=1", "-run", pattern, pkg)
	cmd.Dir, cmd.Env = testdata.Root(), append(os.Environ(), testdata.SaveFolder+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		files[e.Name()] = filepath.Join(dir, e.Name())
	}
	if len(files) == 0 {
		t.Fatalf("the tests %s of %s save no file", pattern, pkg)
	}
	return files
}
