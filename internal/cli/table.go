package cli

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Table is a result as rows, which can be had as aligned text, JSON and CSV.
type Table struct {
	Columns []string
	Right   []bool // columns aligned to the right; a missing one is aligned left
	Rows    [][]string
	JSON    any // what JSON has; nil: an array of objects, one a row
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// WriteJSON writes t as JSON.
func (t *Table) WriteJSON(w io.Writer) error {
	value := t.JSON
	if value == nil {
		objects := make([]map[string]string, len(t.Rows))
		for i, row := range t.Rows {
			objects[i] = map[string]string{}
			for c, name := range t.Columns {
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

// WriteCSV writes t as CSV, the columns' names first. A spreadsheet takes cells
// that begin with =, +, - or @ for formulas, which names in a trace could carry:
// a ' in front of those that are no numbers makes them text.
func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(t.Columns); err != nil {
		return err
	}
	for _, row := range t.Rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = noFormula(cell)
		}
		if err := c.Write(safe); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// noFormula returns a cell as a spreadsheet takes it for a number or for text.
func noFormula(cell string) string {
	if cell == "" || cell == "-" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	_, err := strconv.ParseFloat(cell, 64)
	if _, durationErr := time.ParseDuration(cell); err == nil || durationErr == nil {
		return cell
	}
	return "'" + cell
}

// WriteText writes t as text with aligned columns.
func (t *Table) WriteText(w io.Writer) error {
	rows := [][]string{t.Columns}
	for _, row := range t.Rows {
		quoted := make([]string, len(row))
		for c, cell := range row {
			quoted[c] = Quote(cell)
		}
		rows = append(rows, quoted)
	}
	width := make([]int, len(t.Columns))
	for _, row := range rows {
		for c, cell := range row {
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for c, cell := range row {
			pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(cell))
			if c > 0 {
				line.WriteString("  ")
			}
			if c < len(t.Right) && t.Right[c] {
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
