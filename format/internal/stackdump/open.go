package stackdump

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"artifice/internal/decode"
	"artifice/internal/inputs"
	"artifice/internal/words"
	"artifice/trace"
)

// file is one file of a sequence.
type file struct {
	name  string
	size  int64
	stamp Stamp // time of its first dump
}

// list returns the files with the given names; for a folder it returns the dumps directly in it.
// Other files in folders are skipped with a warning. The files of a folder are ordered by the time
// of their first dump. If one of them has no time, they are ordered by name, and numbers in names
// are compared as numbers.
func list(names []string, cfg Config, warn *Warnings) ([]file, error) {
	var all []file
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			all = append(all, file{name: name, size: sizeOf(info)})
			continue
		}
		files, err := listFolder(name, cfg, warn)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// listFolder returns the dumps in a folder in their order.
func listFolder(folder string, cfg Config, warn *Warnings) ([]file, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f := file{name: filepath.Join(folder, e.Name())}
		if info, err := e.Info(); err == nil {
			f.size = sizeOf(info)
		}
		if f.stamp, err = firstStamp(f.name, cfg); err != nil {
			reason := err.Error()
			if bad, ok := err.(*trace.FormatError); ok {
				reason, _, _ = strings.Cut(bad.Msg, formatsKnown)
			}
			warn.Add(trace.WarnDumpLeftOut, f.name, 0, "the file is ignored", reason)
			continue
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no stack dump among %s; use a trace, or a folder of stack dumps", folder, words.Count(len(entries), "file"))
	}
	slices.SortFunc(files, func(a, b file) int { return compareNatural(a.name, b.name) })
	sortByTime(files)
	return files, nil
}

// sizeOf returns a file's size; it returns 0 for a pipe or device.
func sizeOf(info os.FileInfo) int64 {
	if !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// firstStamp returns the time of the first dump of a file.
func firstStamp(name string, cfg Config) (Stamp, error) {
	f, err := inputs.Open(name)
	if err != nil {
		return Stamp{}, err
	}
	defer f.Close()
	r, err := NewReader(f, name, ReaderConfig{Format: cfg.Format, Formats: cfg.Formats, Interval: cfg.Interval, First: cfg.First, Names: cfg.Names, Limits: cfg.Limits})
	if err != nil {
		return Stamp{}, err
	}
	d, err := r.Next()
	if err != nil {
		return Stamp{}, err
	}
	return d.Stamp, nil
}

// sortByTime sorts files by time if all of them have times of the same clock.
func sortByTime(files []file) {
	uptimes, dates := true, true
	for _, f := range files {
		uptimes = uptimes && f.stamp.HasUptime
		dates = dates && !f.stamp.Date.IsZero()
	}
	switch {
	case uptimes:
		slices.SortStableFunc(files, func(a, b file) int { return cmp.Compare(a.stamp.Uptime, b.stamp.Uptime) })
	case dates:
		slices.SortStableFunc(files, func(a, b file) int { return a.stamp.Date.Compare(b.stamp.Date) })
	}
}

// compareNatural compares names so that dump-2 comes before dump-10.
func compareNatural(a, b string) int {
	for a != "" && b != "" {
		na, restA := cutNumber(a)
		nb, restB := cutNumber(b)
		if na != "" && nb != "" {
			na, nb = strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), strings.Compare(na, nb)); c != 0 {
				return c
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// cutNumber splits s after its leading digits.
func cutNumber(s string) (digits, rest string) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// files reads the dumps of several files as one sequence, one file open at a
// time.
type files struct {
	left     []file
	cfg      ReaderConfig
	warn     *Warnings
	reader   *Reader
	filled   bool // some dump had a thread
	closer   io.Closer
	progress decode.Progress
	before   int64 // decompressed bytes of the files before reader's
}

// next returns the next dump; after the last dump of the last file it returns io.EOF. It returns an
// error for files in which no thread is recognized, because every process has threads.
func (f *files) next() (*Dump, error) {
	for {
		if f.reader == nil {
			if len(f.left) == 0 {
				return nil, io.EOF
			}
			if err := f.open(); err != nil {
				return nil, err
			}
		}
		d, err := f.reader.Next()
		if err != io.EOF {
			return d, err
		}
		f.filled = f.filled || f.reader.filled
		if len(f.left) == 0 && !f.filled {
			err := f.reader.nothing()
			f.close()
			return nil, err
		}
		if err := f.close(); err != nil {
			return nil, err
		}
	}
}

// open opens the next file. All files must have the format of the first.
func (f *files) open() error {
	name := f.left[0].name
	f.left = f.left[1:]
	in, err := inputs.Open(name)
	if err != nil {
		return err
	}
	cfg := f.cfg
	cfg.File = name
	r, err := newReader(f.progress.Watch(in), name, cfg, f.warn)
	if err != nil {
		in.Close()
		return err
	}
	f.reader, f.closer, f.cfg.Format = r, in, r.format
	return nil
}

// read returns the number of decompressed bytes of the files read so far.
func (f *files) read() int64 {
	if f.reader == nil {
		return f.before
	}
	return f.before + f.reader.size.Bytes()
}

// close closes the open file.
func (f *files) close() error {
	f.before, f.reader = f.read(), nil
	if f.closer == nil {
		return nil
	}
	err := f.closer.Close()
	f.closer = nil
	return err
}
