// Command corpus reads every file of a folder, and compares its counts with a table for publicly
// available files of other projects:
//
//	go run ./corpus FOLDER
//
// It downloads nothing. sources.tsv lists the repositories, the commit of each and the paths in it;
// CONTRIBUTING.md describes how to fill the folder. Files are identified by their content, so they
// can have any path in the folder. counts.tsv has a line for each file: SHA-256, size, the
// recognized format, the numbers of threads with events, enters, exits and dumps, the wall time
// from the first to the last event in ns, and a path; or the error. The program also reads files
// that are not in the table, to detect crashes and hangs; -new prints their lines. -write FILE
// writes the table of the folder.
//
// The exit status is 1 if a file differs, or none of the table exists.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
)

//go:embed counts.tsv
var known string

func main() {
	unknown := flag.Bool("new", false, "print the lines of files that are not in the table")
	write := flag.String("write", "", "write the table of the folder to `FILE`, without a comparison")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: corpus [-new] [-write FILE] FOLDER")
		os.Exit(2)
	}
	rows, err := readFolder(flag.Arg(0))
	if err == nil && *write != "" {
		err = os.WriteFile(*write, []byte(tableOf(rows)), 0o644)
	} else if err == nil {
		err = compare(os.Stdout, known, rows, *unknown)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "corpus: %v\n", err)
		os.Exit(1)
	}
}
