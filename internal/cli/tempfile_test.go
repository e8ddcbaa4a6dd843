package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStaleTempFilesAreRemoved checks that the next write of an output removes the temporary files
// of killed programs. Files that another program uses, and files with similar names, remain.
func TestStaleTempFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.txt")
	for _, file := range []string{".out.txt.0123456789", ".out.txt.9999999999", ".out.txt.1", ".out.txt.012345678x", ".other.0123456789"} {
		os.WriteFile(filepath.Join(dir, file), nil, 0o666)
	}
	other, err := Create(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Abort()
	if err := writeFile(name, nil, text("new")); err != nil {
		t.Fatal(err)
	}
	os.Remove(name)
	os.Remove(other.temp.Name()) // it must exist
	if got, want := list(t, dir), ".other.0123456789 .out.txt.012345678x .out.txt.1"; got != want {
		t.Errorf("the folder has %s, want %s", got, want)
	}
}

// TestStaleTempFoldersAreRemoved checks the same as TestStaleTempFilesAreRemoved for folders, new
// and existing ones.
func TestStaleTempFoldersAreRemoved(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	os.MkdirAll(filepath.Join(dir, ".out.0123456789", "plots"), 0o777)
	f, err := CreateFolder(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if got := list(t, dir); got != "" {
		t.Errorf("the parent folder has %s, want nothing", got)
	}
	os.MkdirAll(filepath.Join(name, ".artifice.0123456789", "plots"), 0o777)
	if f, err = CreateFolder(name); err != nil {
		t.Fatal(err)
	}
	if got := list(t, name); got != filepath.Base(f.Path()) {
		t.Errorf("the folder has %s", got)
	}
	f.Abort()
}

// TestReadOnly checks that a read-only file is never replaced, and that no temporary file remains.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.txt")
	os.WriteFile(name, []byte("old"), 0o444)
	err := writeFile(name, nil, text("new"))
	if want := name + ": it cannot be written: the file is read-only; remove the file to replace it"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if got := list(t, dir) + " " + content(t, name); got != "out.txt old" {
		t.Errorf("the folder has %s", got)
	}
}

// TestHardLink checks that only one of several hard links gets the new content, with a warning.
func TestHardLink(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	os.WriteFile(one, []byte("old"), 0o666)
	if err := os.Link(one, two); err != nil {
		t.Skip(err)
	}
	f, err := Create(one, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if want := one + " has 2 names (hard links); the others keep the old content"; f.Warning() != want {
		t.Errorf("warning %q, want %q", f.Warning(), want)
	}
	io.WriteString(f, "new")
	if err := f.Commit(); err != nil || content(t, one) != "new" || content(t, two) != "old" {
		t.Errorf("%v: %q and %q", err, content(t, one), content(t, two))
	}
	again, err := Create(one, nil)
	if err != nil || again.Warning() != "" {
		t.Errorf("error %v, warning %q of a file with one name", err, again.Warning())
	}
	again.Abort()
}

// TestFolderAllOrNone checks that either all files of a folder are replaced or none.
func TestFolderAllOrNone(t *testing.T) {
	for _, obstacle := range []func(string) error{
		func(name string) error { return os.WriteFile(name, []byte("old"), 0o444) },
		func(name string) error { return os.MkdirAll(filepath.Join(name, "full"), 0o777) },
	} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "a.txt"), []byte("old"), 0o666)
		if err := obstacle(filepath.Join(dir, "c.txt")); err != nil {
			t.Fatal(err)
		}
		f, err := CreateFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
			if err := f.WriteFile(name, text("new")); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Commit(); err == nil {
			t.Error("no error")
		}
		if got := list(t, dir) + " " + content(t, filepath.Join(dir, "a.txt")); got != "a.txt c.txt old" {
			t.Errorf("the folder has %s", got)
		}
	}
}

// TestLongName checks that a file with a name of maximum length can be replaced.
func TestLongName(t *testing.T) {
	name := filepath.Join(t.TempDir(), strings.Repeat("x", 250))
	for _, s := range []string{"one", "two"} {
		if err := writeFile(name, nil, text(s)); err != nil || content(t, name) != s {
			t.Errorf("%v", err)
		}
	}
}
