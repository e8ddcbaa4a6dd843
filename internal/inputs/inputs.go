// Package inputs opens the files that a command reads, and records them, so that no output of the
// command replaces one of them. Package cli checks this when it creates outputs.
//
// Every package of the product opens files by it; only packages of a program call Track. Without a
// call of Track, it opens files like package os and records none.
package inputs

import (
	"io"
	"os"
	"sync"
)

// read contains the files that the current command has read.
var read struct {
	sync.Mutex
	tracked bool
	files   []file
}

// file is a regular file, by the name it was opened with.
type file struct {
	name string
	info os.FileInfo
}

// Track begins a command. It removes earlier records, and records the files opened from now on. The
// files among names, the arguments of the command line, are inputs even before they are opened.
func Track(names ...string) {
	read.Lock()
	read.tracked, read.files = true, nil
	read.Unlock()
	Add(names...)
}

// Add records those of the names that denote files.
func Add(names ...string) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			remember(name, info)
		}
	}
}

// Open opens the named file for reading.
func Open(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil {
		remember(name, info)
	}
	return f, nil
}

// ReadFile returns the content of the named file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Find returns the name under which a file was read; ok is false if it was not. A file has one
// identity, whatever links lead to it ([os.SameFile]).
func Find(info os.FileInfo) (name string, ok bool) {
	read.Lock()
	defer read.Unlock()
	for i := range read.files {
		if os.SameFile(read.files[i].info, info) {
			return read.files[i].name, true
		}
	}
	return "", false
}

// remember records a regular file. Devices, pipes and folders are never replaced.
func remember(name string, info os.FileInfo) {
	if !info.Mode().IsRegular() {
		return
	}
	read.Lock()
	defer read.Unlock()
	if read.tracked {
		read.files = append(read.files, file{name, info})
	}
}
