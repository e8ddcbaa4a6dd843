package main

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

// atomicFile is an output file that appears under its name only when it is
// complete: it is written as a temporary file beside it and renamed by Commit.
type atomicFile struct {
	name   string
	target string    // what name stands for, when it is a symbolic link; else name
	temp   *os.File  // nil for standard output
	w      io.Writer // what the caller writes to
	gz     *gzip.Writer
}

// createAtomic starts the file called name; "-" is std.out. A name that ends in
// .gz is compressed. A symbolic link stays one: what it points to is written.
func createAtomic(std stdio, name string) (*atomicFile, error) {
	f := &atomicFile{name: name, target: name, w: std.out}
	if name != "-" {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return f.openSpecial()
		}
		if target, err := filepath.EvalSymlinks(name); err == nil {
			f.target = target
		}
		temp, err := createTemp(f.target)
		if err != nil {
			return nil, &writeError{name, errors.Unwrap(err)}
		}
		f.temp, f.w = temp, temp
	}
	f.compress()
	return f, nil
}

// createTemp creates a file beside name, with the permissions that a new file
// called name would have, or the present one has. Its errors are PathErrors.
func createTemp(name string) (temp *os.File, err error) {
	for range 100 { // names, until one is free
		temp, err = os.OpenFile(fmt.Sprintf("%s/.%s.%d", filepath.Dir(name), filepath.Base(name), rand.Uint32()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if info, statErr := os.Stat(name); err == nil && statErr == nil {
		temp.Chmod(info.Mode().Perm()) // a wish: the file can be another user's
	}
	return temp, err
}

// openSpecial opens a device or a named pipe, which cannot be replaced by a
// rename.
func (f *atomicFile) openSpecial() (*atomicFile, error) {
	file, err := os.OpenFile(f.name, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	f.w = file
	f.compress()
	return f, nil
}

func (f *atomicFile) compress() {
	if strings.HasSuffix(f.name, ".gz") {
		f.gz = gzip.NewWriter(f.w)
		f.w = f.gz
	}
}

// Write implements io.Writer. An error has the name of the file, not that of the
// temporary one.
func (f *atomicFile) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = &writeError{f.name, path.Err}
	}
	return n, err
}

// writeError is why an output cannot be written.
type writeError struct {
	name string
	err  error
}

// cannotWrite returns err as a writeError of name, unless it is one.
func cannotWrite(name string, err error) error {
	if errors.As(err, new(*writeError)) {
		return err
	}
	return &writeError{name, err}
}

func (e *writeError) Error() string { return fmt.Sprintf("cannot write %s: %v", e.name, e.err) }
func (e *writeError) Unwrap() error { return e.err }

// Commit completes the file and gives it its name. On an error nothing is left.
func (f *atomicFile) Commit() (err error) {
	if f.gz != nil {
		err = f.gz.Close()
	}
	if f.temp == nil {
		return err
	}
	if closeErr := f.temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.temp.Name(), f.target)
	}
	if err != nil {
		os.Remove(f.temp.Name())
		return cannotWrite(f.name, err)
	}
	f.temp = nil
	return nil
}

// Abort drops a file that was not committed; after Commit it does nothing, so
// it can be deferred.
func (f *atomicFile) Abort() {
	if f != nil && f.temp != nil {
		f.temp.Close()
		os.Remove(f.temp.Name())
		f.temp = nil
	}
}
