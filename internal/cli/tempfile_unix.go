//go:build unix

package cli

import (
	"os"
	"syscall"
)

// lock locks the file or folder called path until the result is closed. It returns nil if another
// process has locked it, or if it no longer exists.
func lock(path string) *os.File {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe must not block
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		locked, err := f.Stat()
		if now, statErr := os.Lstat(path); err == nil && statErr == nil && os.SameFile(locked, now) {
			return f
		}
	}
	f.Close()
	return nil
}

// links returns the number of hard links of a file.
func links(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

const canLock = true
