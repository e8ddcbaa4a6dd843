package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"artifice/format"
	"artifice/trace"
)

// row is the result for a file.
type row struct {
	hash, path string // SHA-256 in hexadecimal; below the folder, with slashes
	size       int64
	counts
	refusal string // the error if it is not read to its end; otherwise ""
}

// counts are the counts of a file's contents.
type counts struct {
	kind                          string        // the format's name
	threads, enters, exits, dumps int64         // threads have events
	span                          time.Duration // wall time from the first event to the last
}

// readFolder reads all files below a folder except git's, in the order of their paths; of several
// with the same content only the first.
func readFolder(folder string) (rows []row, err error) {
	seen := make(map[string]bool)
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		r, err := readFile(path)
		if err != nil || seen[r.hash] {
			return err
		}
		seen[r.hash] = true
		below, err := filepath.Rel(folder, path)
		r.path = filepath.ToSlash(below)
		rows = append(rows, r)
		return err
	})
	return rows, err
}

// readFile reads a file to its end, or to the first error.
func readFile(path string) (r row, err error) {
	f, err := os.Open(path)
	if err != nil {
		return r, err
	}
	defer f.Close()
	sum := sha256.New()
	if r.size, err = io.Copy(sum, f); err != nil {
		return r, err
	}
	r.hash = hex.EncodeToString(sum.Sum(nil))
	if err := r.count(path); err != nil {
		r.refusal = oneLine(strings.ReplaceAll(err.Error(), path, "FILE"))
	}
	return r, nil
}

// count counts the events of a file.
func (c *counts) count(path string) (err error) {
	in, err := format.Open(path, format.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	c.kind = in.Format.Name
	begun := make(map[trace.ThreadID]bool)
	var first, last time.Duration
	for e, err := range trace.All(in.Events) {
		if err != nil {
			return err
		}
		if len(begun) == 0 {
			first, last = e.Wall, e.Wall
		}
		begun[e.Thread] = true
		first, last = min(first, e.Wall), max(last, e.Wall)
		if e.Action == trace.Enter {
			c.enters++
		} else {
			c.exits++
		}
	}
	c.threads, c.span = int64(len(begun)), last-first
	if in.Dumps != nil {
		c.dumps = in.Dumps.Counts().Dumps
	}
	return nil
}

// oneLine returns a message for a cell of the table, without its final hint.
func oneLine(text string) string {
	text, _, _ = strings.Cut(text, "; artifice list formats lists what it reads")
	return strings.Join(strings.Fields(text), " ")
}

// String returns the line of the table.
func (r row) String() string {
	if r.refusal != "" {
		return fmt.Sprintf("%s\t%d\trefused\t%s\t%s", r.hash, r.size, r.refusal, r.path)
	}
	return fmt.Sprintf("%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%s", r.hash, r.size, r.kind, r.threads, r.enters, r.exits, r.dumps, r.span, r.path)
}
