package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestManual runs the sessions of research/README.md that run this program.
func TestManual(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testdata.Root(), "research", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var sessions []testdata.Session
	for _, s := range testdata.MarkdownSessions(string(page)) {
		if s.OfResearch() && strings.Contains(s.Commands[0], "go run ./trust ") {
			sessions = append(sessions, s)
		}
	}
	if len(sessions) < 8 {
		t.Fatalf("research/README.md has only %d sessions of this program", len(sessions))
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "trust")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, s := range testdata.SomeUnlessNamed(t, sessions, 2) {
		t.Run(s.Commands[0], func(t *testing.T) {
			if got := s.Run(t, dir, "go run ./trust", program); !s.Prints(got) {
				t.Errorf("research/README.md:%d: the manual says:\n%s\n\nthe commands print:\n%s", s.Line, strings.Join(s.Output, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}
