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

// tests returns the tests that detect the fault: those of the package that it names, or of its own;
// with all, then those of the whole module.
func (b *broken) tests(f *fault, all bool) ([]string, error) {
	folder := filepath.Dir(b.path)
	if f.in != "" && !all {
		folder = filepath.Join(testdata.Root(), f.in)
	}
	module, in, err := moduleOf(folder)
	if err != nil {
		return nil, err
	}
	places, run := []string{in}, f.test
	if all {
		places, run = []string{in, "./..."}, ""
	}
	for _, in := range places {
		names, err := b.failing(module, in, run)
		if err != nil || len(names) > 0 {
			return names, err
		}
	}
	return nil, errors.New("no test detects it")
}

var failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// failing runs tests until one fails due to the fault, and returns those that failed.
func (b *broken) failing(module, in, run string) (names []string, err error) {
	test := func(b *broken, run string) ([]byte, error) {
		cmd := b.goCommand(module, "test", "-short", "-failfast", "-timeout", "1h", "-run", run, in)
		cmd.Env = append(cmd.Env, "EXHAUSTIVE=1") // no random choice of cases
		return cmd.CombinedOutput()
	}
	out, err := test(b, run)
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
	if out, err := test(nil, run); err != nil {
		return nil, fmt.Errorf("without the fault %s fails too: %w\n%s", run, err, out)
	}
	return names, nil
}

// wrongs matches research/verify's lines about wrong values: the part and the value's name.
var wrongs = regexp.MustCompile(`(?m)^wrong: (\w+), ([^:]+):`)

// disagreements runs research/verify and summarizes the wrong values.
func disagreements(b *broken) (list []string, err error) {
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "verify")
	if out, err := b.goCommand(filepath.Join(testdata.Root(), "research"), "build", "-o", program, "./verify").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
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
