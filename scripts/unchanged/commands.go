package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"artifice/internal/testdata"
)

// result is an output that both programs produce.
type result struct {
	name string
	args []string // of artifice; out is the path of its output besides standard output
}

// out is the placeholder in the arguments of a result for its output path, relative to the working
// directory of the program, because error messages contain it.
const out = "made"

// commands returns the commands for all outputs that both programs can produce, and the names of
// modes and runtimes that only one of them has.
func commands(old, own string, traces []string) (all []result, alone []string, err error) {
	words := func(args ...string) (both []string) {
		a, errA := candidates(old, args)
		b, errB := candidates(own, args)
		if err == nil {
			err = errors.Join(errA, errB)
		}
		for _, w := range a {
			if slices.Contains(b, w) {
				both = append(both, w)
			}
		}
		for _, w := range slices.Concat(a, b) {
			if !slices.Contains(both, w) {
				alone = append(alone, strings.Join(args[len(args)-1:], " ")+" "+w)
			}
		}
		return both
	}
	apps := words("list", "--workload")
	modes := words("record", "x", "--mode")
	runtimes := words("record", "x", "--runtime")
	if err != nil {
		return nil, nil, err
	}
	sources := append(apps, filepath.Join(testdata.Root(), "testdata", "scroll.txt"))
	for _, name := range traces {
		path, err := filepath.Abs(name) // the programs run in another directory
		if err != nil {
			return nil, nil, err
		}
		sources = append(sources, path)
	}
	for _, source := range sources {
		base := filepath.Base(source)
		all = append(all, result{"bench " + base,
			[]string{"bench", source, "--modes", "all", "--intervals", "1ms,10ms", "--device", "ideal,A", "--seeds", "3", "--csv", "-q"}})
		for _, mode := range modes {
			all = append(all, recorded(base+" "+mode, source, "--mode", mode))
			all = append(all, recorded(base+" "+mode+" A", source, "--mode", mode, "--device", "A"))
		}
		for _, rt := range runtimes {
			for _, clock := range []string{"dual", "wall", "thread-cpu"} {
				for _, mode := range []string{"sample", "instrument"} {
					all = append(all, recorded(strings.Join([]string{base, mode, rt, clock}, " "),
						source, "--mode", mode, "--runtime", rt, "--clock", clock, "--device", "C"))
				}
			}
		}
	}
	return append(all, result{"fixtures", []string{"fixtures", out, "-q"}}), alone, nil
}

// recorded is a recording of a source.
func recorded(name, source string, flags ...string) result {
	return result{"record " + name, slices.Concat([]string{"record", source, "-o", out + ".trace", "-q"}, flags)}
}

// candidates returns the shell completions of a program for a flag.
func candidates(program string, args []string) ([]string, error) {
	text, err := exec.Command(program, slices.Concat([]string{"__complete"}, args, []string{""})...).Output()
	if err != nil {
		return nil, fmt.Errorf("completion of %s: %w", strings.Join(args, " "), err)
	}
	var words []string
	for line := range strings.Lines(string(text)) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words, nil
}
