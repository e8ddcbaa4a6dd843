// Command faults breaks the program in small ways, one at a time, and prints what
// notices:
//
//	go run ./scripts/faults           # bench --verify, then tests
//	go run ./scripts/faults -verify   # bench --verify alone
//
// It works on a copy of the tree, which has to pass as it is. A fault that nothing
// notices is a hole in the tests; it ends the command with status 1, as does one whose
// place in the source is gone. Of the tests only those that are to notice are run, all
// of the module's with -all.
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
	verify := flag.Bool("verify", false, "only faults that bench --verify has to notice")
	all := flag.Bool("all", false, "run all tests, in their short form, for every fault")
	only := flag.String("only", "", "only faults whose description has this `text`")
	flag.Parse()
	if err := run(*verify, *all, *only); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(verify, all bool, only string) error {
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
	list := verified
	if !verify {
		list = append(list, faults...)
	}
	if wrong, err := disagreements(tree); err != nil || len(wrong) > 0 {
		return errors.Join(err, fmt.Errorf("bench --verify of the tree as it is finds wrong: %s", strings.Join(wrong, "; ")))
	}
	var errs []error
	for _, f := range list {
		if !strings.Contains(f.what, only) {
			continue
		}
		if all && f.tests != "" {
			f.tests = "./..."
		}
		noticed, err := f.try(tree)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", f.what, err))
		case len(noticed) == 0:
			errs = append(errs, fmt.Errorf("%s: nothing notices", f.what))
		default:
			fmt.Printf("%s\n    %s\n", f.what, strings.Join(noticed, "\n    "))
		}
	}
	return errors.Join(errs...)
}

// try makes the fault, returns what fails by it, and takes it back.
func (f *fault) try(tree string) (noticed []string, err error) {
	failing := func() ([]string, error) { return disagreements(tree) }
	var before []string
	if f.tests != "" {
		failing = func() ([]string, error) { return f.failing(tree) }
		if before, err = failing(); err != nil {
			return nil, err
		}
	}
	file, source, err := f.find(tree)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, source, 0o666)) }()
	if err := os.WriteFile(file, bytes.Replace(source, []byte(f.old), []byte(f.new), 1), 0o666); err != nil {
		return nil, err
	}
	after, err := failing()
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

// wrongs are what bench --verify says is wrong: in which part, and what.
var wrongs = regexp.MustCompile(`(?m)^wrong: (\w+), ([^:]+):`)

// disagreements runs bench --verify and sums up what it finds wrong.
func disagreements(tree string) (list []string, err error) {
	program := filepath.Join(tree, "artifice.verify")
	defer os.Remove(program)
	build := exec.Command("go", "build", "-o", program, "./cmd/artifice")
	build.Dir = tree
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	out, err := exec.Command(program, "bench", "--verify").CombinedOutput()
	parts := map[string][]string{}
	for _, m := range wrongs.FindAllSubmatch(out, -1) {
		parts[string(m[1])] = append(parts[string(m[1])], string(m[2]))
	}
	if len(parts) == 0 && err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return []string{"it stops: " + first}, nil
	}
	for _, part := range []struct{ name, format string }{
		{"record", "events of %s"}, {"bench", "bench: %s"}, {"score", "score: %s"}, {"law", "theory: %s"},
	} {
		if what := parts[part.name]; len(what) > 3 {
			list = append(list, fmt.Sprintf(part.format, fmt.Sprintf("%s and %d more", what[0], len(what)-1)))
		} else if len(what) > 0 {
			list = append(list, fmt.Sprintf(part.format, strings.Join(what, ", ")))
		}
	}
	return list, nil
}
