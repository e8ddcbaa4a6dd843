// Command corpus reads every file of a folder, and compares its counts with a table for publicly
// available files of other projects:
//
//	go run ./corpus FOLDER
//
// It downloads nothing. sources.tsv lists the repositories, the commit of each and the paths in it;
// CONTRIBUTING.md describes how to fill the folder. Files are identified by their content, so they
// may be anywhere in it. counts.tsv has a line for each: SHA-256, size, the recognized format, the
// numbers of threads with events, enters, exits and dumps, the wall time from the first event to
// the last in ns, and a path; or the error. Files that are not in the table are read, too, to
// detect crashes and hangs; -new prints their lines. -write FILE writes the table of the folder.
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
	unknown := flag.Bool("new", false, "print the lines of files that the table does not have")
	write := flag.String("write", "", "write the table of the folder to `FILE`, and compare nothing")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "corpus: name the folder with the files: go run ./corpus FOLDER")
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
