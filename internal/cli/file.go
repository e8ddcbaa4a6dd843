package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// File is an output file that appears under its name only when it is complete:
// it is written as a temporary file beside it, which Commit renames. A device, a
// named pipe and standard output are written as they are.
type File struct {
	name   string
	target string   // what name stands for, when it is a symbolic link; else name
	temp   *os.File // nil when nothing is to be renamed
	w      io.Writer
	gz     *gzip.Writer
	closer io.Closer // of a device or pipe
}

// Create starts the file called name; "-" is stdout. A name that ends in .gz is
// compressed. A symbolic link stays one: what it points to is written.
func Create(name string, stdout io.Writer) (*File, error) {
	f := &File{name: name, target: name, w: stdout}
	if name != "-" {
		if err := f.open(); err != nil {
			return nil, f.failed(err)
		}
	}
	if strings.HasSuffix(name, ".gz") {
		f.gz = gzip.NewWriter(f.w)
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
	temp, err := createTemp(f.target)
	f.temp, f.w = temp, temp
	return err
}

// WriteFile writes the file called name, as Create and Commit do, by write.
func WriteFile(name string, stdout io.Writer, write func(io.Writer) error) error {
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

// createTemp creates a file beside name, with the permissions that a new file
// called name would have, or the present one has.
func createTemp(name string) (temp *os.File, err error) {
	for range 100 { // names, until one is free
		temp, err = os.OpenFile(tempName(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if info, statErr := os.Stat(name); err == nil && statErr == nil {
		temp.Chmod(info.Mode().Perm()) // a wish: the file can be another user's
	}
	return temp, err
}

// tempName returns a hidden name beside name, no longer than file systems take.
func tempName(name string) string {
	base := filepath.Base(name)
	return fmt.Sprintf("%s/.%s.%d", filepath.Dir(name), base[:min(len(base), 200)], rand.Uint32())
}

// Name returns the name that Create was given.
func (f *File) Name() string { return f.name }

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if errors.As(err, new(*fs.PathError)) { // it names the temporary file
		err = f.failed(err)
	}
	return n, err
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
	// A name in a folder that survives a crash must not stand for content that
	// did not: the content goes to the disk first, then the folder.
	if err == nil {
		err = f.temp.Sync()
	}
	err = errors.Join(err, f.temp.Close())
	if err == nil {
		err = os.Rename(f.temp.Name(), f.target)
	}
	if err != nil {
		return f.Fail(err)
	}
	f.temp = nil
	syncFolder(filepath.Dir(f.target))
	return nil
}

// Abort drops a file that was not committed; after Commit it does nothing, so
// it can be deferred.
func (f *File) Abort() {
	if f != nil && f.temp != nil {
		f.temp.Close()
		os.Remove(f.temp.Name())
		f.temp = nil
	}
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

func (e *WriteError) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Name, e.Err) }
func (e *WriteError) Unwrap() error { return e.Err }

// syncFolder writes a folder's names to the disk. Some file systems cannot; the
// names are right all the same unless the machine stops.
func syncFolder(name string) {
	if dir, err := os.Open(name); err == nil {
		dir.Sync()
		dir.Close()
	}
}
