package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Table is a result in rows, which can be written as aligned text, JSON and CSV.
type Table struct {
	Columns []string
	Right   []bool // columns aligned to the right; a missing one is aligned left
	Rows    [][]string
	More    iter.Seq[[]string] // more rows, each valid until the next; nil: none
	JSON    any                // JSON output; nil: an array of one object per row

	// Spare are the columns to omit on a narrow terminal, in this order.
	Spare []string

	// Cut: the last column is cut in the middle if the terminal is too narrow.
	Cut bool

	// Numbers are the columns with cells that are numbers or empty; JSON has them as numbers and
	// null. Missing columns are text.
	Numbers []bool

	// Wraps: the last column is text, and it is wrapped before columns are omitted.
	Wraps bool
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Form is the output form of a table: text by default.
type Form struct{ JSON, CSV bool }

// AddFlags adds --json and --csv to flags, a flag set of package flag or pflag.
func (f *Form) AddFlags(flags interface {
	BoolVar(p *bool, name string, value bool, usage string)
}) {
	flags.BoolVar(&f.JSON, "json", false, "print JSON")
	flags.BoolVar(&f.CSV, "csv", false, "print CSV")
}

// rows returns all rows, each valid until the next.
func (t *Table) rows() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, row := range t.Rows {
			if !yield(row) {
				return
			}
		}
		if t.More != nil {
			t.More(yield)
		}
	}
}

// Print writes t in this form.
func (f Form) Print(w io.Writer, t *Table) error {
	switch {
	case f.JSON:
		return t.WriteJSON(w)
	case f.CSV:
		return t.WriteCSV(w)
	}
	return t.WriteText(w)
}

// WriteJSON writes t as JSON.
func (t *Table) WriteJSON(w io.Writer) error {
	if t.JSON == nil {
		return t.writeObjects(w)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(t.JSON)
}

// writeObjects writes an array of an object for each row.
func (t *Table) writeObjects(w io.Writer) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("  ", "  ")
	enc.SetEscapeHTML(false)
	object := map[string]any{}
	before, after := "[\n  ", "[]\n"
	for row := range t.rows() {
		for c, name := range t.Columns {
			object[name] = t.value(c, row[c])
		}
		text.WriteString(before)
		if err := enc.Encode(object); err != nil {
			return err
		}
		text.Truncate(text.Len() - 1) // the end of the line
		if _, err := text.WriteTo(w); err != nil {
			return err
		}
		before, after = ",\n  ", "\n]\n"
	}
	_, err := io.WriteString(w, after)
	return err
}

// value returns the JSON value of a cell.
func (t *Table) value(c int, cell string) any {
	switch {
	case c >= len(t.Numbers) || !t.Numbers[c]:
		return cell
	case cell == "":
		return nil
	}
	return json.Number(cell)
}

// WriteCSV writes t as CSV, with column names first. Spreadsheets interpret cells that begin with
// =, +, - or @ as formulas, and names in a trace could contain them. A leading ' makes such a cell
// text, unless it is a number.
func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(t.Columns); err != nil {
		return err
	}
	var safe []string
	for row := range t.rows() {
		safe = safe[:0]
		for _, cell := range row {
			safe = append(safe, noFormula(cell))
		}
		if err := c.Write(safe); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// noFormula returns a cell that a spreadsheet interprets as a number or text.
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

// WriteText writes t as text with aligned columns. If the terminal is too narrow, spare columns
// are omitted, which the last line states. If it is still too narrow, a last column of text is
// wrapped.
func (t *Table) WriteText(w io.Writer) error {
	text, left := t.Text(TerminalWidth(w))
	if left != "" {
		text += left + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// Text returns t as text of at most width columns if possible; 0 means no limit. left is a line
// that names the omitted columns, or "".
func (t *Table) Text(width int) (text, left string) {
	rows := [][]string{t.Columns}
	for row := range t.rows() {
		quoted := make([]string, len(row))
		for c, cell := range row {
			quoted[c] = Quote(cell)
		}
		rows = append(rows, quoted)
	}
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
		}
	}
	hidden := t.hide(widths, width)
	if len(hidden) > 0 {
		left = Wrap("omitted on this narrow terminal: "+strings.Join(hidden, ", "), "", width)
	}
	last := len(widths) - 1
	if before := total(widths[:last]) + 2; t.Cut && width > 0 && total(widths) > width {
		widths[last] = max(t.narrowest(), width-before)
		for _, row := range rows {
			row[last] = cutMiddle(row[last], widths[last])
		}
	}
	wrapAt := 0 // column where the wrapped last column begins
	if before := total(widths[:last]) + 2; width > 0 && total(widths) > width && !t.right(last) && width-before >= minWrapped {
		wrapAt = before
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(t.line(row, widths, wrapAt, width))
	}
	return b.String(), left
}

// cutMiddle shortens a text to at most most characters by removing its middle. The end remains
// longer, because it is the most specific part of a name.
func cutMiddle(s string, most int) string {
	letters := []rune(s)
	if len(letters) <= most || most < 3 {
		return s
	}
	front := (most - 1) / 3
	return string(letters[:front]) + "…" + string(letters[len(letters)-(most-1-front):])
}

// Minimum widths of a last column that is wrapped or cut.
const (
	minWrapped = 16
	minCut     = 30
)

func (t *Table) narrowest() int {
	if t.Cut {
		return minCut
	}
	return minWrapped
}

// hide sets the width of omitted columns to 0, and returns their names. A last column that can be
// wrapped or cut counts only with its minimum width.
func (t *Table) hide(widths []int, width int) (hidden []string) {
	last := len(widths) - 1
	for _, name := range t.Spare {
		c := slices.Index(t.Columns, name)
		needed := total(widths)
		if before := total(widths[:last]) + 2; !t.right(last) && (t.Wraps || t.Cut) {
			needed = min(needed, before+t.narrowest())
		}
		if width == 0 || needed <= width {
			break
		}
		if c >= 0 {
			widths[c] = 0
			hidden = append(hidden, name)
		}
	}
	return hidden
}

// total returns the width of a line with columns of these widths.
func total(widths []int) (n int) {
	for _, w := range widths {
		if w > 0 {
			n += w + 2
		}
	}
	return n - 2
}

func (t *Table) right(c int) bool { return c < len(t.Right) && t.Right[c] }

// line returns a row as one line, or as several if its last cell is wrapped.
func (t *Table) line(row []string, widths []int, wrapAt, width int) string {
	var line strings.Builder
	first := true
	for c, cell := range row {
		if widths[c] == 0 && t.Columns[c] != "" {
			continue
		}
		if !first {
			line.WriteString("  ")
		}
		first = false
		if wrapAt > 0 && c == len(row)-1 {
			wrapped := Wrap(cell, strings.Repeat(" ", wrapAt), width)
			return strings.TrimRight(line.String()+strings.TrimLeft(wrapped, " "), " ") + "\n"
		}
		if c == len(row)-1 && !t.right(c) { // no padding: a deep tree can make this column wide
			line.WriteString(cell)
			continue
		}
		pad := strings.Repeat(" ", max(0, widths[c]-utf8.RuneCountInString(cell)))
		if t.right(c) {
			line.WriteString(pad + cell)
		} else {
			line.WriteString(cell + pad)
		}
	}
	return strings.TrimRight(line.String(), " ") + "\n"
}
