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
	cell        string // of [spanTable].column
	cpu         time.Duration
	thread      trace.ThreadID
	parts       []report.Part
}

// spanTable is a table of calls or frames: the begin and duration of each, and the methods with the
// longest self times within it.
type spanTable struct {
	symbols *trace.Symbols
	style   report.NameStyle // of the methods
	hasCPU  bool             // the trace has CPU times
	column  string           // header of the column of [spanRow].cell; empty: no such column
	rows    []spanRow
}

// print prints a heading, the table unless it is empty, and notes.
func (t *spanTable) print(w io.Writer, head string, notes []string) error {
	fmt.Fprintln(w, cli.WrapTerminal(w, head))
	if len(t.rows) > 0 {
		fmt.Fprintln(w)
		if err := t.text().WriteText(w); err != nil {
			return err
		}
	}
	return printNotes(w, notes)
}

// text returns the table as text. It has a column of threads if there are several.
func (t *spanTable) text() *cli.Table {
	text := &cli.Table{Columns: []string{"begin", "duration"}, Right: []bool{true, true}, Wraps: true}
	column := func(name string, right bool) {
		text.Columns, text.Right = append(text.Columns, name), append(text.Right, right)
	}
	if t.column != "" {
		column(t.column, true)
	}
	if t.hasCPU {
		column("CPU", true)
		text.Spare = []string{"CPU"}
	}
	threads := slices.ContainsFunc(t.rows, func(r spanRow) bool { return r.thread != t.rows[0].thread })
	if threads {
		column("thread", false)
	}
	text.Columns = append(text.Columns, "self times of methods")
	namer := t.namer()
	for _, r := range t.rows {
		cells := []string{words.Duration(r.begin), words.Duration(r.took)}
		if t.column != "" {
			cells = append(cells, r.cell)
		}
		if t.hasCPU {
			cells = append(cells, words.Duration(r.cpu))
		}
		if threads {
			cells = append(cells, cli.Quote(t.symbols.Thread(r.thread).Name))
		}
		text.Add(append(cells, partsText(namer, r.parts))...)
	}
	return text
}

// namer returns a namer for the methods of all rows.
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

// partsShown is the number of methods in a row.
const partsShown = 3

// printNotes prints lines below a table.
func printNotes(w io.Writer, notes []string) error {
	for _, n := range notes {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, n)); err != nil {
			return err
		}
	}
	return nil
}

// addColumns adds columns of numbers or of text to a table for CSV and JSON.
func addColumns(t *cli.Table, numbers bool, names ...string) {
	for _, name := range names {
		t.Columns, t.Numbers = append(t.Columns, name), append(t.Numbers, numbers)
	}
}

// addPartColumns adds the columns of [partValues]; of names the clock in their keys.
func addPartColumns(t *cli.Table, of string) {
	for i := 1; i <= partsShown; i++ {
		addColumns(t, false, fmt.Sprintf("method_%d", i))
		addColumns(t, true, fmt.Sprintf("%s_%d_ns", of, i))
	}
}

// ns returns a time in ns for CSV and JSON, empty if it is not known.
func ns(d time.Duration, known bool) string {
	if !known {
		return ""
	}
	return strconv.FormatInt(int64(d), 10)
}

// partValues returns the names and times of the [partsShown] longest parts of a call or frame;
// cells without a part are empty.
func partValues(namer *report.Namer, all []report.Part) []string {
	var cells []string
	for _, p := range all[:min(len(all), partsShown)] {
		cells = append(cells, namer.Method(p.Method), ns(p.Time, true))
	}
	return append(cells, make([]string, 2*partsShown-len(cells))...)
}

// partsText returns the longest parts of a call or frame as text.
func partsText(namer *report.Namer, all []report.Part) string {
	var parts []string
	for _, p := range all[:min(len(all), partsShown)] {
		parts = append(parts, fmt.Sprintf("%s %s", cli.Quote(namer.Method(p.Method)), words.Duration(p.Time)))
	}
	return strings.Join(parts, ", ")
}

// seeFirst returns the note with the place of the first row in the viewer.
func seeFirst(name string, begin, end time.Duration) string {
	return fmt.Sprintf("To see the first row in context: artifice view %[1]s, from %[2]s to %[3]s.", words.Shell(name), max(begin, 0).Truncate(time.Microsecond), (end + time.Microsecond).Truncate(time.Microsecond))
}
