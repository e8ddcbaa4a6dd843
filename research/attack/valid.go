package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"artifice/format"
)

// validFiles writes a file of every format by the program, and returns a class of damaged ones for
// each.
func (a *attack) validFiles() (list []class, err error) {
	for _, f := range format.Written() {
		data, err := a.validFile(f.Name, "sample")
		if err != nil && f.Dumps != nil {
			data, err = a.validFile(f.Name, "dump")
		}
		if err != nil {
			return nil, err
		}
		list = append(list, plain("damaged-"+f.Name, "."+f.Name, recording, func(r *rand.Rand, size int) []byte { return damaged(data, r, size) }))
	}
	return list, nil
}

// validFile returns a file written by the program.
func (a *attack) validFile(name, mode string) ([]byte, error) {
	file := filepath.Join(a.folder, "valid-"+name)
	args := []string{"record", "w11-messages", "--duration", "500ms", "--mode", mode, "--format", name, "-o", file}
	ran, err := a.exec(a.folder, args, limits{memory: 1 << 32, cpu: time.Minute, file: 1 << 32})
	if err != nil {
		return nil, err
	}
	if ran.status != 0 {
		return nil, fmt.Errorf("%v: status %d: %s", args, ran.status, ran.stderr)
	}
	return readFirst(file)
}

// readFirst reads a file, or the first one of a folder.
func readFirst(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		files, err := os.ReadDir(name)
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("%s: an empty folder (%v)", name, err)
		}
		name = filepath.Join(name, files[0].Name())
	}
	return os.ReadFile(name)
}

// damaged returns a file with a few edits. A text is damaged line by line.
func damaged(data []byte, r *rand.Rand, size int) []byte {
	if json.Valid(data) || !bytes.Contains(data[:min(len(data), 500)], []byte{0}) && r.IntN(2) == 0 {
		return mixLines(data, r, min(size, 1<<18))
	}
	b := bytes.Clone(data)
	for range 1 + r.IntN(8) {
		at := r.IntN(len(b))
		end := min(len(b), at+1+r.IntN(64))
		switch r.IntN(6) {
		case 0:
			b[at] = byte(extreme(r))
		case 1:
			b[at] ^= 1 << r.IntN(8)
		case 2:
			b = append(b[:at:at], b[end:]...)
		case 3:
			b = append(b[:end:end], b[at:]...)
		case 4:
			b = append(b[:at:at], bytes.Repeat(b[at:end], 1+r.IntN(1+size/64))...)
		case 5:
			b = b[:at+1]
		}
	}
	return b
}
