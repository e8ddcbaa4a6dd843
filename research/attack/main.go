// Command attack runs every command of artifice that reads a file on generated hostile files. It
// checks the exit status, messages, files, memory and CPU time:
//
//	go run ./attack -seed 7 -for 2m
//	go run ./attack -seed 7 -case pprof-deep/view/3 -keep DIR
//
// The first form draws cases until the time is over. It prints each failure with a command that
// reproduces it, and the number of failures; -table adds a table of classes and commands. The
// second form repeats one case. -keep saves the files of failed cases in a folder.
//
// A run succeeds if
//
//   - it exits with status 0, 1 or 2, without a panic or a signal
//   - a failure has one message, of at most 2000 bytes a line, that contains the name of the file
//   - the input has the same bytes as before
//   - a failure leaves no output, and no run leaves a temporary file
//   - peak memory is at most 64 MiB and 64 bytes for each unpacked byte of the input; commands that
//     keep every calling context (docs/speed.md) have a larger bound
//   - CPU time has an absolute bound, and input of double size takes at most three times the CPU
//     time, which is measured twice before it counts as a failure
//
// A run is ended by a limit of CPU time, not of wall time, so a busy machine causes no failures.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"artifice/internal/testdata"
)

func main() {
	var a attack
	flag.Uint64Var(&a.seed, "seed", 1, "random seed")
	duration := flag.Duration("for", 2*time.Minute, "draw cases for this long")
	only := flag.String("case", "", "run only this case, `CLASS/COMMAND/ROUND`")
	flag.StringVar(&a.keep, "keep", "", "save the files of failed cases in this `FOLDER`")
	flag.BoolVar(&a.timing, "timing", true, "compare the CPU time of slow cases with that for double the input; CI does not")
	table := flag.Bool("table", false, "print a table of classes and commands")
	flag.Parse()
	failed, err := a.run(*only, *duration, *table)
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
	}
	if err != nil || failed > 0 {
		os.Exit(1)
	}
}

// run builds the program, runs the cases and prints the results.
func (a *attack) run(only string, duration time.Duration, table bool) (failed int, err error) {
	folder, err := os.MkdirTemp("", "attack")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	a.folder, a.out = folder, os.Stdout
	if a.program, err = testdata.Build(folder); err != nil {
		return 0, err
	}
	if err := a.prepare(); err != nil {
		return 0, err
	}
	fmt.Printf("seed %d: %d classes, %d commands; the program without an input takes %s\n", a.seed, len(a.classes), len(commands), mebibytes(a.baseline))
	if only != "" {
		err = a.one(only)
	} else {
		err = a.draw(time.Now().Add(duration))
	}
	if table {
		a.printTable()
	}
	fmt.Printf("%d runs, %d failed\n", a.runs, a.failed)
	return a.failed, err
}
