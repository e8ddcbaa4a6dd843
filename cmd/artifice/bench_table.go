package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"artifice/bench"
	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// ladderTable lists the steps of the error ladder.
func ladderTable(r *bench.Result) *cli.Table {
	l := &cli.Table{Columns: []string{"step", "running", "change", "95 % of it", "wall", "what it is"}, Right: []bool{false, true, true, true, true}}
	l.Spare, l.Wraps = []string{"wall", "95 % of it", "what it is"}, true
	wall := r.LadderSteps(bench.Overlap)
	for i, s := range r.LadderSteps(bench.OverlapRunning) {
		cells := []string{s.Mode + " " + s.Device, bench.OverlapRunning.Format(s.Value), "", "", bench.Overlap.Format(wall[i].Value), s.Description}
		if !s.First {
			cells[2] = words.Signed(100 * s.Change.Mean)
			cells[3] = words.Signed(100*s.Change.Low) + " to " + words.Signed(100*s.Change.High)
		}
		l.Rows = append(l.Rows, cells)
	}
	return l
}

// printCompact prints a table that fits 80 Columns: the rows of one mode and
// device after the other, under its name.
func printCompact(w io.Writer, r *bench.Result) error {
	l, groups := compact(r)
	return printGroups(w, l, groups)
}

// printGroups prints a table with the names of groups of its lines, by the line of the text that
// they stand before.
func printGroups(w io.Writer, l *cli.Table, groups map[int]string) error {
	text, left := l.Text(cli.TerminalWidth(w))
	if left != "" {
		text += left + "\n"
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

// compact is the table's rows, and the names of the groups by the line of the
// text that they stand before.
func compact(r *bench.Result) (l *cli.Table, groups map[int]string) {
	columns := []struct {
		title   string
		measure bench.Measure
		spread  bool
	}{
		{"period", bench.Period, false}, {"slowdown", bench.Slowdown, false}, {"stretch", bench.RunningStretch, false},
		{"running", bench.OverlapRunning, true}, {"wall", bench.Overlap, false},
		{"methods", bench.MethodRecall, false}, {"calls", bench.CallRecall, false},
	}
	l, groups = &cli.Table{Columns: []string{"interval"}, Right: []bool{true}}, map[int]string{}
	l.Spare = []string{"z", "wall", "calls", "period"}
	last := ""
	for _, c := range columns {
		l.Columns, l.Right = append(l.Columns, c.title), append(l.Right, true)
	}
	l.Columns, l.Right = append(l.Columns, "z"), append(l.Right, true)
	for _, row := range r.Rows {
		if _, ok := bench.ModeByName(row.Mode); !ok {
			continue // a step of the ladder
		}
		if name := row.Mode + ", device " + row.Device; name != last {
			groups[len(l.Rows)+1], last = name, name // the first line is the head
		}
		cells := []string{command.Short(row.Interval)}
		for _, c := range columns {
			mean, sd := row.Mean[c.measure], row.StdDev[c.measure]
			text := c.measure.Format(mean)
			if c.spread {
				text = c.measure.FormatSpread(mean, sd)
			}
			if c.measure == bench.Slowdown {
				text = row.Range.Of(text)
			}
			cells = append(cells, text)
		}
		cells = append(cells, worstZ(row))
		l.Rows = append(l.Rows, cells)
	}
	return l, groups
}

// wideTable is the table of every measure that applies.
func wideTable(r *bench.Result) *cli.Table {
	l := &cli.Table{Columns: []string{"mode", "device", "interval"}, Right: []bool{false, false, true}}
	measures := r.Measures()
	for _, m := range measures {
		l.Columns, l.Right = append(l.Columns, m.Header()), append(l.Right, true)
	}
	for _, row := range r.Rows {
		cells := []string{row.Mode, row.Device, command.Short(row.Interval)}
		for _, m := range measures {
			cells = append(cells, m.FormatSpread(row.Mean[m], row.StdDev[m]))
		}
		l.Rows = append(l.Rows, cells)
	}
	return l
}

// worstZ is the z-score of the measure that is farthest from its law; "exact" where
// no measure has one, as all phases agree with the law as far as they can tell; "-"
// where there is no law.
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

// printTables prints the table, and the error ladder.
func (f *benchFlags) printTables(w io.Writer, r *bench.Result) error {
	if f.wide {
		return f.form.Print(w, wideTable(r))
	}
	fmt.Fprintf(w, "%s\n\n", cli.Wrap(fmt.Sprintf("mean of %d phases ± standard deviation; shares in %%", r.Phases), "", command.TextWidth(w)))
	if err := printCompact(w, r); err != nil || f.ladder == 0 {
		return err
	}
	title := fmt.Sprintf("what each source of error costs at %s; running time is here the wall time of methods that do not wait", command.Short(f.ladder))
	fmt.Fprintf(w, "\n%s\n\n", cli.Wrap(title, "", command.TextWidth(w)))
	return f.form.Print(w, ladderTable(r))
}

// rangesText says that slowdowns are ranges, and why; "" where they are not.
func rangesText(r *bench.Result) string {
	if !slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.Range.Known() }) {
		return ""
	}
	return fmt.Sprintf("slowdown: a range, as nothing tells of %.0f %% of the waiting how it ends", 100*r.Ruled.UnclassifiedShare())
}

// printCells prints one JSON object for each cell, one for the frames of the truth if it has some, and one for each row with a range.
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
			Mode       string     `json:"mode"`
			Device     string     `json:"device"`
			IntervalNS int64      `json:"interval_ns"`
			Range      [2]float64 `json:"slowdown_range"`
			Unruled    float64    `json:"waits_unruled"`
		}{row.Mode, row.Device, int64(row.Interval), [2]float64{row.Range.Absorbed, row.Range.Kept}, r.Ruled.UnclassifiedShare()}); err != nil {
			return err
		}
	}
	return nil
}
