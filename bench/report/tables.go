package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"artifice/bench"
	"artifice/internal/chart"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// section has the tables of one subject, with their data as CSV.
type section struct {
	ID, Title, Note string
	Tables          []table
	CSV             string
}

// table is a sortable table.
type table struct {
	Caption string
	Columns []column
	Rows    [][]cell
	Terms   []term // definitions of the columns
}

type column struct {
	Name  string
	Text  bool   // sorted as text
	Key   bool   // it identifies the row and stays in view
	About string // definition for a tooltip; can be empty
}

// term is a word with its definition.
type term struct{ Name, About string }

type cell struct {
	Text string
	Sort string // sort key; a number unless the column is text
}

// sections returns the tables for which the result has data.
func sections(r *bench.Result) []section {
	all := []section{measuresSection(r), theorySection(r)}
	if steps := r.LadderSteps(bench.OverlapRunning); len(steps) > 0 {
		all = append(all, ladderSection(steps, r.LadderSteps(bench.Overlap)))
	}
	return append(all, methodsSection(r))
}

func word(s string) cell { return cell{s, s} }

func value(s string, v float64) cell {
	if math.IsNaN(v) {
		return cell{"–", ""}
	}
	return cell{s, exact(v)}
}

// exact formats a number without loss; "" for NaN.
func exact(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// csv returns the unrounded values of a table.
func (t table) csv() string {
	var out cli.Table
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, c.Name)
	}
	for _, row := range t.Rows {
		var record []string
		for _, c := range row {
			record = append(record, c.Sort)
		}
		out.Rows = append(out.Rows, record)
	}
	return csvOf(&out)
}

func csvOf(t *cli.Table) string {
	var b strings.Builder
	t.WriteCSV(&b) // cannot fail: it writes to memory
	return b.String()
}

// keyColumns identify the tracer of a row.
var keyColumns = []column{{Name: "mode", Text: true, Key: true}, {Name: "device", Text: true, Key: true}, {Name: "interval, ms", Key: true}}

func keyCells(row bench.Row) []cell {
	shown := "–"
	if row.Interval > 0 {
		shown = chart.Plain(inMS(row.Interval))
	}
	return []cell{word(row.Mode), word(row.Device), {shown, exact(inMS(row.Interval))}}
}

// groups are the subjects of measures, in the order of pages and tables. The last group has all
// other measures.
var groups = []struct {
	title    string
	measures []bench.Measure
}{
	{"Cost", []bench.Measure{bench.Period, bench.Slowdown, bench.CPUOverhead, bench.WaitingRatio, bench.LongestPause, bench.CPUTimeRatio, bench.FramesLate, bench.FramesLateBy}},
	{"Recording", []bench.Measure{bench.Samples, bench.EventRate, bench.ByteRate, bench.Overflow}},
	{"Attribution", []bench.Measure{bench.OverlapRunning, bench.FloorRunning, bench.Overlap, bench.Floor, bench.Relative, bench.OverlapEdges, bench.OverlapPaths, bench.FloorPaths, bench.RelativePaths}},
	{"Coverage", []bench.Measure{bench.RecallRunning, bench.NamedSeen, bench.MethodRecall, bench.RecallAbove, bench.CallRecall, bench.CallRatio, bench.MergeFactor, bench.HotCoverage, bench.HotPrecision}},
	{"Errors of self and total times", []bench.Measure{bench.ExclusiveError, bench.ExclusiveWorst, bench.InclusiveError, bench.InclusiveBias, bench.ExclusiveCPUError, bench.InclusiveCPUError, bench.InclusiveCPUBias}},
	{"Statistics: order, durations and stacks", nil},
}

// Group is a group of measures that apply to a result.
type Group struct {
	Title    string
	Measures []bench.Measure
	Last     bool // of all groups
}

// Groups returns the groups with the measures that apply.
func Groups(r *bench.Result) (list []Group) {
	for i, g := range groups {
		group := Group{Title: g.title, Last: i == len(groups)-1}
		for _, m := range r.Measures() {
			if groupOf(m) == i {
				group.Measures = append(group.Measures, m)
			}
		}
		if len(group.Measures) > 0 {
			list = append(list, group)
		}
	}
	return list
}

// groupOf returns the index of the group of a measure.
func groupOf(m bench.Measure) int {
	for i, g := range groups {
		for _, other := range g.measures {
			if other == m {
				return i
			}
		}
	}
	return len(groups) - 1
}

// measuresSection has a table for each group of measures.
func measuresSection(r *bench.Result) section {
	s := section{ID: "measures", Title: "All measures", Note: "Mean ± standard deviation over phases; shares in %. The CSV has 95 % confidence intervals."}
	for _, g := range Groups(r) {
		t := table{Caption: g.Title, Columns: keyColumns[:len(keyColumns):len(keyColumns)]}
		for _, m := range g.Measures {
			t.Columns = append(t.Columns, column{Name: m.Header(), About: m.Description()})
			t.Terms = append(t.Terms, term{m.Header(), m.Description()})
		}
		for _, row := range r.Rows {
			cells := keyCells(row)
			for _, m := range g.Measures {
				cells = append(cells, value(m.FormatSpread(row.Mean[m], row.StdDev[m]), row.Mean[m]))
			}
			t.Rows = append(t.Rows, cells)
		}
		s.Tables = append(s.Tables, t)
	}
	s.CSV = measuresCSV(r)
	return s
}

