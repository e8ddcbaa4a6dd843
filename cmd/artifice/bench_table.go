package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// ladderTable lists the steps of the error ladder.
func ladderTable(r *bench.Result) *cli.Table {
	l := &cli.Table{Columns: []string{"step", "CPU correct", "change", "95 % CI", "wall correct", "source of error"}, Right: []bool{false, true, true, true, true}}
	l.Spare, l.Wraps = []string{"wall correct", "95 % CI", "source of error"}, true
	wall := r.LadderSteps(bench.Overlap)
	for i, s := range r.LadderSteps(bench.OverlapRunning) {
		cells := []string{s.Mode + " " + s.Device, shareCell(bench.OverlapRunning, s.Value), "", "", shareCell(bench.Overlap, wall[i].Value), s.Description}
		if !s.First {
			cells[2] = words.Signed(100 * s.Change.Mean)
			cells[3] = words.Signed(100*s.Change.Low) + " to " + words.Signed(100*s.Change.High)
		}
		l.Rows = append(l.Rows, cells)
	}
	return l
}

// printGroups prints a table with a title before each group of rows, and headings above its head.
// groups has the titles by the line of the text that follows them.
func printGroups(w io.Writer, l *cli.Table, groups map[int]string, headings ...heading) error {
	text, left := l.Text(cli.TerminalWidth(w))
	if left != "" {
		text += left + "\n"
	}
	head, _, _ := strings.Cut(text, "\n")
	if above := headingLine(head, headings); above != "" {
		if _, err := fmt.Fprintln(w, above); err != nil {
			return err
		}
	}
	for i, line := range strings.SplitAfter(text, "\n") {
		if name, ok := groups[i]; ok {
			line = cli.Quote(name) + "\n" + line
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// heading is a title above adjacent columns.
type heading struct{ from, to, title string }

// headingLine returns the line above the head of a table: each title is centered above those of its
// columns that the head has.
func headingLine(head string, headings []heading) string {
	line, at := "", 0 // at is the end of the columns before
	for _, h := range headings {
		from := columnAt(head, h.from, at)
		if from < 0 {
			continue
		}
		end := from + len(h.from)
		if to := columnAt(head, h.to, from); to >= 0 {
			end = to + len(h.to)
		}
		at = end
		start := max(0, (from+end-len(h.title))/2)
		if line != "" {
			start = max(start, len(line)+2)
		}
		line += strings.Repeat(" ", start-len(line)) + h.title
	}
	return line
}

// columnAt returns the offset of a column's name in the head of a table, from an offset on; -1
// without the column.
func columnAt(head, name string, from int) int {
	for i := from; i+len(name) <= len(head); i++ {
		if !strings.HasPrefix(head[i:], name) || i > 1 && head[i-2:i] != "  " {
			continue
		}
		if rest := head[i+len(name):]; rest == "" || strings.HasPrefix(rest, "  ") {
			return i
		}
	}
	return -1
}

// spanHeadings are the headings above the compact table.
var spanHeadings = []heading{{"CPU", "wall", "correctly attributed"}, {"methods", "calls", "seen"}}

// compact returns the table for an 80-column terminal, and the titles of its groups, one for each
// mode and device.
func compact(r *bench.Result) (l *cli.Table, groups map[int]string) {
	columns := []struct {
		title   string
		measure bench.Measure
	}{
		{"period", bench.Period}, {"slowdown", bench.Slowdown}, {"CPU overhead", bench.CPUOverhead},
		{"CPU", bench.OverlapRunning}, {"wall", bench.Overlap},
		{"methods", bench.MethodRecall}, {"calls", bench.CallRecall},
	}
	l, groups = &cli.Table{Columns: []string{"interval"}, Right: []bool{true}}, map[int]string{}
	l.Spare = []string{"wall", "calls", "period", "CPU overhead"}
	title := groupTitles(r.Rows, func(row bench.Row) string { return row.Device })
	last := ""
	for _, c := range columns {
		l.Columns, l.Right = append(l.Columns, c.title), append(l.Right, true)
	}
	for _, row := range r.Rows {
		if _, ok := bench.ModeByName(row.Mode); !ok {
			continue // a step of the ladder
		}
		if name := title(row.Mode, row.Device); name != last {
			groups[len(l.Rows)+1], last = name, name // the first line is the head
		}
		cells := []string{intervalCell(row.Interval)}
		for _, c := range columns {
			text := shareCell(c.measure, row.Mean[c.measure])
			if c.measure == bench.Slowdown && !math.IsNaN(row.Mean[bench.Slowdown]) {
				cost := row.Cost()
				if text = cost.String(); cost.Ranged() {
					text += "*"
				}
			}
			cells = append(cells, text)
		}
		l.Rows = append(l.Rows, cells)
	}
	return l, groups
}

// groupTitles returns the title of the rows of a mode on a device, which it names if there are
// several.
func groupTitles[R any](rows []R, deviceOf func(R) string) func(mode, device string) string {
	several := slices.ContainsFunc(rows, func(row R) bool { return deviceOf(row) != deviceOf(rows[0]) })
	return func(mode, device string) string {
		if m, ok := bench.ModeByName(mode); ok {
			mode = m.Title()
		}
		if several {
			mode += ", device " + device
		}
		return mode
	}
}

// intervalCell formats the nominal interval; "" if the mode has none.
func intervalCell(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return words.Duration(d)
}

// shareCell formats a value of a measure; shares with a percent sign.
func shareCell(m bench.Measure, v float64) string {
	if m.IsShare() && v == 1 {
		return "100 %"
	}
	text := m.Format(v)
	if m.IsShare() && !math.IsNaN(v) {
		return text + " %"
	}
	return text
}

// wideColumns is the maximum width of a block of [printWide].
const wideColumns = 100

// printWide prints all measures that apply: for each group of measures a block with the rows of all
// modes, and a second one if the first has no room for all columns.
func printWide(w io.Writer, r *bench.Result) error {
	intervals := wideColumn{width: len("interval"), head: []string{"interval"}}
	for _, row := range r.Rows {
		intervals.cells = append(intervals.cells, intervalCell(row.Interval))
	}
	for _, g := range draw.Groups(r) {
		var columns []wideColumn
		for _, m := range g.Measures {
			columns = append(columns, newWideColumn(r, m.Header(), func(row bench.Row) string { return m.FormatSpread(row.Mean[m], row.StdDev[m]) }))
		}
		if g.Last {
			columns = append(columns, newWideColumn(r, "z", worstZ))
		}
		for title := g.Title; len(columns) > 0; title = g.Title + ", continued" {
			width, n := intervals.width, 0
			for n < len(columns) && (n == 0 || width+2+columns[n].width <= wideColumns) {
				width += 2 + columns[n].width
				n++
			}
			if _, err := io.WriteString(w, wideBlock(r, title, append([]wideColumn{intervals}, columns[:n]...))); err != nil {
				return err
			}
			columns = columns[n:]
		}
	}
	return nil
}

// wideColumn is a column with a wrapped title.
type wideColumn struct {
	head  []string // lines
	cells []string // by row
	width int
}

// newWideColumn returns a column that is as wide as its cells, or as the longest word of its title.
// A percent sign stays with the word before it, and ≥ with the one after it.
func newWideColumn(r *bench.Result, title string, cell func(bench.Row) string) wideColumn {
	c := wideColumn{}
	for _, row := range r.Rows {
		c.cells = append(c.cells, cell(row))
		c.width = max(c.width, utf8.RuneCountInString(c.cells[len(c.cells)-1]))
	}
	parts := strings.FieldsFunc(strings.NewReplacer(" %", "\u00a0%", "≥ ", "≥\u00a0").Replace(title), func(r rune) bool { return r == ' ' })
	for _, part := range parts {
		c.width = max(c.width, utf8.RuneCountInString(part))
	}
	for _, part := range parts {
		part = strings.ReplaceAll(part, "\u00a0", " ")
		if n := len(c.head); n > 0 && utf8.RuneCountInString(c.head[n-1]+" "+part) <= c.width {
			c.head[n-1] += " " + part
		} else {
			c.head = append(c.head, part)
		}
	}
	return c
}

// wideBlock returns the text of a block: its title, the heads of the columns, and the rows below
// the titles of their modes.
func wideBlock(r *bench.Result, title string, columns []wideColumn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", title)
	line := func(cell func(c *wideColumn) string) {
		text := ""
		for i := range columns {
			s := cell(&columns[i])
			text += strings.Repeat(" ", max(0, columns[i].width-utf8.RuneCountInString(s))) + s + "  "
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	height := 0
	for _, c := range columns {
		height = max(height, len(c.head))
	}
	for i := range height {
		line(func(c *wideColumn) string {
			if k := i - height + len(c.head); k >= 0 {
				return c.head[k]
			}
			return ""
		})
	}
	titleOf, last := groupTitles(r.Rows, func(row bench.Row) string { return row.Device }), ""
	for i, row := range r.Rows {
		if name := titleOf(row.Mode, row.Device); name != last {
			b.WriteString(cli.Quote(name) + "\n")
			last = name
		}
		line(func(c *wideColumn) string { return c.cells[i] })
	}
	return b.String()
}

// worstZ formats the z score of the measure with the largest difference from its closed form:
// "exact" if no measure has a score because all phases agree with the closed form within its
// tolerance; "-" without a closed form.
func worstZ(row bench.Row) string {
	switch z, exact, ok := row.Worst(); {
	case !ok:
		return "-"
	case exact:
		return "exact"
	default:
		return words.Signed(z)
	}
}

// printTables prints the table and the error ladder.
func (f *benchFlags) printTables(w io.Writer, r *bench.Result) error {
	if f.wide {
		fmt.Fprintln(w, cli.Wrap(fmt.Sprintf("each row: mean of %d traces with different sampling phases, ± standard deviation; columns: artifice help measures", r.Phases), "", command.TextWidth(w)))
		return printWide(w, r)
	}
	fmt.Fprintln(w)
	l, groups := compact(r)
	if err := printGroups(w, l, groups, spanHeadings...); err != nil {
		return err
	}
	if s := rangesText(r); s != "" {
		fmt.Fprintln(w, cli.Wrap(s, "", command.TextWidth(w)))
	}
	if f.ladder == 0 {
		return nil
	}
	title := fmt.Sprintf("error ladder at %s: share of wall time of methods that do not wait (CPU correct) and of wall time correctly attributed", words.Duration(f.ladder))
	fmt.Fprintf(w, "\n%s\n\n", cli.Wrap(title, "", command.TextWidth(w)))
	return f.form.Print(w, ladderTable(r))
}

// rangesText is the footnote of slowdowns that are ranges; "" without any.
func rangesText(r *bench.Result) string {
	if !slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.Range.Known() }) {
		return ""
	}
	return fmt.Sprintf("* slowdown is a range, because the trace does not record what ended %.0f %% of the waits", 100*r.Ruled.UnclassifiedShare())
}

// printCells prints one JSON object for each cell, one for the display frames of the truth if it
// has any, and one for each row with a range of slowdowns.
func printCells(w io.Writer, r *bench.Result) error {
	enc := json.NewEncoder(w)
	for _, c := range r.Cells {
		if err := enc.Encode(c); err != nil {
			return err
		}
	}
	if n := r.Truth.Frames; n > 0 {
		if err := enc.Encode(struct {
			Frames int64 `json:"truth_frames"`
			Late   int64 `json:"truth_frames_late"`
		}{n, r.Truth.FramesLate}); err != nil {
			return err
		}
	}
	for _, row := range r.Rows {
		if !row.Range.Known() {
			continue
		}
		if err := enc.Encode(struct {
			Mode         string     `json:"mode"`
			Device       string     `json:"device"`
			IntervalNS   int64      `json:"interval_ns"`
			Range        [2]float64 `json:"slowdown_range"`
			Unclassified float64    `json:"waits_unclassified"`
		}{row.Mode, row.Device, int64(row.Interval), [2]float64{row.Range.Absorbed, row.Range.Kept}, r.Ruled.UnclassifiedShare()}); err != nil {
			return err
		}
	}
	return nil
}
