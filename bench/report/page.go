package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"artifice/bench"
	"artifice/internal/chart"
)

//go:embed page.html
var pageText string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// Page is what the HTML report is made of. The same page gives the same bytes.
type Page struct {
	Source string // of the truth, as the user named it
	Part   string // what of it was measured, after the description of the truth; can be empty
	Result *bench.Result

	// How the result came about, for the page's foot; each may be empty.
	Version string // of the program
	Command string // that repeats the result
	Dated   string // "was recorded on …" or what else is known of the source's date
}

// pageData is what the template shows.
type pageData struct {
	Page
	Truth    string
	Running  string // what running time is
	Advice   []advice
	Style    template.CSS
	Figures  []pageFigure
	Sections []section
}

// advice is the answer for one device, and what is said of each way of tracing.
type advice struct {
	Answer    string
	Sentences []string
	ToDo      string
}

type pageFigure struct {
	Title, Caption string
	SVG            template.HTML // of our own making
}

// WriteHTML writes the report as one file that needs no other.
func WriteHTML(w io.Writer, p Page) error {
	d := pageData{Page: p, Truth: p.Result.Truth.String(), Style: template.CSS(chart.Stylesheet())}
	for _, a := range p.Result.Advise() {
		d.Advice = append(d.Advice, advice{a.Answer(), a.Sentences(), a.ToDo()})
	}
	if t := p.Result.Truth; t.Time > 0 {
		d.Running = fmt.Sprintf("%s, %.0f %% of the threads' time; they wait in the rest", t.Running, 100*t.Running.Time.Seconds()/t.Time.Seconds())
	}
	for _, f := range Figures(p.Result) {
		var b bytes.Buffer
		if err := f.draw().WriteElement(&b, f.Title); err != nil {
			return err
		}
		d.Figures = append(d.Figures, pageFigure{f.Title, f.Caption, template.HTML(b.String())})
	}
	d.Sections = sections(p.Result)
	return pageTemplate().Execute(w, d)
}
