// Command faults breaks the program in small ways, one at a time, and prints which
// tests notice:
//
//	go run ./scripts/faults
//
// It works on a copy of the tree. A fault that no test notices is a hole in the
// tests; it ends the command with status 1. Only the tests that are to notice are
// run, all of the module's with -all.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"artifice/internal/testdata"
)

func main() {
	all := flag.Bool("all", false, "run all tests, in their short form, for every fault")
	only := flag.String("only", "", "only faults whose description has this `text`")
	flag.Parse()
	if err := run(*all, *only); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(all bool, only string) error {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, "artifice")
	if err := os.CopyFS(tree, os.DirFS(testdata.Root())); err != nil {
		return err
	}
	// Tests look for real traces beside the tree.
	if shared, err := filepath.Abs(filepath.Join(testdata.Root(), "..", "shared")); err == nil {
		os.Symlink(shared, filepath.Join(dir, "shared"))
	}
	var errs []error
	for _, f := range faults {
		if !strings.Contains(f.what, only) {
			continue
		}
		if all {
			f.tests = "./..."
		}
		noticed, err := f.try(tree)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", f.what, err))
		case len(noticed) == 0:
			errs = append(errs, fmt.Errorf("%s: no test notices", f.what))
		default:
			fmt.Printf("%s\n\t%s\n", f.what, strings.Join(noticed, " "))
		}
	}
	return errors.Join(errs...)
}

// try makes the fault, returns the tests that fail by it, and takes it back.
func (f *fault) try(tree string) (noticed []string, err error) {
	before, err := f.failing(tree)
	if err != nil {
		return nil, err
	}
	file, source, err := f.find(tree)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, source, 0o666)) }()
	if err := os.WriteFile(file, bytes.Replace(source, []byte(f.old), []byte(f.new), 1), 0o666); err != nil {
		return nil, err
	}
	after, err := f.failing(tree)
	return slices.DeleteFunc(after, func(test string) bool { return slices.Contains(before, test) }), err
}

// find returns the one file that has the fault's place, and what is in it.
func (f *fault) find(tree string) (file string, source []byte, err error) {
	err = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "scripts") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch n := bytes.Count(text, []byte(f.old)); {
		case n > 1 || n == 1 && file != "":
			return fmt.Errorf("%q is in more than one place", f.old)
		case n == 1:
			file, source = path, text
		}
		return nil
	})
	if err == nil && file == "" {
		err = fmt.Errorf("%q is nowhere", f.old)
	}
	return file, source, err
}

var failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// failing runs the tests and returns those that fail.
func (f *fault) failing(tree string) (tests []string, err error) {
	cmd := exec.Command("go", append([]string{"test", "-short"}, strings.Fields(f.tests)...)...)
	cmd.Dir = tree
	out, err := cmd.CombinedOutput()
	for _, m := range failed.FindAllSubmatch(out, -1) {
		tests = append(tests, string(m[1]))
	}
	if err != nil && len(tests) == 0 {
		return nil, fmt.Errorf("go test: %w\n%s", err, out)
	}
	return tests, nil
}
