// Command literature reproduces published figures about profilers with artifice, and prints the
// table of research/literature.md:
//
//	go run ./literature
//
// Each row has the published figure, artifice's figure, and the tolerance, which was fixed before
// the comparison. Parameters are from another source than the figure, unless a row states
// otherwise. With -awfy it reads published measurements of 30 runs, which are not part of this
// repository.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"artifice/format"
	"artifice/internal/testdata"
)

// row is a published figure.
type row struct {
	source    string // publication
	published string
	tolerance string // fixed before the comparison
	how       string // the method in artifice

	// find returns artifice's figure, and whether it is within the tolerance.
	find func() (ours string, within bool, err error)

	recorded bool // requires the recorded trace, which is not part of the repository
	jdk      bool // requires programs in Java, with an agent that records all calls

	// lacks is the reason why artifice cannot reproduce the figure; "": it can.
	lacks string
}

// recordedName is an instrumented trace of a real app.
var recordedName string

// recorded opens it.
func recorded() (*format.Input, error) {
	in, err := format.Open(recordedName, format.Config{Order: format.AsTruth})
	if err != nil {
		return nil, err
	}
	return in, in.InTimeOrder()
}

func main() {
	only := flag.String("run", "", "only rows with this `TEXT` in their source")
	flag.StringVar(&recordedName, "trace", filepath.Join(testdata.Root(), "..", "shared", "data", "traces", "instrumented-art-file.trace"), "instrumented trace of a real app, for one row")
	runs := flag.String("awfy", "", "compare 30 published runs of JFR in this `FOLDER` instead (Readers/JSONDumps/report5 of AWFY-Profilers)")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: literature [-run TEXT] [-trace FILE] [-awfy FOLDER]")
		os.Exit(2)
	}
	show := func() error { return print(os.Stdout, *only) }
	if *runs != "" {
		show = func() error { return printRuns(os.Stdout, *runs) }
	}
	if err := show(); err != nil {
		fmt.Fprintln(os.Stderr, "literature:", err)
		os.Exit(1)
	}
}

// print prints the rows as a table in Markdown, and the number of those within the tolerance.
func print(w io.Writer, only string) error {
	fmt.Fprintln(w, "| published by | number | artifice | tolerance | within | by |\n|---|---|---|---|---|---|")
	n, within := 0, 0
	for _, r := range rows {
		if !strings.Contains(r.source, only) {
			continue
		}
		n++
		if _, err := os.Stat(recordedName); r.recorded && err != nil {
			r.lacks = "it takes a recorded trace: -trace FILE"
		}
		if _, err := javaHome(); r.jdk && err != nil {
			r.lacks = "it takes a JDK and gcc: " + err.Error()
		}
		if r.lacks != "" {
			fmt.Fprintf(w, "| %s | %s | - | %s | no | %s |\n", r.source, r.published, r.tolerance, r.lacks)
			continue
		}
		ours, ok, err := r.find()
		if err != nil {
			return fmt.Errorf("%s: %w", r.source, err)
		}
		verdict := "no"
		if ok {
			verdict = "yes"
			within++
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", r.source, r.published, ours, r.tolerance, verdict, r.how)
	}
	_, err := fmt.Fprintf(w, "\n%d of %d within\n", within, n)
	return err
}
