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

// section is tables of one subject, with their data as CSV.
type section struct {
	ID, Title, Note string
	Tables          []table
	CSV             string
}

// table is rows of cells that the reader can sort.
type table struct {
	Caption string
	Columns []column
	Rows    [][]cell
	Terms   []term // what the columns mean
}

type column struct {
	Name  string
	Text  bool   // sorted as text
	Key   bool   // it names the row, and stays in view
	About string // what it means, for a tooltip; can be empty
}

// term is a word that the page defines.
type term struct{ Name, About string }

type cell struct {
	Text string
	Sort string // what to sort by; a number unless the column is text
}

// sections returns the tables that the result has the data for.
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

// exact writes a number so that it can be read back.
func exact(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// csv returns the exact values of a table.
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
	t.WriteCSV(&b) // to memory: it cannot fail
	return b.String()
}

// keyColumns name the tracer of a row.
var keyColumns = []column{{Name: "mode", Text: true, Key: true}, {Name: "device", Text: true, Key: true}, {Name: "interval, ms", Key: true}}

func keyCells(row bench.Row) []cell {
	shown := "–"
	if row.Interval > 0 {
		shown = chart.Plain(inMS(row.Interval))
	}
	return []cell{word(row.Mode), word(row.Device), {shown, exact(inMS(row.Interval))}}
}

// groups are the subjects of measures, in the order of the page. A measure in no
// group is in the last.
var groups = []struct {
	title    string
	measures []bench.Measure
}{
	{"Cost", []bench.Measure{bench.Period, bench.Slowdown, bench.RunningStretch, bench.WaitingStretch, bench.FramesLate, bench.FramesLateBy, bench.LongestPause, bench.CPUDilation, bench.Samples, bench.EventRate, bench.ByteRate, bench.Overflow}},
	{"What is seen", []bench.Measure{bench.HottestInOrder, bench.RecallRunning, bench.NamedSeen, bench.MethodRecall, bench.RecallAbove, bench.CallRecall, bench.CallRatio, bench.MergeFactor, bench.HotCoverage, bench.HotPrecision}},
	{"Time in the right place", []bench.Measure{bench.OverlapRunning, bench.FloorRunning, bench.Overlap, bench.Floor, bench.Relative, bench.OverlapEdges, bench.OverlapPaths, bench.FloorPaths, bench.RelativePaths}},
	{"Errors of times, order, and timeline", nil},
}

// groupOf returns the group that a measure is in.
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
	s := section{ID: "measures", Title: "All measures", Note: "Mean ± standard deviation over phases. Shares in %. The CSV has all measures, with their 95 % confidence intervals."}
	for i, g := range groups {
		t := table{Caption: g.title, Columns: keyColumns[:len(keyColumns):len(keyColumns)]}
		var list []bench.Measure
		for _, m := range r.Measures() {
			if groupOf(m) == i {
				list = append(list, m)
				t.Columns = append(t.Columns, column{Name: m.Header(), About: m.Description()})
				t.Terms = append(t.Terms, term{m.Header(), m.Description()})
			}
		}
		if len(list) == 0 {
			continue
		}
		for _, row := range r.Rows {
			cells := keyCells(row)
			for _, m := range list {
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

// section makes a section of one table.
func (t table) section(id, title, note string) section {
	return section{id, title, note, []table{t}, t.csv()}
}

func theorySection(r *bench.Result) section {
	t := table{
		Caption: "Measured, and what the closed form says",
		Columns: append(keyColumns[:3:3], column{Name: "measure", Text: true}, column{Name: "law"}, column{Name: "measured"}, column{Name: "standard error"}, column{Name: "tolerance"}, column{Name: "z"}),
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
	return t.section("theory", "Measured against theory", "z is how many standard errors the mean is off the closed form. Beyond ±4, one of the two is wrong. There is none where all phases come to the same, within the tolerance of the closed form: gaps are whole nanoseconds, and phases do not tell less than half a count in one of them.")
}

// ladderSection has the steps by running time, and by wall time in the same order.
func ladderSection(steps, wall []bench.Step) section {
	t := table{
		Caption: "Share of running time in the right method after each step, in %, its change with a 95 % confidence interval, in percentage points, and the same share of wall time",
		Columns: []column{{Name: "step", Text: true, Key: true}, {Name: "device", Text: true}, {Name: "running"}, {Name: "change"}, {Name: "from"}, {Name: "to"}, {Name: "wall"}, {Name: "what it is", Text: true}},
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
	return t.section("steps", "Error ladder", "The change is from the step before; for the last three, which are other ways to read the same trace, from “+ overflow”. Running time is here the wall time of methods that do not wait.")
}

func methodsSection(r *bench.Result) section {
	rows := shown(r)
	t := table{
		Caption: "Share of running time (" + r.Truth.Running.String() + ") and of wall time, in %",
		Columns: []column{{Name: "method", Text: true, Key: true}, {Name: "running, true"}},
	}
	for _, row := range rows {
		t.Columns = append(t.Columns, column{Name: "running, " + nameOf(row)})
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
	return t.section("methods", "Hottest methods", "True, and as reported by one run of each way of tracing; – where that has no CPU time.")
}
