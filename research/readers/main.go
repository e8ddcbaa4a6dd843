// Command readers compares how third-party programs read the files of convert, and prints the
// Markdown table of readers/README.md.
//
//	go run ./readers ../../shared/data/traces
//
//	go run ./readers -matrix ../../shared/data
//
// prints the other table there: the totals that are preserved if inputs of all kinds are written
// and read in all formats. Names of inputs after the folder select some.
//
// The folder contains the real traces of the tests; without it only the built-in apps and the
// unusual files are used. The command needs go, node and npm, with access to its registry or a
// filled cache, and Debian's dmtracedump and libdevel-nytprof-perl. A row is a format and a reader;
// a cell is "exact" if the reader shows the input's values, or "-" if it does not show that aspect.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"artifice/research/internal/browser"
	"artifice/research/internal/peers/outputs"
	"artifice/research/internal/peers/seen"
)

func main() {
	traces := ""
	if len(os.Args) >= 3 && os.Args[1] == "-matrix" {
		matrix(os.Args[2], os.Args[3:])
		return
	}
	if len(os.Args) > 1 {
		traces = os.Args[1]
	}
	t := browser.NewHost("readers")
	defer t.Finish()
	t.Cleanup(outputs.Remove)
	p := outputs.Build(t)
	inputs := outputs.Inputs(t, p, traces)
	formats := slices.Concat(outputs.MethodTraces(t), outputs.Timelines(t), outputs.Profiles(t))
	results := outputs.Run(t, p, formats, inputs)
	fmt.Printf("| format | reader | files | %s |\n|---|---|---|%s\n", strings.Join(seen.Aspects, " | "), strings.Repeat("---|", len(seen.Aspects)))
	for _, r := range results {
		fmt.Println(row(r))
	}
	for _, r := range results {
		for _, f := range r.Failures {
			if f.Aspect == "" || slices.Contains(r.Shows, f.Aspect) {
				fmt.Printf("\n%s in %s, %s: %s %s\n", r.Format, r.Reader, f.Input, f.Aspect, f.Text)
			}
		}
	}
}

// matrix prints the round trips of inputs of a folder, and their faults: of all inputs, or of the
// named ones.
func matrix(data string, names []string) {
	t := browser.NewHost("readers")
	defer t.Finish()
	p := outputs.Build(t)
	formats := outputs.MatrixFormats()
	var rows [][]outputs.Cell
	for _, k := range outputs.Kinds {
		if len(names) > 0 && !slices.Contains(names, k.Name) {
			continue
		}
		rows = append(rows, outputs.TripsOf(t, p, k, k.Path(data), formats))
	}
	fmt.Print(outputs.MatrixTable(formats, rows))
	for _, c := range slices.Concat(rows...) {
		if c.Fault != "" {
			fmt.Printf("\n%s as %s: %s\n", c.Kind, c.Format, c.Fault)
		}
		if c.Score != "" {
			fmt.Printf("\n%s as %s, scored: %s\n", c.Kind, c.Format, c.Score)
		}
	}
}

// row is a line of the table.
func row(r outputs.Result) string {
	files := fmt.Sprint(r.Files)
	if n := len(r.Refused); n > 0 {
		files += fmt.Sprintf(" of %d", r.Files+n)
	}
	cells := []string{r.Format, r.Reader, files}
	for _, aspect := range seen.Aspects {
		cells = append(cells, cell(r, aspect))
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// cell returns the result of a reader in an aspect.
func cell(r outputs.Result, aspect string) string {
	if !slices.Contains(r.Shows, aspect) {
		return "-"
	}
	wrong := make(map[string]bool) // names of inputs
	for _, f := range r.Failures {
		if f.Aspect == aspect {
			wrong[f.Input] = true
		}
	}
	if len(wrong) > 0 {
		return fmt.Sprintf("wrong in %d", len(wrong))
	}
	return "exact"
}
