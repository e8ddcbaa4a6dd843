package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"artifice/internal/testdata"
)

// folderIn returns the folder of the fault's package as the go command takes it in tree.
func (b *broken) folderIn(tree string) (string, error) {
	folder, err := filepath.Rel(tree, filepath.Dir(b.path))
	return "./" + filepath.ToSlash(folder), err
}

// tests returns the tests that notice the fault.
func (b *broken) tests(f *fault, all bool) ([]string, error) {
	own, err := b.folderIn(b.module())
	if err != nil {
		return nil, err
	}
	in, run := f.in, f.test
	if in == "" {
		in = own
	}
	places := []string{in}
	if all {
		places, run = []string{own, "./..."}, ""
	}
	for _, in := range places {
		names, err := b.failing(in, run)
		if err != nil || len(names) > 0 {
			return names, err
		}
	}
	return nil, errors.New("no test notices")
}

var failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// failing runs tests until one fails by the fault, and returns which failed.
func (b *broken) failing(in, run string) (names []string, err error) {
	test := func(b *broken, module, run string) ([]byte, error) {
		return b.goCommand(module, "test", "-short", "-failfast", "-run", run, in).CombinedOutput()
	}
	out, err := test(b, b.module(), run)
	if err == nil {
		return nil, nil
	}
	var tops []string
	for _, m := range failed.FindAllSubmatch(out, -1) {
		top, _, _ := strings.Cut(string(m[1]), "/")
		names, tops = append(names, string(m[1])), append(tops, top)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("go test: %w\n%s", err, out)
	}
	if run == "" {
		slices.Sort(tops)
		run = "^(" + strings.Join(slices.Compact(tops), "|") + ")$"
	}
	if out, err := test(nil, b.module(), run); err != nil {
		return nil, fmt.Errorf("without the fault %s fails too: %w\n%s", run, err, out)
	}
	return names, nil
}

// wrongs are what bench --verify says is wrong: in which part, and what.
var wrongs = regexp.MustCompile(`(?m)^wrong: (\w+), ([^:]+):`)

// disagreements runs bench --verify and sums up what it finds wrong.
func disagreements(b *broken) (list []string, err error) {
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "artifice")
	if out, err := b.goCommand(testdata.Root(), "build", "-o", program, "./cmd/artifice").CombinedOutput(); err != nil {
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
