package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// testRun is the outcome of the tests of a package.
type testRun struct {
	failed []string // names of tests; the last output if the run ended otherwise
	tops   []string // tests without subtests, to run again
	took   time.Duration
}

// Limits of a test run. A mutant can use all memory.
const (
	maxData = 6 << 20 // KiB of data for each process
	slower  = 5       // times the duration of the sound tests
)

// testPackage runs tests of a package, those that match run, until one fails. b is nil for the tree
// as it is.
func testPackage(b *broken, p *product, run string, limit time.Duration) (*testRun, error) {
	args := []string{"test", "-short", "-failfast", "-vet=off", "-count=1", "-timeout", limit.String(), "-run", run, p.ImportPath}
	inner := b.goCommand(testdata.Root(), args...)
	script := fmt.Sprintf(`ulimit -d %d; exec "$@"`, maxData)
	cmd := exec.Command("sh", append([]string{"-c", script, "sh", inner.Path}, inner.Args[1:]...)...)
	cmd.Dir, cmd.Env = inner.Dir, inner.Env
	began := time.Now()
	out, err := runGroup(cmd, limit+5*time.Minute) // go test itself stops tests that take too long
	r := &testRun{took: time.Since(began)}
	if err == nil {
		return r, nil
	}
	text := string(out)
	for _, m := range failed.FindAllStringSubmatch(text, -1) {
		top, _, _ := strings.Cut(m[1], "/")
		r.failed, r.tops = append(r.failed, m[1]), append(r.tops, top)
	}
	switch {
	case len(r.failed) > 0:
	case strings.Contains(text, "panic: test timed out"):
		r.failed = []string{"(timeout)"}
		if m := running.FindStringSubmatch(text); m != nil {
			r.failed[0], r.tops = "timeout in "+m[1], []string{m[1]}
		}
	case strings.Contains(text, "\nFAIL\t") || strings.HasPrefix(text, "FAIL\t"):
		line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		r.failed = []string{"(" + line[:min(len(line), 100)] + ")"}
	default:
		return nil, fmt.Errorf("go test %s: %w\n%s", p.ImportPath, err, text)
	}
	slices.Sort(r.tops)
	r.tops = slices.Compact(r.tops)
	return r, nil
}

// running matches the test that a timeout has ended.
var running = regexp.MustCompile(`running tests:\n\t(\w+)`)

// killedBy returns the first test of a package that fails due to the mutant.
func (s *survey) killedBy(b *broken, p *product) (string, error) {
	sound, ok := s.soundFor[p.ImportPath]
	if !ok {
		r, err := testPackage(nil, p, "", time.Hour)
		if err != nil {
			return "", err
		}
		if len(r.failed) > 0 {
			return "", fmt.Errorf("without a mutant %s fails: %s", p.ImportPath, strings.Join(r.failed, ", "))
		}
		sound = r.took
		s.soundFor[p.ImportPath] = sound
	}
	r, err := testPackage(b, p, "", slower*sound+time.Minute)
	if err != nil || len(r.failed) == 0 {
		return "", err
	}
	if len(r.tops) > 0 { // an intermittently failing test kills nothing
		again, err := testPackage(nil, p, "^("+strings.Join(r.tops, "|")+")$", time.Hour)
		if err != nil {
			return "", err
		}
		if len(again.failed) > 0 {
			return "", fmt.Errorf("without the mutant %s of %s fails, too", strings.Join(again.failed, ", "), p.ImportPath)
		}
	}
	return strings.TrimPrefix(p.ImportPath, "artifice/") + " " + r.failed[0], nil
}
