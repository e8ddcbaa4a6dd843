// Command faults breaks the program in small ways, one at a time, and prints what
// notices:
//
//	go run ./faults                  # tests, and research/verify
//	go run ./faults -verify          # research/verify alone
//	go run ./faults -tests           # tests alone
//	go run ./faults -run 'V2|RheaTrace'
//	go run ./faults -shard 2/4       # the second quarter
//	go run ./faults -art             # only what holds ART 11 itself against ours, on the faults that it has to notice
//
// With -mutants it draws random changes of the product's code instead, and runs the tests of the package, of the
// command line, of bench and of the packages that import it, until one fails:
//
//	go run ./faults -mutants 500 -seed 7 -results mutants.jsonl
//
// Each result is appended to the file, and the same command continues after an interruption. A mutant that does
// not compile is left out, and a test that takes five times as long as usual counts as failed. equivalent.tsv
// lists survivors that no test can notice. The score is the share of killed mutants among the others.
//
// A fault that nothing notices is a hole in the tests; it ends the command with status
// 1, as does one whose place in the source is gone, or one that only tests notice which
// fail without it too. The tree stays as it is: the compiler is given the broken file in
// place of the sound one, so that only what depends on it is built anew.
//
// The tests are those of the package that has the fault, of which the first to fail ends
// the run; of a fault that they cannot notice, those of another one that it names. With
// -all they are all of the package's, then all of the module's.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	var s selection
	flag.BoolVar(&s.verify, "verify", false, "only research/verify, on the faults that it has to notice")
	flag.BoolVar(&s.tests, "tests", false, "only tests")
	flag.BoolVar(&s.all, "all", false, "run all tests for every fault, in their short form")
	flag.BoolVar(&s.art, "art", false, "only the test that compares with ART 11 itself (TestFew of research/internal/art11/matrix), on the faults that it has to notice; it has to be installed")
	flag.StringVar(&s.match, "run", "", "only faults whose description matches this `regexp`")
	flag.StringVar(&s.shard, "shard", "1/1", "only this part of the faults, as `i/n`: every n-th, from the i-th")
	mutants := flag.Int("mutants", 0, "draw this many random mutants instead")
	seed := flag.Uint64("seed", 1, "random seed of -mutants")
	results := flag.String("results", "mutants.jsonl", "`FILE` of the results of -mutants")
	flag.Parse()
	run := s.run
	if *mutants > 0 {
		run = func() error { return runMutants(*mutants, *seed, *results) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// runMutants draws mutants and prints the survivors and the score.
func runMutants(n int, seed uint64, file string) error {
	equivalents, err := parseEquivalents(equivalentTable)
	if err != nil {
		return err
	}
	s, err := newSurvey(seed, file)
	if err != nil {
		return err
	}
	err = s.run(n, os.Stderr)
	s.print(os.Stdout, equivalents)
	return err
}

// selection is what is to be tried.
type selection struct {
	verify, tests, all, art bool
	match, shard            string
}

func (s *selection) run() error {
	list, err := s.faults()
	if err != nil {
		return err
	}
	var errs []error
	if !s.tests && slices.ContainsFunc(list, func(f fault) bool { return f.verified }) {
		sound, err := disagreements(nil)
		if err != nil || len(sound) > 0 {
			return errors.Join(err, fmt.Errorf("research/verify of the tree as it is finds wrong: %s", strings.Join(sound, "; ")))
		}
	}
	for _, f := range list {
		noticed, err := s.try(&f)
		if err != nil {
			err = fmt.Errorf("%s: %w", f.what, err)
			fmt.Fprintln(os.Stderr, err)
			errs = append(errs, err)
			continue
		}
		fmt.Printf("%s\n    %s\n", f.what, strings.Join(noticed, "\n    "))
	}
	fmt.Fprintf(os.Stderr, "%d of %d faults are noticed\n", len(list)-len(errs), len(list))
	return errors.Join(errs...)
}

// faults returns those that are selected.
func (s *selection) faults() (list []fault, err error) {
	match, err := regexp.Compile(s.match)
	if err != nil {
		return nil, err
	}
	var i, n int
	if _, err := fmt.Sscanf(s.shard, "%d/%d", &i, &n); err != nil || i < 1 || i > n {
		return nil, fmt.Errorf("-shard %s: want i/n with i from 1 to n", s.shard)
	}
	for _, f := range verified {
		f.verified = !s.tests && !s.art
		list = append(list, f)
	}
	if !s.verify {
		list = slices.Concat(list, faults, late, desktop)
	}
	list = slices.DeleteFunc(list, func(f fault) bool { return !match.MatchString(f.what) || s.art && !f.art })
	part := list[:0]
	for k := i - 1; k < len(list); k += n {
		part = append(part, list[k])
	}
	return part, nil
}

// try makes the fault and returns what notices it. That nothing does is an error, for
// tests and for research/verify by itself.
func (s *selection) try(f *fault) (noticed []string, err error) {
	b, err := f.inject()
	if err != nil {
		return nil, err
	}
	defer b.remove()
	if !s.verify {
		if s.art {
			f.in, f.test = "./research/internal/art11/matrix", "TestFew"
		}
		if noticed, err = b.tests(f, s.all); err != nil {
			return nil, err
		}
	}
	if f.verified {
		wrong, err := disagreements(b)
		if err == nil && len(wrong) == 0 {
			err = errors.New("research/verify does not notice")
		}
		if err != nil {
			return nil, err
		}
		noticed = append(noticed, wrong...)
	}
	return noticed, nil
}
