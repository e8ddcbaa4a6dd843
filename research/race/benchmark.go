package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"artifice/internal/testdata"
)

// benchmarks runs the benchmarks that have goals: those of each package in one process, the
// packages in turns.
func (r *race) benchmarks() error {
	for _, b := range suites {
		if err := command(testdata.Root(), "go", "test", "-c", "-o", r.binary(b.pkg), "./"+b.pkg); err != nil {
			return err
		}
	}
	for range r.rounds {
		r.cores.measure()
		for _, b := range suites {
			if err := r.bench(&b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *race) binary(pkg string) string {
	return filepath.Join(r.dir, filepath.Base(pkg)+".test")
}

// bench runs the benchmarks of a suite once.
func (r *race) bench(s *suite) error {
	args := []string{"-test.run=^$", "-test.short", "-test.bench=" + s.match, "-test.benchtime=" + s.time}
	cmd := exec.Command(r.binary(s.pkg), args...)
	cmd.Dir = filepath.Join(testdata.Root(), s.pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := r.best.parse(out, s.pkg); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("benchmarks of %s: %w", s.pkg, err)
	}
	return nil
}

// parse adds the figures of a benchmark's output: the metric ns/event under the name of the
// benchmark, as in "reader.Read", and others with their unit as a suffix.
func (m measures) parse(r io.Reader, pkg string) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		name, rest, ok := strings.Cut(lines.Text(), "\t")
		name, isBenchmark := strings.CutPrefix(strings.TrimSpace(name), "Benchmark")
		if !ok || !isBenchmark {
			continue
		}
		if name, cores, ok := cutLast(name, "-"); ok {
			if _, err := strconv.Atoi(cores); err == nil { // as in BenchmarkRead-2
				m.parseMetrics(pkg+"."+name, rest)
				continue
			}
		}
		m.parseMetrics(pkg+"."+name, rest)
	}
	return lines.Err()
}

// parseMetrics adds the pairs of a number and a unit that follow a benchmark's name.
func (m measures) parseMetrics(name, text string) {
	for _, column := range strings.Split(text, "\t")[1:] { // the first column is the number of runs
		number, unit, _ := strings.Cut(strings.TrimSpace(column), " ")
		v, err := strconv.ParseFloat(number, 64)
		switch {
		case err != nil:
		case unit == "ns/event":
			m.add(name, v)
		default:
			m.add(name+" "+unit, v)
		}
	}
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
