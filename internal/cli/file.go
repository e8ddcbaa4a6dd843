package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"artifice/internal/inputs"
	"artifice/internal/pack"
)

// File is an output file that appears under its name only when it is complete:
// it is written as a temporary file beside it, which Commit renames. A device, a
// named pipe and standard output are written as they are.
type File struct {
	name   string
	target string       // what name stands for, when it is a symbolic link; else name
	temp   *os.File     // nil when nothing is to be renamed
	async  *asyncWriter // to temp
	lock   *os.File     // on temp; nil where files cannot be locked
	links  uint64       // names of the file that is replaced
	force  bool         // replaces a file that the command has read
	w      io.Writer
	gz     *pack.Writer
	closer io.Closer // of a device or pipe
}

// Create starts the file called name; "-" is stdout. A name that ends in .gz is
// compressed. An existing file is replaced unless it is read-only or an input of the
// command ([InputError]). A symbolic link stays one: its target is written. What a killed
// program left of the same output is removed.
func Create(name string, stdout io.Writer) (*File, error) { return create(name, stdout, false) }

// Replace is Create for an output that may replace an input of the command.
func Replace(name string, stdout io.Writer) (*File, error) { return create(name, stdout, true) }

func create(name string, stdout io.Writer, force bool) (*File, error) {
	f := &File{name: name, target: name, w: stdout, force: force}
	if name != "-" {
		if err := f.open(); err != nil {
			return nil, f.failed(err)
		}
	}
	if strings.HasSuffix(name, ".gz") {
		f.gz = pack.NewGzip(f.w)
		f.w = f.gz
	}
	return f, nil
}

// open opens what is written to until Commit.
func (f *File) open() error {
	if info, err := os.Stat(f.name); err == nil && !info.Mode().IsRegular() {
		special, err := os.OpenFile(f.name, os.O_WRONLY, 0)
		f.w, f.closer = special, special
		return err
	}
	if target, err := filepath.EvalSymlinks(f.name); err == nil {
		f.target = target
	} else if to, err := os.Readlink(f.name); err == nil {
		return fmt.Errorf("it is a symbolic link to %s, which does not exist", to)
	}
	if info, err := os.Stat(f.target); err == nil {
		if err := f.replaceable(info); err != nil {
			return err
		}
		f.links = links(info)
	}
	removeAbandoned(f.target)
	temp, lock, err := createTemp(f.target)
	if err != nil {
		return err
	}
	f.temp, f.lock, f.async = temp, lock, &asyncWriter{file: temp}
	f.w = f.async
	return nil
}

// errReadOnly is why a file is not replaced whose owner protected it.
var errReadOnly = errors.New("it is read-only; remove it first if it is to be replaced")

// replaceable returns why the existing target is not to be replaced, nil if it can be.
func (f *File) replaceable(info os.FileInfo) error {
	if f.force {
		return writable(f.target, info)
	}
	return replaceable(f.name, f.target, info)
}

// replaceable returns why an existing file, the target of an output of that name, is not to be
// replaced: it is an input of the command, or not writable.
func replaceable(output, target string, info os.FileInfo) error {
	if as, ok := inputs.Find(info); ok {
		return &InputError{output, as}
	}
	return writable(target, info)
}

// InputError refuses an output that would replace an input of the command. It is about the command
// line: no output of that name makes sense.
type InputError struct {
	Output string // as it was named
	Input  string // the name by which the file was read
}

func (e *InputError) Error() string {
	if e.Input == e.Output {
		return "this command reads it: name another output"
	}
	return fmt.Sprintf("this command reads it, as %s: name another output", Quote(e.Input))
}