func measuresCSV(r *bench.Result) string {
	out := cli.Table{Columns: []string{"mode", "device", "interval_ms"}}
	for _, m := range r.Measures() {
		out.Columns = append(out.Columns, m.Key(), m.Key()+"_sd", m.Key()+"_low", m.Key()+"_high")
	}
	for _, row := range r.Rows {
		record := []string{row.Mode, row.Device, exact(inMS(row.Interval))}
		for _, m := range r.Measures() {
			record = append(record, exact(row.Mean[m]), exact(row.StdDev[m]), exact(row.Low[m]), exact(row.High[m]))
		}
		out.Rows = append(out.Rows, record)
	}
	return csvOf(&out)
}

// section returns a section with one table.
func (t table) section(id, title, note string) section {
	return section{id, title, note, []table{t}, t.csv()}
}

func theorySection(r *bench.Result) section {
	t := table{
		Caption: "Measurement and closed form",
		Columns: append(keyColumns[:3:3], column{Name: "measure", Text: true}, column{Name: "closed form"}, column{Name: "measured"}, column{Name: "standard error"}, column{Name: "tolerance"}, column{Name: "z"}),
	}
	for _, row := range r.Rows {
		for _, m := range bench.Measures() {
			a, ok := row.Against(m)
			if !ok {
				continue
			}
			cells := append(keyCells(row), word(m.Header()), value(m.Format(a.Law), a.Law), value(m.Format(a.Measured.Value), a.Measured.Value))
			relative := func(v float64) cell { return value(fmt.Sprintf("%.2g %%", 100*v/math.Abs(a.Law)), v) }
			t.Rows = append(t.Rows, append(cells, relative(a.Measured.StdErr), relative(a.Tolerance), value(words.Signed(a.Z), a.Z)))
		}
	}
	return t.section("theory", "Comparison with closed forms", "z is the difference between mean and closed form in standard errors. Beyond ±4, the measurement or the closed form is wrong. z is omitted if all phases agree with the closed form within its tolerance, which allows for gaps rounded to nanoseconds and for half a count in one phase.")
}

// ladderSection has the steps of CPU time, and of wall time in the same order.
func ladderSection(steps, wall []bench.Step) section {
	t := table{
		Caption: "CPU time correctly attributed after each step, in %, its change with a 95 % confidence interval, in percentage points, and wall time correctly attributed",
		Columns: []column{{Name: "step", Text: true, Key: true}, {Name: "device", Text: true}, {Name: "CPU correct"}, {Name: "change"}, {Name: "change, low"}, {Name: "change, high"}, {Name: "wall correct"}, {Name: "source of error", Text: true}},
	}
	points := func(v float64) cell { return value(change(v), v) }
	share := func(v float64) cell { return value(bench.Overlap.Format(v), v) }
	for i, s := range steps {
		cells := []cell{word(s.Mode), word(s.Device), share(s.Value), points(s.Change.Mean), points(s.Change.Low), points(s.Change.High), share(wall[i].Value), word(s.Description)}
		if s.First {
			none := value("", math.NaN())
			cells[3], cells[4], cells[5] = none, none, none
		}
		t.Rows = append(t.Rows, cells)
	}
	return t.section("steps", "Error ladder", "Changes are relative to the previous step; for the last three, which read the same trace in other ways, to “+ overflow”. CPU time is approximated by the wall time of methods that do not wait.")
}

func methodsSection(r *bench.Result) section {
	rows := shown(r)
	t := table{
		Caption: "Share of CPU time" + clockNote(r) + " and of wall time, in %",
		Columns: []column{{Name: "method", Text: true, Key: true}, {Name: "CPU, true"}},
	}
	for _, row := range rows {
		t.Columns = append(t.Columns, column{Name: "CPU, " + nameOf(row)})
	}
	t.Columns = append(t.Columns, column{Name: "wall, true"})
	for _, row := range rows {
		t.Columns = append(t.Columns, column{Name: "wall, " + nameOf(row)})
	}
	share := func(v float64) cell { return value(fmt.Sprintf("%.2f", 100*v), v) }
	for i, m := range r.Methods[:min(50, len(r.Methods))] {
		running, wall := []cell{word(m.Name), share(m.Running)}, []cell{share(m.Wall)}
		for _, row := range rows {
			running, wall = append(running, share(row.Shares[i].Running)), append(wall, share(row.Shares[i].Wall))
		}
		t.Rows = append(t.Rows, append(running, wall...))
	}
	return t.section("methods", "Hottest methods", "True shares, and those reported by one trace of each mode; – without CPU time.")
}
