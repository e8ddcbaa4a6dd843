package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// unfinished contains the temporary files and folders that have not been renamed yet.
var unfinished = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

func began(temp string) {
	unfinished.Lock()
	defer unfinished.Unlock()
	unfinished.names[temp] = true
}

// ended calls finish, which renames or removes a temporary file or folder.
func ended(temp string, finish func() error) error {
	unfinished.Lock()
	defer unfinished.Unlock()
	err := finish()
	if err == nil {
		delete(unfinished.names, temp)
	}
	return err
}

// RemoveUnfinished removes every incomplete output. It is for a program that exits immediately:
// afterwards, no output can be started or completed.
func RemoveUnfinished() {
	unfinished.Lock() // never unlocked
	for name := range unfinished.names {
		for range 10 { // a file can be created in a folder during its removal
			if os.RemoveAll(name) == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// removeAbandoned removes temporary files and folders of the output called name from killed
// programs. Those still in use are locked.
func removeAbandoned(name string) {
	dir := filepath.Dir(name)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); isTemp(e, name) {
			if l := lock(path); l != nil {
				os.RemoveAll(path)
				l.Close()
			}
		}
	}
}

// isTemp reports whether a folder's entry is a temporary file or folder of the output called name.
func isTemp(e fs.DirEntry, name string) bool {
	number, ok := strings.CutPrefix(e.Name(), tempPrefix(name))
	return ok && len(number) == tempDigits && strings.Trim(number, "0123456789") == "" && (e.IsDir() || e.Type().IsRegular())
}