// writable returns why an existing file is not to be replaced, nil if it can be.
func writable(name string, info os.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 { // to an administrator it is writable all the same
		return errReadOnly
	}
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrPermission) {
		return errReadOnly
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// Warning returns what the user should know about the file; "" for nothing.
func (f *File) Warning() string {
	if f == nil || f.links < 2 {
		return ""
	}
	return fmt.Sprintf("%s has %d names (hard links); the others keep what it was before", Quote(f.name), f.links)
}

// CheckOutput returns why [Create] of an output file called name will fail, before
// long work is done for it: its folder is missing or may not be written, or it is an input.
func CheckOutput(name string) error { return checkOutput(name, false) }

// CheckReplace is CheckOutput for [Replace].
func CheckReplace(name string) error { return checkOutput(name, true) }

func checkOutput(name string, force bool) error {
	if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	f, err := create(name, nil, force)
	f.Abort()
	return err
}

// createTemp creates and locks a file beside name, with the permissions that a new
// file called name would have, or the present one has.
func createTemp(name string) (temp, locked *os.File, err error) {
	for range 100 { // names, until one is free
		temp, err = os.OpenFile(tempName(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		// Another program may take it for abandoned before it is locked.
		if locked = lock(temp.Name()); locked != nil || !canLock {
			break
		}
		temp.Close()
	}
	if err != nil {
		return nil, nil, err
	}
	began(temp.Name())
	if info, statErr := os.Stat(name); statErr == nil {
		temp.Chmod(info.Mode().Perm()) // a wish: the file can be another user's
	}
	return temp, locked, nil
}

// tempDigits is how many digits end the name of a temporary file.
const tempDigits = 10

// tempName returns a hidden name beside name, no longer than file systems take.
func tempName(name string) string {
	return filepath.Join(filepath.Dir(name), fmt.Sprintf("%s%0*d", tempPrefix(name), tempDigits, rand.Uint32()))
}

// tempPrefix is how the names of temporary files of an output begin.
func tempPrefix(name string) string {
	base := filepath.Base(name)
	return "." + base[:min(len(base), 200)] + "."
}

// Name returns the name that Create was given.
func (f *File) Name() string { return f.name }

// Write implements io.Writer. An error can be that of an earlier Write.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	return n, f.named(err)
}

// Rewritable reports whether the bytes written so far can be read, written again and
// cut off: those of a device, of a pipe and of a compressed file cannot.
func (f *File) Rewritable() bool { return f.temp != nil && f.gz == nil }

// ReadAt implements [io.ReaderAt] where the file is rewritable.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	if err := f.async.wait(); err != nil {
		return 0, f.named(err)
	}
	n, err := f.temp.ReadAt(p, off)
	return n, f.named(err)
}

// WriteAt implements [io.WriterAt] where the file is rewritable. An error can be that of
// an earlier call.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.async.WriteAt(p, off)
	return n, f.named(err)
}

// Truncate cuts the file where it is rewritable.
func (f *File) Truncate(size int64) error {
	err := f.async.wait()
	if err == nil {
		err = f.temp.Truncate(size)
	}
	return f.named(err)
}

// named gives an error of the temporary file the name that the user gave.
func (f *File) named(err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return f.failed(err)
	}
	return err
}

// Commit completes the file and gives it its name. On an error nothing is left.
func (f *File) Commit() (err error) {
	if f.gz != nil {
		err = f.gz.Close()
	}
	if f.closer != nil {
		err = errors.Join(err, f.closer.Close())
	}
	if f.temp == nil {
		return err
	}
	err = errors.Join(err, f.async.close())
	// A name in a folder that survives a crash must not stand for content that
	// did not: the content goes to the disk first, then the folder.
	if err == nil {
		err = f.temp.Sync()
	}
	err = errors.Join(err, f.temp.Close())
	if info, statErr := os.Stat(f.target); err == nil && statErr == nil { // it can have been read since
		err = f.replaceable(info)
	}
	if err == nil {
		err = ended(f.temp.Name(), func() error { return os.Rename(f.temp.Name(), f.target) })
	}
	if err != nil {
		return f.Fail(err)
	}
	f.unlock()
	f.temp = nil
	syncFolder(filepath.Dir(f.target))
	return nil
}

// Abort drops a file that was not committed; after Commit it does nothing, so
// it can be deferred.
func (f *File) Abort() {
	if f != nil && f.temp != nil {
		f.async.close()
		f.temp.Close()
		ended(f.temp.Name(), func() error { return os.Remove(f.temp.Name()) })
		f.unlock()
		f.temp = nil
	}
}

func (f *File) unlock() {
	if f.lock != nil {
		f.lock.Close()
	}
}

// Complete has write fill the file, which appears once that is done. On an error nothing is left.
func (f *File) Complete(write func(*File) error) error {
	defer f.Abort()
	if err := write(f); err != nil {
		return f.Fail(err)
	}
	return f.Commit()
}

// Fail drops the file and returns err with its name.
func (f *File) Fail(err error) error {
	f.Abort()
	return f.failed(err)
}

func (f *File) failed(err error) error { return cannotWrite(f.name, err) }

// cannotWrite returns err as a WriteError of name, unless it is one. The names
// of temporary files are left out.
func cannotWrite(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, new(*WriteError)):
		return err
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &WriteError{name, err}
}

// WriteError is why an output cannot be written.
type WriteError struct {
	Name string
	Err  error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("%s: it cannot be written: %v", e.Name, e.Err)
}
func (e *WriteError) Unwrap() error { return e.Err }

// syncFolder writes a folder's names to the disk. Some file systems cannot; the
// names are right all the same unless the machine stops.
func syncFolder(name string) {
	if dir, err := os.Open(name); err == nil {
		dir.Sync()
		dir.Close()
	}
}
