package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/trace"
)

// spanRow is a row of a [spanTable]: a call, or a frame of the display.
type spanRow struct {
	begin, took time.Duration
	cell        string // of the table's own column
	cpu         time.Duration
	thread      trace.ThreadID
	parts       []report.Part
}

// spanTable is a table of calls or frames: when each began, its duration, and the methods in which
// its thread was longest.
type spanTable struct {
	symbols *trace.Symbols
	style   report.NameStyle // of the methods
	hasCPU  bool             // CPU times are known
	column  string           // header of the column of [spanRow].cell; empty: there is none
	rows    []spanRow
}

// print prints a heading, the table unless it is empty, and notes.
func (t *spanTable) print(w io.Writer, head string, notes []string) error {
	fmt.Fprintln(w, cli.WrapTerminal(w, head))
	if len(t.rows) > 0 {
		if err := t.text().WriteText(w); err != nil {
			return err
		}
	}
	return printNotes(w, notes)
}

// text returns the table for people. It has a column of threads if there are several.
func (t *spanTable) text() *cli.Table {
	text := &cli.Table{Columns: []string{"at", "took"}, Right: []bool{true, true}, Wraps: true}
	column := func(name string, right bool) {
		text.Columns, text.Right = append(text.Columns, name), append(text.Right, right)
	}
	if t.column != "" {
		column(t.column, true)
	}
	if t.hasCPU {
		column("cpu", true)
		text.Spare = []string{"cpu"}
	}
	threads := slices.ContainsFunc(t.rows, func(r spanRow) bool { return r.thread != t.rows[0].thread })
	if threads {
		column("thread", false)
	}
	text.Columns = append(text.Columns, "most of it in")
	namer := t.namer()
	for _, r := range t.rows {
		cells := []string{words.Digits(r.begin), words.Digits(r.took)}
		if t.column != "" {
			cells = append(cells, r.cell)
		}
		if t.hasCPU {
			cells = append(cells, words.Digits(r.cpu))
		}
		if threads {
			cells = append(cells, cli.Quote(t.symbols.Thread(r.thread).Name))
		}
		text.Add(append(cells, partsText(namer, r.parts))...)
	}
	return text
}

// namer returns the names of the methods of all rows.
func (t *spanTable) namer() *report.Namer {
	var ids []trace.MethodID
	for _, r := range t.rows {
		for _, p := range r.parts {
			ids = append(ids, p.Method)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return report.NewNamer(t.symbols, t.style, len(ids), func(i int) trace.MethodID { return ids[i] })
}

// partsShown is the number of methods that are named for a row.
const partsShown = 3

// printNotes prints what there is to say below a table.
func printNotes(w io.Writer, notes []string) error {
	for _, n := range notes {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, n)); err != nil {
			return err
		}
	}
	return nil
}

// addColumns adds columns to a table for programs, of numbers or of text.
func addColumns(t *cli.Table, numbers bool, names ...string) {
	for _, name := range names {
		t.Columns, t.Numbers = append(t.Columns, name), append(t.Numbers, numbers)
	}
}

// addPartColumns adds the columns of [partValues]; of is what clock their times are of.
func addPartColumns(t *cli.Table, of string) {
	for i := 1; i <= partsShown; i++ {
		addColumns(t, false, fmt.Sprintf("method_%d", i))
		addColumns(t, true, fmt.Sprintf("%s_%d_ns", of, i))
	}
}

// ns is a time for programs, empty where it is not known.
func ns(d time.Duration, known bool) string {
	if !known {
		return ""
	}
	return strconv.FormatInt(int64(d), 10)
}

// partValues are the names and times of the longest parts of a call or frame; empty where there are fewer.
func partValues(namer *report.Namer, all []report.Part) []string {
	var cells []string
	for _, p := range all[:min(len(all), partsShown)] {
		cells = append(cells, namer.Method(p.Method), ns(p.Time, true))
	}
	return append(cells, make([]string, 2*partsShown-len(cells))...)
}

// partsText is the longest parts of a call or frame.
func partsText(namer *report.Namer, all []report.Part) string {
	var parts []string
	for _, p := range all[:min(len(all), partsShown)] {
		parts = append(parts, fmt.Sprintf("%s %s", cli.Quote(namer.Method(p.Method)), words.Digits(p.Time)))
	}
	return strings.Join(parts, ", ")
}

// seeFirst is the note that says where the first of a list is in the viewer.
func seeFirst(name string, begin, end time.Duration) string {
	return fmt.Sprintf("The first one is from %[2]s to %[3]s in artifice view %[1]s", words.Shell(name), max(begin, 0).Truncate(time.Microsecond), (end + time.Microsecond).Truncate(time.Microsecond))
}
