package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is an output folder whose files appear together, when all of them are
// complete: they are written into a temporary folder, which Commit renames, or
// empties into a folder that is there already.
type Folder struct {
	name   string
	temp   string
	exists bool
}

// CreateFolder starts the folder called name, and makes the folders above it.
func CreateFolder(name string) (*Folder, error) {
	f := &Folder{name: filepath.Clean(name)}
	info, err := os.Stat(f.name)
	switch f.exists = err == nil; {
	case f.exists && !info.IsDir():
		return nil, &WriteError{name, errors.New("it is a file, not a folder")}
	case f.exists: // beside it may be no room, and another file system
		f.temp = tempName(filepath.Join(f.name, "artifice"))
	default:
		f.temp = tempName(f.name)
	}
	if err := os.MkdirAll(filepath.Dir(f.temp), 0o777); err != nil {
		return nil, f.failed(err)
	}
	if err := os.Mkdir(f.temp, 0o777); err != nil {
		return nil, f.failed(err)
	}
	return f, nil
}

// Path returns where the folder's files are written until Commit.
func (f *Folder) Path() string { return f.temp }

// Create creates a file in the folder, which the caller closes.
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

// WriteFile writes a file in the folder by write.
func (f *Folder) WriteFile(name string, write func(io.Writer) error) error {
	file, err := f.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// Commit gives the folder its name. Files of the folder that was there before
// stay, unless one of the new files has their name.
func (f *Folder) Commit() error {
	err := filepath.WalkDir(f.temp, syncEntry)
	if err == nil && !f.exists {
		err = os.Rename(f.temp, f.name)
	}
	if err == nil && f.exists {
		err = f.moveFiles()
	}
	if err != nil {
		f.Abort()
		return f.failed(err)
	}
	syncFolder(f.name)
	syncFolder(filepath.Dir(f.name))
	f.temp = ""
	return nil
}

// moveFiles moves what the temporary folder holds to the folder.
func (f *Folder) moveFiles() error {
	entries, err := os.ReadDir(f.temp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(f.temp, e.Name()), filepath.Join(f.name, e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(f.temp)
}

// syncEntry writes a file, or a folder's names, to the disk.
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

// Abort drops a folder that was not committed; after Commit it does nothing.
func (f *Folder) Abort() {
	if f != nil && f.temp != "" {
		os.RemoveAll(f.temp)
		f.temp = ""
	}
}

func (f *Folder) failed(err error) error { return cannotWrite(f.name, err) }
