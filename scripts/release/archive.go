package main

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string
	data []byte
	mode fs.FileMode
}

// entriesOf returns the files of a folder.
func entriesOf(folder string) (list []entry, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		list = append(list, entry{filepath.ToSlash(name), data, 0o644})
		return err
	})
	return list, err
}

// write writes an archive of files in a folder, in the order of their names.
func (r *release) write(name string, write func(io.Writer, string, []entry, time.Time) error, folder string, entries []entry) error {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	if err := write(f, folder, entries, r.date); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func writeTar(w io.Writer, folder string, entries []entry, date time.Time) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, e := range entries {
		if err := t.WriteHeader(&tar.Header{Name: folder + "/" + e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: date, Format: tar.FormatPAX}); err != nil {
			return err
		}
		if _, err := t.Write(e.data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return packed.Close()
}

func writeZip(w io.Writer, folder string, entries []entry, date time.Time) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		h := &zip.FileHeader{Name: folder + "/" + e.name, Method: zip.Deflate, Modified: date}
		h.SetMode(e.mode)
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.data); err != nil {
			return err
		}
	}
	return z.Close()
}

const sumsName = "SHA256SUMS"

// writeSums writes the checksums of a folder's files in the format of sha256sum, and returns them.
func writeSums(folder string) (string, error) {
	entries, err := entriesOf(folder)
	if err != nil {
		return "", err
	}
	var sums strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(e.data), e.name)
	}
	return sums.String(), os.WriteFile(filepath.Join(folder, sumsName), []byte(sums.String()), 0o666)
}
