package artifice_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutsideModule builds the program of docs/library.md in a module outside the repository, with
// the directives given in the document, and compares its output with the document.
func TestOutsideModule(t *testing.T) {
	doc, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```go\npackage main\n")
	program, _, found := strings.Cut(rest, "```\n")
	if !found || strings.Count(program, "\"artifice/") > 5 {
		t.Fatalf("docs/library.md: no program that imports at most five packages of artifice")
	}
	const require, replace = "require artifice v0.0.0\n", "replace artifice => ../artifice\n"
	if !strings.Contains(string(doc), require+replace) {
		t.Fatal("docs/library.md does not state the directives")
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, version, _ := strings.Cut(string(own), "\ngo ")
	version, _, _ = strings.Cut(version, "\n")
	dir := t.TempDir()
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main.go": "package main\n" + program, "go.sum": string(sums),
		"go.mod": "module outside\n\ngo " + version + "\n\n" + require + strings.Replace(replace, "../artifice", here, 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "overlap ") {
		t.Fatalf("go run: %v\n%s", err, out)
	}
	t.Logf("%s", out)
	for name, first := range map[string]string{"app.art": "*version", "app.pprof": "\n\x04\b\x01"} { // a sample type of 4 bytes
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(data), first) {
			t.Errorf("%s: %v, begins with %.8q", name, err, data)
		}
	}
}
