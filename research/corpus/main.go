// Command corpus reads every file of a folder, and compares what it finds with a table of
// what was found in files of others that can be had publicly:
//
//	go run ./corpus FOLDER
//
// It fetches nothing. sources.tsv lists the repositories, the commit of each and the paths in
// it; CONTRIBUTING.md says how to fill the folder. Files are told by their content, so that
// they may lie anywhere in it. counts.tsv has a line for each: SHA-256, size, the format that
// it is read as, how many threads have events, how many enters, exits and dumps there are, the
// wall time from the first event to the last in ns, and a path; or why it is refused. Files
// that the table does not have are read, too, so that none may crash or hang the program;
// -new prints their lines. -write FILE writes the table of the folder.
//
// The status is 1 where a file differs, or none of the table is there.
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
