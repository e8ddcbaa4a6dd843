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

	"artifice/internal/encode"
	"artifice/internal/inputs"
)

// File is an output file that appears under its name only when it is complete: it is written as a
// temporary file in the same folder, which Commit renames. A device, a named pipe and standard
// output are written directly.
type File struct {
	name   string
	target string       // target of a symbolic link; otherwise name
	temp   *os.File     // nil if there is nothing to rename
	async  *asyncWriter // to temp
	lock   *os.File     // on temp; nil if files cannot be locked
	links  uint64       // number of names (hard links) of the replaced file
	force  bool         // may replace an input of the command
	w      io.Writer
	gz     *encode.Compressor
	closer io.Closer // of a device or pipe
}

// Create starts the file called name; "-" is stdout. A file with a name that ends in .gz is
// compressed. An existing file is replaced unless it is read-only or an input of the command
// ([InputError]). A symbolic link is kept and its target is written. Temporary files of the same
// output from killed programs are removed.
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
		f.gz = encode.NewGzip(f.w)
		f.w = f.gz
	}
	return f, nil
}

// open opens the file or device that is written until Commit.
func (f *File) open() error {
	if info, err := os.Stat(f.name); err == nil && !info.Mode().IsRegular() {
		special, err := os.OpenFile(f.name, os.O_WRONLY, 0)
		f.w, f.closer = special, special
		return err
	}
	if target, err := filepath.EvalSymlinks(f.name); err == nil {
		f.target = target
	} else if to, err := os.Readlink(f.name); err == nil {
		return fmt.Errorf("the output is a symbolic link to %s, which does not exist", to)
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

// errReadOnly is the error for an existing file that its owner protected.
var errReadOnly = errors.New("the file is read-only; remove the file to replace it")

// replaceable returns an error if the existing target must not be replaced.
func (f *File) replaceable(info os.FileInfo) error {
	if f.force {
		return writable(f.target, info)
	}
	return replaceable(f.name, f.target, info)
}

// replaceable returns an error if an existing file, the target of the given output, must not be
// replaced: it is an input of the command, or not writable.
func replaceable(output, target string, info os.FileInfo) error {
	if as, ok := inputs.Find(info); ok {
		return &InputError{output, as}
	}
	return writable(target, info)
}

// InputError reports an output that would replace an input of the command. It is an error of the
// command line: no output of that name is possible.
type InputError struct {
	Output string // as given by the user
	Input  string // the name under which the file was read
}

func (e *InputError) Error() string {
	if e.Input == e.Output {
		return "this command reads it: use another output"
	}
	return fmt.Sprintf("this command reads the same file, as %s: use another output", Quote(e.Input))
}

// writable returns an error if an existing file is not writable.
func writable(name string, info os.FileInfo) error {
	if info.Mode().Perm()&0o222 == 0 { // an administrator could write it anyway
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

// Warning returns a warning for the user about the file, or "".
func (f *File) Warning() string {
	if f == nil || f.links < 2 {
		return ""
	}
	return fmt.Sprintf("%s has %d names (hard links); the others keep the old content", Quote(f.name), f.links)
}

// CheckOutput returns the error with which [Create] of an output file called name will fail, to be
// called before long work: its folder is missing or not writable, or it is an input.
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

// createTemp creates and locks a temporary file in the folder of name. Its permissions are those
// of the existing file called name, or of a new file.
func createTemp(name string) (temp, locked *os.File, err error) {
	for range 100 { // until a name is free
		temp, err = os.OpenFile(tempName(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		// Before it is locked, another program may consider it abandoned.
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
		temp.Chmod(info.Mode().Perm()) // best effort: the file can belong to another user
	}
	return temp, locked, nil
}

// tempDigits is the number of digits at the end of a temporary file's name.
const tempDigits = 10

// tempName returns a hidden name in the folder of name, within the length limit of file systems.
func tempName(name string) string {
	return filepath.Join(filepath.Dir(name), fmt.Sprintf("%s%0*d", tempPrefix(name), tempDigits, rand.Uint32()))
}

// tempPrefix returns the prefix of the temporary files of an output.
func tempPrefix(name string) string {
	base := filepath.Base(name)
	return "." + base[:min(len(base), 200)] + "."
}

// Name returns the name passed to Create.
func (f *File) Name() string { return f.name }

// Write implements io.Writer. An error can be that of an earlier Write.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	return n, f.named(err)
}

// Rewritable reports whether the bytes written so far can be read, overwritten and truncated.
// Those of a device, a pipe or a compressed file cannot.
func (f *File) Rewritable() bool { return f.temp != nil && f.gz == nil }

// ReadAt implements [io.ReaderAt] if the file is rewritable.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	if err := f.async.wait(); err != nil {
		return 0, f.named(err)
	}
	n, err := f.temp.ReadAt(p, off)
	return n, f.named(err)
}

// WriteAt implements [io.WriterAt] if the file is rewritable. It may return the error of an
// earlier call.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.async.WriteAt(p, off)
	return n, f.named(err)
}

// Truncate truncates the file if it is rewritable.
func (f *File) Truncate(size int64) error {
	err := f.async.wait()
	if err == nil {
		err = f.temp.Truncate(size)
	}
	return f.named(err)
}

// named replaces the name of the temporary file in an error by the user's file name.
func (f *File) named(err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return f.failed(err)
	}
	return err
}

// Commit completes the file and renames it to its final name. After an error no file remains.
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
	// After a crash, the final name must not exist with incomplete content: the content goes to
	// the disk first, then the folder.
	if err == nil {
		err = f.temp.Sync()
	}
	err = errors.Join(err, f.temp.Close())
	if info, statErr := os.Stat(f.target); err == nil && statErr == nil { // the command may have read it in the meantime
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

// Abort removes a file that was not committed. After Commit it does nothing, so it can be
// deferred.
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

// Complete calls write to fill the file and commits it. After an error no file remains.
func (f *File) Complete(write func(*File) error) error {
	defer f.Abort()
	if err := write(f); err != nil {
		return f.Fail(err)
	}
	return f.Commit()
}

// Fail removes the file and returns err with its name.
func (f *File) Fail(err error) error {
	f.Abort()
	return f.failed(err)
}

func (f *File) failed(err error) error { return cannotWrite(f.name, err) }

// cannotWrite returns err as a WriteError of name, without the names of temporary files. It
// returns a WriteError unchanged.
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

// WriteError is the error of an output that cannot be written.
type WriteError struct {
	Name string
	Err  error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("%s: it cannot be written: %v", e.Name, e.Err)
}
func (e *WriteError) Unwrap() error { return e.Err }

// syncFolder writes a folder's entries to the disk, best effort: some file systems do not support
// it, and the entries are then lost only if the machine stops.
func syncFolder(name string) {
	if dir, err := os.Open(name); err == nil {
		dir.Sync()
		dir.Close()
	}
}
