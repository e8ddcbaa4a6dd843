package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeFile creates the file name; write writes its content.
func writeFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	f, err := Create(name, stdout)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}

// list returns the names in a folder, including hidden names.
func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// TestFile checks that a file gets its name only when it is complete. Until then, and after a
// failure, the old file remains.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.txt")
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	f, err := Create(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "half")
	if got := content(t, name); got != "old" {
		t.Errorf("before Commit: %q", got)
	}
	f.Abort()
	if got := list(t, dir) + " " + content(t, name); got != "out.txt old" {
		t.Errorf("after Abort: %s", got)
	}
	if err := writeFile(name, nil, text("new")); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(name)
	if got := list(t, dir) + " " + content(t, name); got != "out.txt new" || info.Mode().Perm() != 0o640 {
		t.Errorf("after Commit: %s, %s", got, info.Mode())
	}
	failure := errors.New("failure")
	if err := writeFile(name, nil, func(io.Writer) error { return failure }); err != failure {
		t.Errorf("error %v", err)
	}
	if got := list(t, dir) + " " + content(t, name); got != "out.txt new" {
		t.Errorf("after a failure: %s", got)
	}
}

func TestFileCompressed(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.gz")
	if err := writeFile(name, nil, text("text")); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(strings.NewReader(content(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); string(got) != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFileOnStdout(t *testing.T) {
	var out bytes.Buffer
	if err := writeFile("-", &out, text("text")); err != nil || out.String() != "text" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestFileErrors checks that errors contain the user's file name, not that of the temporary file.
func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	os.Symlink("nothing", filepath.Join(dir, "dangling"))
	for name, want := range map[string]string{
		"none/out.txt": "no such file or directory",
		"dangling":     "the output is a symbolic link to nothing, which does not exist",
	} {
		name = filepath.Join(dir, name)
		want = name + ": it cannot be written: " + want
		if _, err := Create(name, nil); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := writeFile("/dev/full", nil, text("text")); err == nil || err.Error() != "/dev/full: it cannot be written: no space left on device" {
		t.Errorf("/dev/full: %v", err)
	}
	long := filepath.Join(dir, strings.Repeat("x", 250))
	if err := writeFile(long, nil, text("")); err != nil {
		t.Error(err)
	}
}

// TestFileThroughLink checks that a symbolic link is kept and that its target is written.
func TestFileThroughLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	os.WriteFile(target, nil, 0o666)
	os.Symlink("target", link)
	if err := writeFile(link, nil, text("text")); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); to != "target" || err != nil || content(t, target) != "text" {
		t.Errorf("link to %q, %v; the target has %q", to, err, content(t, target))
	}
}

// TestFolder checks that the files of a folder appear together, next to existing files.
func TestFolder(t *testing.T) {
	for _, exists := range []bool{false, true} {
		dir := t.TempDir()
		name := filepath.Join(dir, "a", "out")
		want := "one.txt two"
		if exists {
			os.MkdirAll(name, 0o777)
			os.WriteFile(filepath.Join(name, "mine.txt"), nil, 0o666)
			os.WriteFile(filepath.Join(name, "one.txt"), []byte("old"), 0o666)
			want = "mine.txt one.txt two"
		}
		for _, commit := range []bool{false, true} {
			f, err := CreateFolder(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(f.WriteFile("one.txt", text("1")), f.WriteFile("two/2.txt", text("2"))); err != nil {
				t.Fatal(err)
			}
			if commit {
				if err := f.Commit(); err != nil {
					t.Fatal(err)
				}
			}
			f.Abort()
			if got := list(t, filepath.Dir(name)); got != "out" && (commit || exists || got != "") {
				t.Errorf("exists %t, committed %t: the parent folder has %s", exists, commit, got)
			}
			if !commit && exists && content(t, filepath.Join(name, "one.txt")) != "old" {
				t.Error("an aborted folder replaced a file")
			}
		}
		if got := list(t, name); got != want || content(t, filepath.Join(name, "one.txt")) != "1" {
			t.Errorf("exists %t: the folder has %s, want %s", exists, got, want)
		}
	}
}

func TestFolderOverFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	os.WriteFile(name, nil, 0o666)
	if _, err := CreateFolder(name); err == nil || err.Error() != name+": it cannot be written: the output is a file, not a folder" {
		t.Errorf("error %v", err)
	}
}

// TestCheckOutput checks that CheckOutput and CheckFolder predict whether an output can be written,
// and leave no files.
func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	os.WriteFile(file, []byte("old"), 0o666)
	for name, want := range map[string]string{
		"new": "", "file": "", "none/new": "no such file or directory", "file/new": "not a directory",
	} {
		name = filepath.Join(dir, name)
		if err := CheckOutput(name); (err == nil) != (want == "") || err != nil && err.Error() != name+": it cannot be written: "+want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	for name, want := range map[string]string{
		"": "", "new/newer": "", "file": "the output is a file, not a folder", "file/new": file + " is a file, not a folder",
	} {
		name = filepath.Join(dir, name)
		if err := CheckFolder(name); (err == nil) != (want == "") || err != nil && err.Error() != name+": it cannot be written: "+want {
			t.Errorf("folder %s: %v, want %q", name, err, want)
		}
	}
	if got := list(t, dir) + " " + content(t, file); got != "file old" {
		t.Errorf("the folder has %s", got)
	}
}

// TestRewritable checks that a file is rewritable until it is committed, and that a compressed file
// or a pipe is not. Errors contain the user's file name, not that of the temporary file.
func TestRewritable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	f, err := Create(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if !f.Rewritable() {
		t.Error("a plain file is not rewritable")
	}
	if _, err := f.WriteAt([]byte("bytes"), 2); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("by"), 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(6); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 6)
	if _, err := f.ReadAt(got, 0); err != nil || string(got) != "bybyte" {
		t.Errorf("%q, error %v", got, err)
	}
	var wrong *WriteError
	if err := f.Truncate(-1); !errors.As(err, &wrong) || wrong.Name != name {
		t.Errorf("error %v, want one of %s", err, name)
	}
	packed, err := Create(name+".gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Abort()
	pipe, err := Create("-", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if packed.Rewritable() || pipe.Rewritable() {
		t.Error("a compressed file or a pipe is rewritable")
	}
}

// TestFolderFileFails checks that the error of a file that cannot be written has the file's final
// path, not that in the temporary folder.
func TestFolderFileFails(t *testing.T) {
	name := filepath.Join(t.TempDir(), "plots")
	f, err := CreateFolder(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	full := errors.New("no space left on device")
	err = f.WriteFile("a.svg", func(w io.Writer) error {
		return &fs.PathError{Op: "write", Path: w.(*os.File).Name(), Err: full}
	})
	if want := filepath.Join(name, "a.svg") + ": it cannot be written: no space left on device"; err == nil || err.Error() != want || !errors.Is(err, full) {
		t.Errorf("%v, want %s", err, want)
	}
}
