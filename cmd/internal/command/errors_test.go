package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"artifice/internal/cli"
	"artifice/internal/yamlfile"
	"artifice/trace"
)

// TestErrorOf: an error of processing a file has the file's name once, and errors of the command line,
// of memory and of an interruption have none.
func TestErrorOf(t *testing.T) {
	if ErrorOf("f", nil) != nil {
		t.Error("no error has a name")
	}
	full := &cli.WriteError{Name: "out", Err: syscall.ENOSPC}
	for _, err := range []error{
		ErrFound, Usagef("--x"), CutError{"half"}, MemoryError("more"), context.Canceled, &fs.PathError{Op: "open", Path: "g", Err: fs.ErrNotExist}, full,
		&yamlfile.Error{Name: "g", Msg: "not YAML"}, &trace.FormatError{Name: "g", Msg: "cut"}, errors.New("the file f is cut"),
	} {
		if got := ErrorOf("f", err); got != err {
			t.Errorf("%v becomes %v", err, got)
		}
	}
	for _, err := range []error{errors.New("cut"), &cli.WriteError{Name: "out", Err: errors.New("odd")}, syscall.EIO} {
		if got := ErrorOf("f", err); !errors.Is(got, err) || got.Error() != "f: "+err.Error() {
			t.Errorf("%v becomes %v, want f: %v", err, got, err)
		}
	}
}

// TestInWords: a message begins with the name of the file, and errors of the system end with advice.
func TestInWords(t *testing.T) {
	temporary := filepath.Join(os.TempDir(), ".artifice-1")
	open := func(name string, err error) error { return &fs.PathError{Op: "open", Path: name, Err: err} }
	write := func(err error) error {
		return fmt.Errorf("while writing: %w", &cli.WriteError{Name: "out", Err: err})
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("cut"), "cut"},
		{open("f", fs.ErrNotExist), "f: file does not exist"},
		{fmt.Errorf("x: %w", open("f", syscall.EISDIR)), "x: f: is a directory: use a file in it"},
		{open("f/g", syscall.ENOTDIR), "f/g: not a directory: a folder in its path is a file"},
		{open("f", syscall.ENOSPC), "f: no space left on device: free disk space, or set TMPDIR to another folder for temporary files"},
		{open(temporary, syscall.ENOENT), temporary + ": no such file or directory: temporary files cannot be created there; set TMPDIR to another folder"},
		{open(filepath.Join(os.TempDir(), "other"), syscall.EACCES), filepath.Join(os.TempDir(), "other") + ": permission denied"},
		{open(".artifice-1", syscall.EACCES), ".artifice-1: permission denied"},
		{write(syscall.ENOSPC), "out: it cannot be written: no space left on device: free disk space, or write the output elsewhere"},
		{write(syscall.ENOENT), "out: it cannot be written: no such file or directory: create its folder first"},
		{write(errors.New("odd")), "while writing: out: it cannot be written: odd"},
		{fmt.Errorf("reading: %w", &trace.FormatError{Name: "f", Offset: 5, Msg: "cut"}), "f: offset 5: cut"},
		{Salvaged("out", 1, &trace.FormatError{Name: "f", Offset: 5, Msg: "cut"}), "out has the 1 event before the damage: f: offset 5: cut"},
		{Cut("half"), "interrupted: half"},
	} {
		if got := InWords(c.err); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestPartText describes the threads and the end of a part.
func TestPartText(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{ThreadsText(nil), "all threads"}, {ThreadsText([]string{"main"}), "thread main"}, {ThreadsText([]string{"main", "b"}), "threads main, b"},
		{EndOf(0), "the end"}, {EndOf(5 * time.Millisecond), "5ms"},
		{(&FlagGroup{Title: "T"}).heading(), "T"}, {(&FlagGroup{Title: "T", Users: []string{"a"}}).heading(), "T (mode a)"},
		{(&FlagGroup{Title: "T", Users: []string{"a", "b", "c", "d", "e"}}).heading(), "T (modes a, b, c, d, e)"},
		{(&FlagGroup{Title: "T", Users: []string{"a", "b", "c", "d", "e", "f"}}).heading(), "T"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
