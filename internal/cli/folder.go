package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Folder is an output folder with files that appear together when all of them are complete. They
// are written into a temporary folder. Commit renames it, or moves its files into an existing
// folder.
type Folder struct {
	name   string
	temp   string
	lock   *os.File // on temp; nil if folders cannot be locked
	exists bool
}

// CreateFolder starts the folder called name, and creates its parent folders.
func CreateFolder(name string) (*Folder, error) {
	f := &Folder{name: filepath.Clean(name)}
	info, err := os.Stat(f.name)
	switch f.exists = err == nil; {
	case f.exists && !info.IsDir():
		return nil, &WriteError{name, errors.New("the output is a file, not a folder")}
	}
	temp := f.name
	if f.exists { // the parent may be read-only or on another file system
		temp = filepath.Join(f.name, "artifice")
	}
	removeAbandoned(temp)
	if err := os.MkdirAll(filepath.Dir(temp), 0o777); err != nil {
		return nil, f.failed(err)
	}
	if err := f.mkdir(temp); err != nil {
		return nil, f.failed(err)
	}
	began(f.temp)
	return f, nil
}

// CheckFolder is [CheckOutput] for a folder.
func CheckFolder(name string) error {
	above := filepath.Clean(name)
	for {
		info, err := os.Stat(above)
		if err == nil && !info.IsDir() {
			what := "the output"
			if above != filepath.Clean(name) {
				what = above
			}
			return cannotWrite(name, errors.New(what+" is a file, not a folder"))
		}
		if err == nil || above == filepath.Dir(above) {
			break
		}
		above = filepath.Dir(above)
	}
	temp := tempName(filepath.Join(above, "artifice"))
	if err := os.Mkdir(temp, 0o777); err != nil {
		return cannotWrite(name, err)
	}
	return os.Remove(temp)
}

// mkdir creates and locks a temporary folder in the parent of name.
func (f *Folder) mkdir(name string) (err error) {
	for range 100 {
		f.temp = tempName(name)
		if err = os.Mkdir(f.temp, 0o777); err != nil {
			return err
		}
		if f.lock = lock(f.temp); f.lock != nil || !canLock {
			return nil
		}
	}
	return errors.New("another program keeps removing the unfinished folder")
}

// Path returns the folder to which files are written until Commit.
func (f *Folder) Path() string { return f.temp }

// Create creates a file in the folder. The caller closes it.
func (f *Folder) Create(name string) (*os.File, error) {
	path := filepath.Join(f.temp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, f.failed(err)
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, f.failed(err)
	}
	return file, nil
}

// WriteFile creates a file in the folder and fills it by write.
func (f *Folder) WriteFile(name string, write func(io.Writer) error) error {
	file, err := f.Create(name)
	if err != nil {
		return err
	}
	return f.Named(errors.Join(write(file), file.Close()))
}

// Named replaces the path in the temporary folder by the final one in the error of a file.
func (f *Folder) Named(err error) error {
	var path *fs.PathError
	if f == nil || !errors.As(err, &path) {
		return err
	}
	inside, outside := filepath.Rel(f.temp, path.Path)
	if outside != nil || !filepath.IsLocal(inside) {
		return err
	}
	return &WriteError{filepath.Join(f.name, inside), path.Err}
}

// Commit gives the folder its name. Files of an existing folder are kept, unless a new file has
// the same name.
func (f *Folder) Commit() error {
	err := filepath.WalkDir(f.temp, syncEntry)
	if err == nil {
		err = ended(f.temp, func() error {
			if f.exists {
				return f.moveFiles()
			}
			return os.Rename(f.temp, f.name)
		})
	}
	if err != nil {
		f.Abort()
		return f.failed(err)
	}
	f.unlock()
	syncFolder(f.name)
	syncFolder(filepath.Dir(f.name))
	f.temp = ""
	return nil
}

// moveFiles moves all contents of the temporary folder to the folder, or nothing on an error.
func (f *Folder) moveFiles() (err error) {
	entries, err := os.ReadDir(f.temp)
	if err != nil {
		return err
	}
	replaced := filepath.Join(f.temp, ".replaced")
	if err := os.Mkdir(replaced, 0o777); err != nil {
		return err
	}
	var undo []func() error
	move := func(from, to string) error {
		err := os.Rename(from, to)
		if err == nil {
			undo = append(undo, func() error { return os.Rename(to, from) })
		}
		return err
	}
	defer func() {
		for _, u := range slices.Backward(undo) {
			if err != nil {
				err = errors.Join(err, u())
			}
		}
	}()
	for _, e := range entries {
		from, to := filepath.Join(f.temp, e.Name()), filepath.Join(f.name, e.Name())
		if info, statErr := os.Stat(to); statErr == nil && !info.IsDir() {
			if err := replaceable(to, to, info); err != nil {
				return fmt.Errorf("%s: %w", e.Name(), err)
			}
			if err := move(to, filepath.Join(replaced, e.Name())); err != nil {
				return err
			}
		}
		if err := move(from, to); err != nil {
			return err
		}
	}
	undo = nil
	return os.RemoveAll(f.temp)
}

// syncEntry writes a file, or a folder's entries, to the disk.
func syncEntry(path string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if d.IsDir() {
		syncFolder(path)
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// Abort removes a folder that was not committed; after Commit it does nothing.
func (f *Folder) Abort() {
	if f != nil && f.temp != "" {
		ended(f.temp, func() error { return os.RemoveAll(f.temp) })
		f.unlock()
		f.temp = ""
	}
}

func (f *Folder) unlock() {
	if f.lock != nil {
		f.lock.Close()
	}
}

func (f *Folder) failed(err error) error { return cannotWrite(f.name, err) }
