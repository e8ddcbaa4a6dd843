// Command art compares the emulation of ART 11 with the runtime itself, as packaged by Debian
// (package research/internal/art11 lists what to install), and prints for each truth and tracing
// options whether both write the same bytes:
//
//	go run ./art                    # the matrix; of built-in apps through artifice record
//	go run ./art -run 'gc|cold'     # only truths whose names match
//	go run ./art -random 1000       # random truths and options
//	go run ./art -random 1 -from 17 # one of them again
//
// It prints each difference; with any, the exit status is 1.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"artifice/internal/testdata"
	"artifice/research/internal/art11"
	"artifice/research/internal/art11/matrix"
)

func main() {
	random := flag.Int("random", 0, "compare so many truths made at random instead of the matrix")
	from := flag.Uint64("from", 0, "seed of the first of them")
	match := flag.String("run", "", "only truths whose names match this `regexp`")
	flag.Parse()
	if err := run(*random, *from, *match); err != nil {
		fmt.Fprintln(os.Stderr, "art:", err)
		os.Exit(1)
	}
}

func run(random int, from uint64, match string) error {
	a, err := art11.Open()
	if err != nil {
		return err
	}
	if random > 0 {
		sum := &matrix.Sum{}
		matrix.Each(a, random, func(i int) (*matrix.Cell, error) { return matrix.Random(from + uint64(i)) }, sum.Add)
		fmt.Printf("random truths from seed %d on: %s\n", from, sum)
		return sum.Err()
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
			fmt.Println("left out:", err)
			continue
		}
		all = append(all, matrix.Truth{Name: name, Open: func() (*art11.Truth, error) { return matrix.OpenTrace(path) }})
	}
	return all
}
