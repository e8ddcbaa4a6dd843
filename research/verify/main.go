// Command verify compares tracers, files and measures with theory and a reference implementation:
//
//	go run ./verify [-wide] [-csv | -json] [-seed N]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"artifice/internal/cli"
	"artifice/research/internal/verify"
)

func main() {
	var form cli.Form
	wide := flag.Bool("wide", false, "print each value")
	form.AddFlags(flag.CommandLine)
	seed := flag.Uint64("seed", 1, "random seed")
	flag.Parse()
	if err := run(form, *wide, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		os.Exit(1)
	}
}

func run(form cli.Form, wide bool, seed uint64) error {
	var verdicts []verify.Verdict
	err := verify.Run(context.Background(), verify.Config{Seed: seed}, func(string, int, int) {}, func(v verify.Verdict) { verdicts = append(verdicts, v) })
	if wide || form.CSV || form.JSON {
		if printErr := form.Print(os.Stdout, eachVerdict(verdicts)); err == nil {
			err = printErr
		}
		return err
	}
	sums := summarise(verdicts)
	if printErr := form.Print(os.Stdout, measuresVerified(sums)); printErr != nil {
		return printErr
	}
	fmt.Printf("\n%s\n\n", closeToTheory(verdicts))
	if printErr := form.Print(os.Stdout, recordingsVerified(sums)); printErr != nil {
		return printErr
	}
	for _, s := range sums {
		if s.wrong > 0 {
			fmt.Printf("\nwrong: %s, %s: %d of %d, first %s\n", s.part, s.what, s.wrong, s.values, describe(&s.first))
		}
	}
	return err
}
