package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// result is the outcome of a mutant, a line of the results file.
type result struct {
	Seed     uint64  `json:"seed"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Function string  `json:"function"`
	Kind     string  `json:"kind"`
	Original string  `json:"original"`
	Mutated  string  `json:"mutated"`
	Compiled bool    `json:"compiled"`
	KilledBy string  `json:"killed_by,omitempty"` // package and test; "" for a survivor
	Seconds  float64 `json:"seconds"`
}

// key identifies a mutant of a draw.
func (r *result) key() string {
	return fmt.Sprintf("%d %s %s %s %q %q", r.Seed, r.File, r.Function, r.Kind, r.Original, r.Mutated)
}

// survived reports whether no test detected the mutant.
func (r *result) survived() bool { return r.Compiled && r.KilledBy == "" }

// survey draws mutants and runs tests on them.
type survey struct {
	seed     uint64
	file     string // of results
	packages []*product
	coverage *coverage
	sound    map[string]*testBinary // tests without a mutant, by package
	done     []result
}

// newSurvey lists the packages and reads the results of earlier runs.
func newSurvey(seed uint64, file string) (s *survey, err error) {
	s = &survey{seed: seed, file: file, sound: map[string]*testBinary{}}
	if s.packages, err = products(testdata.Root()); err != nil {
		return nil, err
	}
	if s.coverage, err = readCoverage(strings.TrimSuffix(file, ".jsonl") + ".coverage.json"); err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	for {
		var r result
		err := d.Decode(&r)
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if r.Seed == seed {
			s.done = append(s.done, r)
		}
	}
}

// compiled counts the mutants that compile.
func (s *survey) compiled() (n int) {
	for i := range s.done {
		if s.done[i].Compiled {
			n++
		}
	}
	return n
}

// run draws mutants until n have been compiled, including those of earlier runs.
func (s *survey) run(n int, progress io.Writer) error {
	d, err := newDrawer(testdata.Root(), s.packages, s.seed)
	if err != nil {
		return err
	}
	if s.compiled() >= n {
		return nil
	}
	if err := s.coverage.measure(s.packages, progress); err != nil {
		return err
	}
	defer s.close()
	known := map[string]bool{}
	for i := range s.done {
		known[s.done[i].key()] = true
	}
	for s.compiled() < n {
		f, m := d.next()
		r := result{Seed: s.seed, File: f.name, Line: m.line, Function: m.function, Kind: m.kind}
		r.Original, r.Mutated = m.texts(f.source)
		if known[r.key()] {
			continue
		}
		known[r.key()] = true
		began := time.Now()
		if err := s.try(f, m, &r); err != nil {
			return fmt.Errorf("%s:%d: %w", r.File, r.Line, err)
		}
		r.Seconds = time.Since(began).Round(time.Second / 10).Seconds()
		s.done = append(s.done, r)
		if err := s.save(&r); err != nil {
			return err
		}
		if r.Compiled {
			fmt.Fprintf(progress, "%d/%d %s\n", s.compiled(), n, r.sentence())
		}
	}
	return nil
}

// save appends a result to the file.
func (s *survey) save(r *result) error {
	f, err := os.OpenFile(s.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(f).Encode(r); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// sentence describes a result.
func (r *result) sentence() string {
	what := fmt.Sprintf("%s:%d %s %s: %s\n    -> %s", r.File, r.Line, r.Function, r.Kind, r.Original, r.Mutated)
	if r.survived() {
		return "SURVIVED " + what
	}
	return fmt.Sprintf("killed by %s, %.0f s: %s", r.KilledBy, r.Seconds, what)
}

// try compiles a mutant and runs tests until one fails.
func (s *survey) try(f *sourceFile, m *mutation, r *result) error {
	b, err := replace(filepath.Join(testdata.Root(), filepath.FromSlash(f.name)), m.apply(f.source))
	if err != nil {
		return err
	}
	defer b.remove()
	if out, err := b.goCommand(testdata.Root(), "build", "-o", os.DevNull, f.pkg.ImportPath).CombinedOutput(); err != nil {
		if len(out) == 0 {
			return err
		}
		return nil // it does not compile
	}
	r.Compiled = true
	var tests *testBinary // of one package at a time: binaries are large
	defer func() {
		if tests != nil {
			tests.remove()
		}
	}()
	spent := 0.0
	for _, u := range s.coverage.order(f.pkg, f.name, m.executed) {
		if spent += u.Seconds; spent > maxSeconds {
			return nil
		}
		if tests == nil || tests.pkg.ImportPath != u.Package {
			if tests != nil {
				tests.remove()
			}
			i := slices.IndexFunc(s.packages, func(p *product) bool { return p.ImportPath == u.Package })
			if tests, err = buildTests(b, s.packages[i]); err != nil {
				return err
			}
		}
		if r.KilledBy, err = s.killedBy(tests, u); err != nil || r.KilledBy != "" {
			return err
		}
	}
	return nil
}

// maxSeconds is the limit of the duration of the tests that run on a mutant, as measured without it.
// Thousands of tests execute some lines.
const maxSeconds = 90

// slower is the limit of the duration of tests with a mutant, as a multiple of that of the same
// tests without it.
const slower = 5

// killedBy returns the first test of a unit that fails due to the mutant.
func (s *survey) killedBy(b *testBinary, u *unit) (string, error) {
	if b.file == "" {
		return strings.TrimPrefix(u.Package, "artifice/") + " (it does not compile)", nil
	}
	limit := time.Duration(slower*u.Seconds*float64(time.Second)) + 20*time.Second
	r, err := b.run(u.Run, limit)
	if err != nil || len(r.failed) == 0 {
		return "", err
	}
	sound := s.sound[u.Package]
	if sound == nil {
		if sound, err = buildTests(nil, b.pkg); err != nil {
			return "", err
		}
		s.sound[u.Package] = sound
	}
	again, err := sound.run(u.Run, limit)
	if err != nil || len(again.failed) > 0 { // an intermittently failing test kills nothing
		return "", err
	}
	return strings.TrimPrefix(u.Package, "artifice/") + " " + r.failed[0], nil
}

// close removes the binaries.
func (s *survey) close() {
	for _, b := range s.sound {
		b.remove()
	}
	clear(s.sound)
}

// print prints the survivors and the score.
func (s *survey) print(w io.Writer, equivalents []equivalent) {
	killed, same := 0, 0
	for i := range s.done {
		r := &s.done[i]
		if !r.survived() {
			if r.Compiled {
				killed++
			}
			continue
		}
		if e := reasonFor(equivalents, r); e != "" {
			same++
			fmt.Fprintf(w, "equivalent, %s: %s %s: %s\n    -> %s\n", e, r.File, r.Function, r.Original, r.Mutated)
		} else {
			fmt.Fprintln(w, r.sentence())
		}
	}
	drawn := s.compiled()
	n := max(1, drawn-same)
	low, high := wilson(killed, n)
	fmt.Fprintf(w, "%d mutants of %d that compile are killed, %d are equivalent: score %.1f %% (95 %% interval %.1f to %.1f %%)\n",
		killed, drawn, same, 100*float64(killed)/float64(n), 100*low, 100*high)
}

// wilson returns the 95 % confidence interval of a proportion, k of n (Wilson, 1927).
func wilson(k, n int) (low, high float64) {
	const z = 1.959964
	p, size := float64(k)/float64(n), float64(n)
	center := p + z*z/(2*size)
	half := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return (center - half) / (1 + z*z/size), (center + half) / (1 + z*z/size)
}
