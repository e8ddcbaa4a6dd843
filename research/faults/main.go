// Command faults injects small faults into the program, one at a time, and prints the tests that
// detect them:
//
//	go run ./faults                  # tests, and research/verify
//	go run ./faults -verify          # only research/verify
//	go run ./faults -tests           # only tests
//	go run ./faults -run 'V2|RheaTrace'
//	go run ./faults -shard 2/4       # the second quarter
//	go run ./faults -art             # only the comparison with ART 11, for the faults that it must detect
//
// With -mutants it draws random changes of the product's code instead, and runs the tests that
// execute the changed line until one fails, or for 90 s: those of its package, of the command line,
// then others. A mutant on a line that no test executes survives without a run:
//
//	go run ./faults -mutants 500 -seed 7 -results mutants.jsonl
//	go run ./faults -unexecuted      # the lines of statements that no test executes
//
// It appends each result to the file; the same command continues after an interruption. The coverage
// of the tests is next to it, in mutants.coverage.json, and is measured again where sources have
// changed. Tests run with -short and without EXHAUSTIVE, because all their cases take too long for
// hundreds of mutants, but with TESTSEED, so that they choose the same cases each time: the score is
// a lower bound. Mutants that do not compile are skipped, and a test that takes five times as long as
// usual counts as failed. equivalent.tsv lists survivors that no test can detect. The score is the
// share of killed mutants among the others.
//
// An undetected fault is a gap in the tests, and the exit status is 1. The exit status is also 1 if
// the text of a fault no longer occurs in the source, or if only tests that fail without the fault
// detect it. The tree is not changed: the compiler reads the faulty file instead of the original,
// so only its dependents are rebuilt.
//
// The program runs the test that a fault names, in the package of the fault unless it names another
// package. With -all it runs all tests of the package, then all of the module.
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
	flag.BoolVar(&s.verify, "verify", false, "run only research/verify, on the faults that it must detect")
	flag.BoolVar(&s.tests, "tests", false, "run only tests")
	flag.BoolVar(&s.all, "all", false, "run all tests for every fault, in their short form")
	flag.BoolVar(&s.art, "art", false, "run only the comparison with ART 11 (TestSubset of research/internal/art11/matrix), on the faults that it must detect; ART 11 must be installed")
	flag.StringVar(&s.match, "run", "", "inject only faults with a description that matches this `regexp`")
	flag.StringVar(&s.shard, "shard", "1/1", "inject only this part of the faults, `i/n`: every n-th, from the i-th on")
	mutants := flag.Int("mutants", 0, "draw this many random mutants instead")
	seed := flag.Uint64("seed", 1, "random seed of -mutants")
	results := flag.String("results", "mutants.jsonl", "`FILE` of the results of -mutants")
	unexecuted := flag.Bool("unexecuted", false, "print the lines of statements that no test executes instead")
	flag.Parse()
	run := s.run
	switch {
	case *unexecuted:
		run = func() error { return printUnexecuted(*results) }
	case *mutants > 0:
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

// printUnexecuted measures the coverage of the tests, and prints what none of them executes.
func printUnexecuted(file string) error {
	s, err := newSurvey(0, file)
	if err != nil {
		return err
	}
	if err := s.coverage.measure(s.packages, os.Stderr); err != nil {
		return err
	}
	s.coverage.printUnexecuted(os.Stdout)
	return nil
}

// selection selects faults and tests.
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
			return errors.Join(err, fmt.Errorf("research/verify fails without a fault: %s", strings.Join(sound, "; ")))
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
	fmt.Fprintf(os.Stderr, "%d of %d faults are detected\n", len(list)-len(errs), len(list))
	return errors.Join(errs...)
}

// faults returns the selected faults.
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
		list = slices.Concat(list, faults, late, desktop, edges)
	}
	list = slices.DeleteFunc(list, func(f fault) bool { return !match.MatchString(f.what) || s.art && !f.art })
	part := list[:0]
	for k := i - 1; k < len(list); k += n {
		part = append(part, list[k])
	}
	return part, nil
}

// try injects the fault and returns what detects it. It returns an error if nothing does,
// separately for tests and for research/verify.
func (s *selection) try(f *fault) (noticed []string, err error) {
	b, err := f.inject()
	if err != nil {
		return nil, err
	}
	defer b.remove()
	if !s.verify {
		if s.art {
			f.in, f.test = "./research/internal/art11/matrix", "TestSubset"
		}
		if noticed, err = b.tests(f, s.all); err != nil {
			return nil, err
		}
	}
	if f.verified {
		wrong, err := disagreements(b)
		if err == nil && len(wrong) == 0 {
			err = errors.New("research/verify does not detect it")
		}
		if err != nil {
			return nil, err
		}
		noticed = append(noticed, wrong...)
	}
	return noticed, nil
}
