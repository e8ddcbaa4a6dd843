package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// compared is the outcome of one comparison.
type compared struct {
	name       string
	refused    bool   // both programs refuse to produce it
	difference string // "" if there is none
}

// compareAll produces the results that match only with both programs, atOnce of them concurrently,
// and yields each outcome when it is known.
func compareAll(all []result, only *regexp.Regexp, dir, old, own string, atOnce int) iter.Seq[compared] {
	todo, done := make(chan int), make(chan compared)
	var workers sync.WaitGroup
	for w := range atOnce {
		workers.Go(func() {
			for i := range todo {
				place := filepath.Join(dir, fmt.Sprint("worker", w))
				c := compared{name: all[i].name}
				c.refused, c.difference = all[i].compare(place, old, own)
				done <- c
			}
		})
	}
	go func() {
		for i := range all {
			if only.MatchString(all[i].name) {
				todo <- i
			}
		}
		close(todo)
		workers.Wait()
		close(done)
	}()
	return func(yield func(compared) bool) {
		for c := range done {
			if !yield(c) {
				return
			}
		}
	}
}

// compare produces a result with both programs in a folder, which it empties first.
func (r result) compare(dir, old, own string) (refused bool, difference string) {
	before, err := r.make(filepath.Join(dir, "before"), old)
	if err != nil {
		return false, err.Error()
	}
	after, err := r.make(filepath.Join(dir, "after"), own)
	if err != nil {
		return false, err.Error()
	}
	return before[status] != nil, diff(before, after)
}

// status is the name of the file with the error message if a program refuses.
const status = "refusal"

// make runs a program in an empty folder and returns the files that it creates, by name.
func (r result) make(dir, program string) (map[string][]byte, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, r.args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	files := map[string][]byte{}
	if err := cmd.Run(); err != nil {
		files[status] = stderr.Bytes()
	}
	files["standard output"] = stdout.Bytes()
	return files, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir+string(filepath.Separator))] = content
		return err
	})
}

// diff returns the first difference between two sets of files, or "".
func diff(before, after map[string][]byte) string {
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	var all []string
	for name := range names {
		a, inA := before[name]
		b, inB := after[name]
		switch {
		case !inA:
			all = append(all, name+" is new"+firstLine(b))
		case !inB:
			all = append(all, name+" is missing"+firstLine(a))
		case !bytes.Equal(a, b):
			all = append(all, name+" "+place(a, b))
		}
	}
	slices.Sort(all)
	if len(all) > 3 {
		all = append(all[:3], fmt.Sprintf("and %d more", len(all)-3))
	}
	return strings.Join(all, "; ")
}

// firstLine returns the first line of a text after a colon, or "" if b is not text.
func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	if len(line) == 0 || len(line) > 200 || !utf8.Valid(line) {
		return ""
	}
	return ": " + string(line)
}

// place returns the position of the first difference between two contents.
func place(a, b []byte) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	start, number := bytes.LastIndexByte(a[:n], '\n')+1, 1+bytes.Count(a[:n], []byte("\n"))
	was, is := firstLine(a[start:]), firstLine(b[start:])
	if was != "" && is != "" {
		return fmt.Sprintf("differs in line %d: was%s; is%s", number, was, is)
	}
	return fmt.Sprintf("differs from byte %d of %d and %d on", n, len(a), len(b))
}
