package cli

import (
	"io"
	"os"
	"path/filepath"
	"sync"
)

// TempFolder makes a folder in [os.TempDir] that only this user can read; remove removes it. The
// first call with a name also removes folders of that name from killed programs. Folders of live
// programs are locked.
func TempFolder(name string) (path string, remove func(), err error) {
	made, locked, err := temporary(name, func(path string) error { return os.Mkdir(path, 0o700) })
	if err != nil {
		return "", nil, err
	}
	began(made)
	return made, func() {
		ended(made, func() error { return os.RemoveAll(made) })
		locked.Close() // last: until then the folder is in use
	}, nil
}

// CopyToTemp copies r to a temporary file; remove removes it. Like [TempFolder], it removes files
// of killed programs.
func CopyToTemp(r io.Reader) (name string, remove func(), err error) {
	var file *os.File
	made, locked, err := temporary("artifice-copy", func(path string) (err error) {
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	began(made)
	remove = func() {
		ended(made, func() error { return os.Remove(made) })
		locked.Close()
	}
	if _, err = io.Copy(file, r); err != nil {
		file.Close()
		remove()
		return "", nil, err
	}
	return made, remove, file.Close()
}

// lockAttempts is the maximum number of attempts to create and lock an entry: another process that
// starts at the same time can remove an entry before it is locked.
const lockAttempts = 10

// temporary creates an entry of [os.TempDir] and locks it until locked is closed. If the file
// system has no locks, locked is nil, and no program considers the entry abandoned.
func temporary(name string, make func(path string) error) (path string, locked *os.File, err error) {
	base := filepath.Join(os.TempDir(), name)
	once, _ := cleaned.LoadOrStore(base, new(sync.Once))
	once.(*sync.Once).Do(func() { removeAbandoned(base) })
	for attempt := 1; ; attempt++ {
		path = tempName(base)
		if err := make(path); err != nil {
			return "", nil, err
		}
		locked = lock(path)
		if locked != nil || !canLock || attempt == lockAttempts {
			return path, locked, nil
		}
		os.Remove(path)
	}
}

// cleaned has a [sync.Once] by name, for the removal of abandoned entries.
var cleaned sync.Map
