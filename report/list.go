package report

import (
	"fmt"
	"slices"

	"artifice/internal/cli"
	"artifice/report/estimate"
	"artifice/trace"
)

// List is the machine-readable form of the rows of a profile, as printed by artifice report --csv
// and --json.
type List struct {
	Profile *estimate.Profile
	What    string // kind of entity of the rows: the name of the first column
	Rows    []Row
}

// Table returns the rows with all known values, times in ns. Unknown values are empty in CSV and
// null in JSON. Existing columns stay, and new ones are appended at the end.
func (t *List) Table() *cli.Table {
	if t.Profile.Quantity.IsSet() {
		return t.quantities()
	}
	l := &cli.Table{Columns: []string{t.What, "depth"}}
	for _, kind := range []string{"self", "total"} {
		for _, clock := range []string{"wall", "cpu"} {
			l.Columns = append(l.Columns, times(kind+"_"+clock)...)
		}
		l.Columns = append(l.Columns, kind+"_samples")
	}
	l.Columns = append(l.Columns, "calls", "cycle_samples")
	l.Columns = append(append(l.Columns, times("self_running")...), "total_running_ns")
	l.Numbers = slices.Repeat([]bool{true}, len(l.Columns))
	l.Numbers[0] = false
	l.More = func(yield func([]string) bool) {
		var cells []string
		for i := range t.Rows {
			if cells = t.cells(cells[:0], &t.Rows[i]); !yield(cells) {
				return
			}
		}
	}
	return l
}

// quantities returns the rows of a profile of a quantity other than time, in its unit.
func (t *List) quantities() *cli.Table {
	l := &cli.Table{Columns: []string{t.What, "depth", "self", "total", "quantity", "unit"}, Numbers: []bool{false, true, true, true, false, false}}
	l.More = func(yield func([]string) bool) {
		for i := range t.Rows {
			r, q := &t.Rows[i], t.Profile.Quantity
			if !yield([]string{r.Name(), fmt.Sprint(r.Depth), fmt.Sprint(int64(r.Self(Wall).Value)), fmt.Sprint(int64(r.Total(Wall).Value)), q.Name, q.Unit}) {
				return
			}
		}
	}
	return l
}

// times are the names of the columns of a time.
func times(name string) []string { return []string{name + "_ns", name + "_low_ns", name + "_high_ns"} }

// cells appends a row's cells.
func (t *List) cells(cells []string, r *Row) []string {
	f := r.Figures()
	cells = append(cells, r.Name(), fmt.Sprint(r.Depth))
	cells = t.numbers(t.numbers(cells, &f.Exclusive), &f.Inclusive)
	cycle := ""
	if f.Exclusive.Cycle != nil {
		cycle = fmt.Sprint(f.Exclusive.Cycle.Samples)
	}
	cells = append(cells, fmt.Sprint(f.Calls.Reported), cycle)
	cells = addTime(cells, t.Profile.Clock.HasWall(), t.known(&f.Exclusive), r.Self(Running))
	if !t.Profile.Clock.HasWall() {
		return append(cells, "")
	}
	return append(cells, fmt.Sprint(int64(r.Total(Running).Value)))
}

// known reports whether a share has an interval.
func (t *List) known(s *estimate.Share) bool {
	if t.Profile.Sampled() {
		return t.Profile.Period > 0 && s.Runs.Samples > 0
	}
	return t.Profile.Technique != trace.UnknownTechnique
}

// numbers appends the cells of a share.
func (t *List) numbers(cells []string, s *estimate.Share) []string {
	cells = addTime(cells, t.Profile.Clocks.HasWall(), t.known(s), s.Wall)
	cells = addTime(cells, t.Profile.Clock.HasCPU(), t.known(s), s.CPU)
	if !t.Profile.Sampled() || t.Profile.NoSamples {
		return append(cells, "")
	}
	return append(cells, fmt.Sprint(s.Runs.Samples))
}

// addTime appends the cells of a time; an unknown interval is empty.
func addTime(cells []string, has, known bool, e estimate.Time) []string {
	switch {
	case !has:
		return append(cells, "", "", "")
	case known:
		return append(cells, fmt.Sprint(int64(e.Value)), fmt.Sprint(int64(e.Low)), fmt.Sprint(int64(e.High)))
	}
	return append(cells, fmt.Sprint(int64(e.Value)), "", "")
}
