package report

import (
	"fmt"
	"slices"

	"artifice/bench"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// List returns the table of artifice bench --csv: for each row and measure the mean, its standard
// deviation over cells and its 95 % confidence interval. If asked is set, three columns state
// whether the row meets the goal. The last columns of an app with display frames are their number
// without a tracer, and the number of late ones.
func List(r *bench.Result, asked bool) *cli.Table {
	l := &cli.Table{Columns: []string{"mode", "device", "interval_ns"}}
	for _, m := range bench.Measures() {
		l.Columns = append(l.Columns, m.Key(), m.Key()+"_sd", m.Key()+"_low", m.Key()+"_high")
	}
	var advised map[bench.Key]bool
	if asked {
		advised = advisedRows(r)
		l.Columns = append(l.Columns, "goal_met", "within_budget", "advised")
	}
	ranged := slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.Range != bench.Range{} })
	if ranged {
		l.Columns = append(l.Columns, "slowdown_min", "slowdown_max")
	}
	if r.Truth.Frames > 0 {
		l.Columns = append(l.Columns, "truth_frames", "truth_frames_late")
	}
	for _, row := range r.Rows {
		cells := []string{row.Mode, row.Device, fmt.Sprint(row.Interval.Nanoseconds())}
		for _, m := range bench.Measures() {
			for _, v := range []float64{row.Mean[m], row.StdDev[m], row.Low[m], row.High[m]} {
				cells = append(cells, words.Number(v))
			}
		}
		if asked {
			cells = append(cells, fmt.Sprint(r.Goal.Reached(row)), fmt.Sprint(r.Goal.Fits(row)), fmt.Sprint(advised[row.Key()]))
		}
		switch {
		case ranged && row.Range != bench.Range{}:
			cells = append(cells, words.Number(row.Range.Absorbed), words.Number(row.Range.Kept))
		case ranged:
			cells = append(cells, "", "")
		}
		if r.Truth.Frames > 0 {
			cells = append(cells, fmt.Sprint(r.Truth.Frames), fmt.Sprint(r.Truth.FramesLate))
		}
		l.Rows = append(l.Rows, cells)
	}
	return l
}

// advisedRows returns the recommended row of each device.
func advisedRows(r *bench.Result) map[bench.Key]bool {
	rows := map[bench.Key]bool{}
	for _, a := range r.Advise() {
		if a.Best >= 0 {
			rows[a.Modes[a.Best].At.Key()] = true
		}
	}
	return rows
}
