// Command unchanged shows how a change of the code affects the outputs, for changes that should not
// affect any:
//
//	go run ./scripts/unchanged -before COMMIT
//
// It runs the artifice of the working tree and that of the commit side by side and compares, byte
// for byte, the CSV of the sweep over every tracing method, the file of record in every mode and
// for every runtime, and the fixtures. The sources are all built-in apps, testdata/scroll.txt and
// the traces in the arguments. Each difference is printed with its first position. The exit status
// is 1 if there is any difference.
//
// The modes and runtimes are those that both programs have; the others are listed.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"

	"artifice/internal/testdata"
)

func main() {
	before := flag.String("before", "", "compare with this `commit`")
	verbose := flag.Bool("v", false, "print rejected lines")
	only := flag.String("only", "", "run only commands that match this `regexp`")
	flag.Parse()
	if *before == "" {
		fmt.Fprintln(os.Stderr, "unchanged: -before COMMIT is required")
		os.Exit(2)
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintf(os.Stderr, "unchanged: -only: %v\n", err)
		os.Exit(2)
	}
	differ, err := run(*before, pattern, *verbose, flag.Args())
	if err != nil {
		fmt.Fprintf(os.Stderr, "unchanged: %v\n", err)
		os.Exit(1)
	}
	if differ > 0 {
		os.Exit(1)
	}
}

// run compares the results of both programs and returns how many differ.
func run(before string, only *regexp.Regexp, verbose bool, traces []string) (differ int, err error) {
	dir, err := os.MkdirTemp("", "artifice-unchanged")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	own, err := testdata.Build(dir)
	if err != nil {
		return 0, err
	}
	old, err := testdata.BuildBefore(dir, before)
	if err != nil {
		return 0, err
	}
	all, alone, err := commands(old, own, traces)
	if err != nil {
		return 0, err
	}
	for _, name := range alone {
		fmt.Printf("%s: unknown to one of the programs\n", name)
	}
	ran, refused := 0, 0
	for r := range compareAll(all, only, dir, old, own, runtime.NumCPU()) {
		ran++
		switch {
		case r.difference != "":
			differ++
			fmt.Printf("%s: %s\n", r.name, r.difference)
		case r.refused:
			refused++
			if verbose {
				fmt.Printf("%s: refused\n", r.name)
			}
		}
	}
	if ran == 0 {
		return 0, fmt.Errorf("nothing was compared")
	}
	fmt.Printf("%d results compared, of which %d are refusals in the same words; %d differ\n", ran, refused, differ)
	return differ, nil
}
