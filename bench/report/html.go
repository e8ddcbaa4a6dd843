package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"

	"artifice/bench"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// Page is what the HTML report is made of.
type Page struct {
	Source string // of the truth, as the user named it
	Result *bench.Result
}

// pageData is what the template shows.
type pageData struct {
	Source, Truth string
	Cut           bool
	Phases        int
	Advice        []string
	Figures       []pageFigure
	Tables        []table
}

type pageFigure struct {
	Title, Caption string
	Light, Dark    template.HTML // SVG of our own making
}

// table is rows of cells that the reader can sort.
type table struct {
	Title, Note string
	Columns     []column
	Rows        [][]tableCell
}

type column struct {
	Name string
	Text bool // sorted as text
}

type tableCell struct {
	Text string
	Sort string // what to sort by; a number unless the column is text
}

// WriteHTML writes the report as one file that needs no other.
func WriteHTML(w io.Writer, p Page) error {
	r := p.Result
	d := pageData{Source: p.Source, Truth: r.Truth.String(), Cut: r.Cut, Phases: r.Phases}
	for _, a := range r.Advise() {
		d.Advice = append(d.Advice, a.String())
	}
	for _, f := range Figures(r) {
		figure := pageFigure{Title: f.Title, Caption: f.Caption}
		for palette, into := range map[Palette]*template.HTML{Light: &figure.Light, Dark: &figure.Dark} {
			var b bytes.Buffer
			if err := f.WriteSVG(&b, palette); err != nil {
				return err
			}
			*into = template.HTML(b.String())
		}
		d.Figures = append(d.Figures, figure)
	}
	d.Tables = []table{measuresTable(r), theoryTable(r)}
	if steps := r.LadderSteps(bench.Overlap); len(steps) > 0 {
		d.Tables = append(d.Tables, ladderTable(steps))
	}
	d.Tables = append(d.Tables, methodsTable(r))
	return page.Execute(w, d)
}

func plain(s string) tableCell { return tableCell{s, s} }

func value(s string, v float64) tableCell {
	if math.IsNaN(v) {
		return tableCell{"–", ""}
	}
	return tableCell{s, fmt.Sprint(v)}
}

// keyCells are the cells that name a row.
func keyCells(mode, device string, interval float64) []tableCell {
	shown := "–"
	if interval > 0 {
		shown = fmt.Sprintf("%g", interval)
	}
	return []tableCell{plain(mode), plain(device), {shown, fmt.Sprint(interval)}}
}

var keyColumns = []column{{"mode", true}, {"device", true}, {"interval, ms", false}}

func measuresTable(r *bench.Result) table {
	t := table{Title: "All measures", Note: "Mean ± standard deviation over phases. Shares in %.", Columns: keyColumns}
	for _, m := range r.Measures() {
		t.Columns = append(t.Columns[:len(t.Columns):len(t.Columns)], column{m.Header(), false})
	}
	for _, row := range r.Rows {
		cells := keyCells(row.Mode, row.Device, inMS(row.Interval))
		for _, m := range r.Measures() {
			cells = append(cells, value(m.FormatSpread(row.Mean[m], row.StdDev[m]), row.Mean[m]))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

func theoryTable(r *bench.Result) table {
	t := table{
		Title: "Measured against theory", Note: "z: how many standard errors the mean is off the closed form; beyond ±4 something is wrong.",
		Columns: append(keyColumns[:3:3], column{"measure", true}, column{"law", false}, column{"measured", false}, column{"z", false}),
	}
	for _, row := range r.Rows {
		for _, m := range bench.Measures() {
			z, ok := row.Z(m)
			if !ok {
				continue
			}
			cells := keyCells(row.Mode, row.Device, inMS(row.Interval))
			t.Rows = append(t.Rows, append(cells, plain(m.Header()), value(m.Format(row.Law[m]), row.Law[m]), value(m.FormatSpread(row.Mean[m], row.StdDev[m]), row.Mean[m]), value(fmt.Sprintf("%+.1f", z), z)))
		}
	}
	return t
}

func ladderTable(steps []bench.Step) table {
	t := table{
		Title: "Error ladder", Note: "Overlap of exclusive time, in %; the change is from the step before, for the last three from “+ overflow”.",
		Columns: []column{{"step", true}, {"device", true}, {"overlap", false}, {"change", false}, {"from", false}, {"to", false}, {"what it is", true}},
	}
	percent := func(v float64) tableCell { return value(fmt.Sprintf("%+.1f", 100*v), v) }
	for _, s := range steps {
		cells := []tableCell{plain(s.Mode), plain(s.Device), value(bench.Overlap.Format(s.Value), s.Value), percent(s.Change.Mean), percent(s.Change.Low), percent(s.Change.High), plain(s.Description)}
		if s.First {
			cells[3], cells[4], cells[5] = plain("–"), plain("–"), plain("–")
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

func methodsTable(r *bench.Result) table {
	rows := shown(r)
	t := table{Title: "Hottest methods", Note: "Share of exclusive time in %, true and as reported by one run.", Columns: []column{{"method", true}, {"true", false}}}
	for _, row := range rows {
		name := row.Mode + ", " + row.Device
		if row.Interval > 0 {
			name += fmt.Sprintf(", %v", row.Interval)
		}
		t.Columns = append(t.Columns, column{name, false})
	}
	for i, m := range r.Methods[:min(50, len(r.Methods))] {
		cells := []tableCell{plain(m.Name), value(fmt.Sprintf("%.2f", 100*m.Share), m.Share)}
		for _, row := range rows {
			cells = append(cells, value(fmt.Sprintf("%.2f", 100*row.Shares[i]), row.Shares[i]))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
