package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// testBinary is the compiled tests of a package.
type testBinary struct {
	pkg    *product
	tree   *broken // nil: the tree as it is
	folder string
	file   string // "" if the tests do not compile
	output string // of the compiler
}

// buildTests compiles the tests of a package.
func buildTests(tree *broken, p *product, flags ...string) (*testBinary, error) {
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return nil, err
	}
	b := &testBinary{pkg: p, tree: tree, folder: folder, file: filepath.Join(folder, "tests")}
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", b.file}, flags, []string{p.ImportPath})
	out, err := tree.goCommand(testdata.Root(), args...).CombinedOutput()
	if err != nil {
		if len(out) == 0 {
			b.remove()
			return nil, err
		}
		b.file, b.output = "", string(out)
	}
	return b, nil
}

func (b *testBinary) remove() { os.RemoveAll(b.folder) }

// splitTests returns the names of the tests, as -test.run selects them. Each script of the command
// line is a test.
func splitTests(b *testBinary) (runs []string, err error) {
	cmd := exec.Command(b.file, "-test.list", ".")
	cmd.Dir = b.pkg.Dir
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(string(out)) {
		switch {
		case strings.HasPrefix(name, "Benchmark"):
		case name == "TestScripts":
			scripts, err := filepath.Glob(filepath.Join(b.pkg.Dir, "testdata", "*.txtar"))
			if err != nil {
				return nil, err
			}
			for _, s := range scripts {
				runs = append(runs, "^TestScripts$/^"+strings.TrimSuffix(filepath.Base(s), ".txtar")+"$")
			}
		default:
			runs = append(runs, "^"+name+"$")
		}
	}
	return runs, nil
}

// testRun is the outcome of tests.
type testRun struct {
	failed  []string // names of tests; the last output if the run ended otherwise
	took    time.Duration
	timeout bool
}

// maxData is the limit of the data of each process, in KiB. A mutant can use all memory.
const maxData = 6 << 20

// run runs the tests that match a pattern until one fails. More contains flags, and settings of the
// environment. The tests choose the same cases each time.
func (b *testBinary) run(pattern string, limit time.Duration, more ...string) (*testRun, error) {
	args := []string{"-c", fmt.Sprintf(`ulimit -d %d; exec "$@"`, maxData), "sh",
		b.file, "-test.short", "-test.failfast", "-test.paniconexit0", "-test.timeout", limit.String(), "-test.run", pattern}
	env := []string{"TESTSEED=1"}
	for _, m := range more {
		if strings.HasPrefix(m, "-") {
			args = append(args, m)
		} else {
			env = append(env, m)
		}
	}
	cmd := exec.Command("sh", args...)
	cmd.Dir, cmd.Env = b.pkg.Dir, append(b.tree.goCommand("").Env, env...)
	began := time.Now()
	out, err := runGroup(cmd, limit+time.Minute) // the tests stop themselves if they take too long
	r := &testRun{took: time.Since(began)}
	if err == nil {
		return r, nil
	}
	for _, m := range failed.FindAllSubmatch(out, -1) {
		r.failed = append(r.failed, string(m[1]))
	}
	switch {
	case bytes.Contains(out, []byte("panic: test timed out")):
		r.failed, r.timeout = []string{"(timeout)"}, true
		if m := running.FindSubmatch(out); m != nil {
			r.failed[0] = "timeout in " + string(m[1])
		}
	case len(r.failed) == 0:
		line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		r.failed = []string{fmt.Sprintf("(%v: %s)", err, line[:min(len(line), 100)])}
	}
	return r, nil
}

// running matches the test that a timeout has ended.
var running = regexp.MustCompile(`running tests:\n\t(\w+)`)
