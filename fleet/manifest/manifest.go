// Package manifest lists the traces of a fleet: the path of each file, and its attributes (app,
// version, device and so on) as labels.
//
// A list is built from folders, globs, files and manifests, which list files with their labels.
// Names are those of Beam's file systems: a path, or a URL such as gs://bucket/traces/*.trace if
// the program was built with that file system. The package does not open traces.
package manifest

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is one trace.
type File struct {
	Index  int               `json:"index"` // in the list; results have this order, whatever the order of the work
	Path   string            `json:"path"`
	Labels map[string]string `json:"labels,omitempty"`
	Bytes  int64             `json:"bytes"` // size of the file, compressed if it is; -1: unknown
}

// Group returns the values of some labels, which define the file's group. A label that the file
// does not have is empty.
func (f *File) Group(by []string) []string {
	values := make([]string, len(by))
	for i, name := range by {
		values[i] = f.Labels[name]
	}
	return values
}

// List returns the files of the sources, in the order of the sources; those of a folder or glob
// are sorted by name. A source is
//
//   - a folder: all files below it, except hidden ones (.name)
//   - a folder in another file system, a URL that ends in /: the files directly in it
//   - a glob, with *, ? or [: all files that match
//   - a manifest (.csv, .jsonl, .ndjson): all files that it lists
//   - any other name: that file
//
// A file that is listed several times appears once for each of its groups by the labels by: a file
// with two apps counts for both, and once if results are not grouped by app. If it is listed with
// labels, an entry without labels adds nothing.
//
// List fails if a source matches no file, or if a manifest cannot be read. It does not check
// whether files exist: a missing one is unreadable later.
func List(ctx context.Context, sources, by []string) ([]File, error) {
	var all []File
	for _, source := range sources {
		files, err := expand(ctx, source)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s matches no file", source)
		}
		all = append(all, files...)
	}
	all = once(all, by)
	sizes := newSizes()
	defer sizes.close()
	sideBySide(len(all), func(i int) {
		all[i].Index, all[i].Bytes = i, sizes.of(ctx, all[i].Path)
	})
	return all, nil
}

// once removes repeated files, so that each appears once for each of its groups.
func once(files []File, by []string) []File {
	labelled := map[string]bool{}
	for i := range files {
		if len(files[i].Labels) > 0 {
			labelled[files[i].Path] = true
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(f File) bool {
		key := strings.Join(append(f.Group(by), f.Path), "\x00")
		double := seen[key] || len(f.Labels) == 0 && labelled[f.Path]
		seen[key] = true
		return double
	})
}

func expand(ctx context.Context, source string) ([]File, error) {
	info, err := os.Stat(source)
	switch {
	case err == nil && info.IsDir():
		return walk(source)
	case IsURL(source) && strings.HasSuffix(source, "/"):
		return match(ctx, source+"*")
	case err != nil && strings.ContainsAny(source, globs):
		return match(ctx, source)
	case IsManifest(source):
		return read(ctx, source)
	}
	return []File{{Path: source}}, nil
}

// globs are the characters that make a name a pattern.
const globs = "*?["

// match lists the files that match a glob, and of a pair only the first.
func match(ctx context.Context, glob string) ([]File, error) {
	system, err := FileSystem(ctx, glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	defer system.Close()
	names, err := system.List(ctx, glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	slices.Sort(names)
	folder := make([]bool, len(names))
	if !IsURL(glob) {
		sideBySide(len(names), func(i int) {
			info, err := os.Stat(names[i])
			folder[i] = err == nil && info.IsDir()
		})
	}
	var files []File
	for i, name := range names {
		second := false
		if base, is := strings.CutSuffix(name, ".data"); is {
			_, second = slices.BinarySearch(names, base+".key")
		}
		if !folder[i] && !second {
			files = append(files, File{Path: name})
		}
	}
	return files, nil
}

// walk lists the files of a folder. Of a pair of .key and .data, which is one trace, it lists the
// first.
func walk(folder string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(d.Name(), ".") && path != folder
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden || isSecondHalf(path):
			return nil
		}
		files = append(files, File{Path: path})
		return nil
	})
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}

func isSecondHalf(path string) bool {
	base, is := strings.CutSuffix(path, ".data")
	if !is {
		return false
	}
	_, err := os.Stat(base + ".key")
	return err == nil
}

// IsURL reports whether a path is outside this machine's own file system.
func IsURL(path string) bool { return strings.Contains(path, "://") }

// Deal distributes the files to hands lists of about the same number of bytes: the largest first,
// each to the list with the fewest bytes so far. Every file counts for at least some thousand
// bytes, because opening it takes time. The result is deterministic.
func Deal(files []File, hands int) [][]File {
	const opening = 16 << 10
	order := slices.Clone(files)
	slices.SortStableFunc(order, func(a, b File) int { return cmp.Compare(b.Bytes, a.Bytes) })
	dealt := make([][]File, min(hands, len(files)))
	load := make([]int64, len(dealt))
	for _, f := range order {
		i := slices.Index(load, slices.Min(load))
		dealt[i] = append(dealt[i], f)
		load[i] += max(f.Bytes, opening)
	}
	return dealt
}
