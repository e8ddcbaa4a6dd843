package inputs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFind checks that a file is found by any link to it, and that a new command has no inputs.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"read", "argument", "other"} {
		if err := os.WriteFile(at(name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(at("read"), at("hard")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("read", at("soft")); err != nil {
		t.Skip(err)
	}
	found := func(name string) string {
		info, err := os.Stat(at(name))
		if err != nil {
			t.Fatal(err)
		}
		as, ok := Find(info)
		if !ok {
			return ""
		}
		return filepath.Base(as)
	}
	Track(at("argument"), "no such file", dir)
	defer Track()
	if _, err := ReadFile(at("read")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"read": "read", "hard": "read", "soft": "read", "argument": "argument", "other": ""} {
		if got := found(name); got != want {
			t.Errorf("%s: found as %q, want %q", name, got, want)
		}
	}
	Track()
	for _, name := range []string{"read", "argument"} {
		if got := found(name); got != "" {
			t.Errorf("%s is still found as %q", name, got)
		}
	}
}
