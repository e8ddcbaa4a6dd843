package eventlog

import (
	"errors"
	"os"
)

// File is a temporary file, which is gone when it is closed.
type File struct {
	*os.File
	removed bool
}

// CreateFile makes an empty temporary file in dir; "" is os.TempDir.
func CreateFile(dir string) (*File, error) {
	f, err := os.CreateTemp(dir, "artifice-*.tmp")
	if err != nil {
		return nil, err
	}
	// Where the system allows it the name goes at once, so that nothing is left
	// behind however the process ends.
	return &File{f, os.Remove(f.Name()) == nil}, nil
}

// Close closes and removes the file. Closing a nil file does nothing.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	err := f.File.Close()
	if !f.removed {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
