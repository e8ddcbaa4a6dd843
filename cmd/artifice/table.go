package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// A listing is a command's result as rows. Every listing can be had as aligned
// text, as JSON (--json) and as CSV (--csv).
type listing struct {
	columns []string
	right   []bool // columns aligned to the right; a missing one is aligned left
	rows    [][]string
	json    any // what --json prints; nil: an array of objects, one a row
}

// listFlags are the flags that choose a listing's form.
type listFlags struct{ json, csv bool }

func (f *listFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&f.csv, "csv", false, "print CSV")
	cmd.MarkFlagsMutuallyExclusive("json", "csv")
}

// print writes l in the form that was asked for.
func (f *listFlags) print(w io.Writer, l *listing) error {
	switch {
	case f.json:
		return l.printJSON(w)
	case f.csv:
		return l.printCSV(w)
	}
	return l.printText(w)
}

func (l *listing) printJSON(w io.Writer) error {
	value := l.json
	if value == nil {
		objects := make([]map[string]string, len(l.rows))
		for i, row := range l.rows {
			objects[i] = map[string]string{}
			for c, name := range l.columns {
				objects[i][name] = row[c]
			}
		}
		value = objects
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(value)
}

func (l *listing) printCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(l.columns); err != nil {
		return err
	}
	return c.WriteAll(l.rows)
}

func (l *listing) printText(w io.Writer) error {
	width := make([]int, len(l.columns))
	for _, row := range append([][]string{l.columns}, l.rows...) {
		for c, cell := range row {
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range append([][]string{l.columns}, l.rows...) {
		var line strings.Builder
		for c, cell := range row {
			pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(cell))
			if c > 0 {
				line.WriteString("  ")
			}
			if c < len(l.right) && l.right[c] {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
