// Command art compares the emulation of ART 11 with the runtime itself, as packaged by Debian
// (package research/internal/art11 lists what to install), and prints for each truth and tracing
// options whether both write the same bytes:
//
//	go run ./art                    # the matrix; built-in apps are recorded by artifice record
//	go run ./art -run 'gc|cold'     # only truths with a name that matches
//	go run ./art -random 1000       # random truths and options
//	go run ./art -random 1 -from 17 # repeat one of them
//	go run ./art -wide 100000 -state equal.txt # more threads, frames, time and names; resumable
//	go run ./art -rare 1000         # proxies, a trace before the trace, allocation statistics
//
// It prints each difference, and exits with status 1 if there is any.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"artifice/internal/testdata"
	"artifice/research/internal/art11"
	"artifice/research/internal/art11/matrix"
)

func main() {
	random := flag.Int("random", 0, "compare this `number` of random truths instead of the matrix")
	wide := flag.Int("wide", 0, "compare this `number` of random truths with more threads, frames, time and names")
	rare := flag.Int("rare", 0, "compare this `number` of random truths with proxies, earlier traces and allocation statistics")
	from := flag.Uint64("from", 0, "seed of the first random truth")
	state := flag.String("state", "", "`file` with the number of equal truths so far: continue after them, up to the number of -random or -wide")
	match := flag.String("run", "", "compare only truths with a name that matches this `regexp`")
	flag.Parse()
	run := func() error { return compareMatrix(*match) }
	switch {
	case *random > 0:
		run = func() error { return compareRandom("random", matrix.Random, *random, *from, *state) }
	case *rare > 0:
		run = func() error { return compareRandom("rare random", matrix.RandomRare, *rare, *from, *state) }
	case *wide > 0:
		run = func() error { return compareRandom("wide random", matrix.RandomWide, *wide, *from, *state) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "art:", err)
		os.Exit(1)
	}
}

// batch is the number of truths after which the state is saved.
const batch = 100

// compareRandom compares n random truths of a kind, the first with the seed from. With a state, it
// continues after the truths that were equal, and stops at a difference.
func compareRandom(kind string, cell func(seed uint64) (*matrix.Cell, error), n int, from uint64, state string) error {
	a, err := art11.Open()
	if err != nil {
		return err
	}
	done, err := readState(state)
	if err != nil {
		return err
	}
	sum := &matrix.Sum{}
	for done < n && err == nil {
		first, count := done, min(batch, n-done)
		matrix.Each(a, count, func(i int) (*matrix.Cell, error) { return cell(from + uint64(first+i)) }, sum.Add)
		if err = sum.Err(); err == nil || state == "" {
			done, err = done+count, writeState(state, done+count)
		}
	}
	fmt.Printf("%s truths from seed %d on: %s\n", kind, from, sum)
	if state != "" {
		fmt.Printf("%d of %d are equal, including earlier runs\n", done, n)
	}
	return errors.Join(err, sum.Err())
}

// readState returns the number in a file, 0 if there is no file.
func readState(path string) (n int, err error) {
	text, err := os.ReadFile(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err == nil {
		n, err = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	return n, err
}

func writeState(path string, n int) error {
	if path == "" {
		return nil
	}
	return os.WriteFile(path, fmt.Appendln(nil, n), 0o666)
}

// compareMatrix compares the truths of the matrix with matching names.
func compareMatrix(match string) error {
	a, err := art11.Open()
	if err != nil {
		return err
	}
	pattern, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	return printMatrix(a, pattern)
}

// printMatrix prints a line for each truth.
func printMatrix(a *art11.ART, match *regexp.Regexp) error {
	command, err := matrix.NewCommand()
	if err != nil {
		return err
	}
	defer command.Remove()
	return matrix.Print(a, truths(), match, func(name string, truth *art11.Truth) (cells []*matrix.Cell) {
		for _, w := range matrix.Ways(truth) {
			c := &matrix.Cell{Name: name, Way: w, Truth: truth}
			if command.Takes(truth, w) {
				c.By, c.Whole = command.Emulate, true
			}
			cells = append(cells, c)
		}
		return cells
	})
}

// truths returns all truths of the matrix, without recorded traces that are not available.
func truths() []matrix.Truth {
	all := matrix.Truths(testdata.Root())
	for _, name := range matrix.Traces {
		path := filepath.Join(testdata.Root(), "..", "shared", "data", "traces", name)
		if _, err := os.Stat(path); err != nil {
			fmt.Println("skipped:", err)
			continue
		}
		all = append(all, matrix.Truth{Name: name, Open: func() (*art11.Truth, error) { return matrix.OpenTrace(path) }})
	}
	return all
}
