package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"artifice/bench"
	"artifice/bench/score"
	"artifice/format"
	"artifice/internal/chart"
	"artifice/trace"
)

var (
	//go:embed page.css
	pageStyle string

	//go:embed page.js
	pageScript string
)

// Page is the content of the HTML report. Equal pages have equal bytes.
type Page struct {
	Source string // of the truth, as the user named it
	Part   string // the selected part, as printed after the description of the truth; can be empty
	Result *bench.Result

	// The footer; each may be empty.
	Version string // of the program
	Command string // that repeats the result
	Dated   string // date of the source, see [Dated]
}

// WriteHTML writes the report as a self-contained file.
func WriteHTML(w io.Writer, p Page) error {
	page := pageWriter{Page: p}
	page.head()
	if err := page.figures(); err != nil {
		return err
	}
	for _, s := range sections(p.Result) {
		page.section(&s)
	}
	page.foot()
	_, err := io.WriteString(w, page.String())
	return err
}

// pageWriter writes a page in parts.
type pageWriter struct {
	Page
	chart.Writer
}

const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s: accuracy and cost of tracing</title>
<style>
%s
%s</style>
</head>
<body>
<main>
<h1>Accuracy and cost of tracing %s</h1>
<p>%s%s`

// head writes the description of the truth and the advice.
func (p *pageWriter) head() {
	r := p.Result
	p.Add(pageHead, p.Source, chart.HTML(chart.Stylesheet()), chart.HTML(pageStyle), p.Source, r.Truth.String(), p.Part)
	if t := r.Truth; t.Time > 0 {
		p.Add("; %s", CPUText(&t))
	}
	if r.Cut {
		p.Add(". <strong>The run was interrupted: the result covers the part that had been read.</strong>")
	}
	p.Add("</p>\n")
	p.AddIf("<div class=\"advice\"><p>%s</p></div>\n", r.NoAdvice())
	for _, a := range r.Advise() {
		p.Add("<div class=\"advice\"><p><strong>%s</strong></p>\n", a.Answer())
		for _, s := range a.Sentences() {
			p.Add("<p>%s</p>\n", s)
		}
		p.AddIf("<p>%s</p>\n", a.ToDo())
		p.Add("</div>\n")
	}
}

// CPUText states the CPU time of the truth as a share of the wall time of its threads and, without
// a CPU clock, its replacement.
func CPUText(t *score.Truth) string {
	share := fmt.Sprintf("%.0f %% of the threads' wall time", 100*t.Running.Time.Seconds()/t.Time.Seconds())
	if t.Running.ByCPU {
		return "CPU time: " + share
	}
	return fmt.Sprintf("CPU time is estimated as the %s: %s", t.Running, share)
}

func (p *pageWriter) figures() error {
	p.Add("<div class=\"figures\">\n")
	for _, f := range Figures(p.Result) {
		var svg bytes.Buffer
		if err := f.draw().WriteElement(&svg, f.Title); err != nil {
			return err
		}
		p.Add("<figure>\n<h2>%s</h2>\n%s<figcaption>%s</figcaption>\n</figure>\n", f.Title, chart.HTML(svg.String()), f.Caption)
	}
	p.Add("</div>\n")
	return nil
}

func (p *pageWriter) section(s *section) {
	p.Add("<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"soft\">%s <span class=\"screen\">Click a column head to sort.</span></p>\n", s.ID, s.Title, s.Note)
	for i := range s.Tables {
		p.table(&s.Tables[i])
	}
	p.Add("<details><summary>Data as CSV</summary>\n<p><button type=\"button\" class=\"save\" data-name=\"%s.csv\">Save %s.csv</button></p>\n<pre tabindex=\"0\">%s</pre>\n</details>\n</section>\n", s.ID, s.ID, s.CSV)
}

func (p *pageWriter) table(t *table) {
	p.Add("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>\n<caption><span>%s</span></caption>\n<thead><tr>", t.Caption, t.Caption)
	for _, c := range t.Columns {
		p.Add("<th scope=\"col\" class=\"%s\"", c.class())
		p.AddIf(" title=\"%s\"", c.About)
		p.Add("><button type=\"button\">%s</button></th>", c.Name)
	}
	p.Add("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		p.Add("<tr>")
		for i, c := range row {
			element := chart.HTML("td")
			if t.Columns[i].Key {
				p.Add("<th scope=\"row\"")
				element = "th"
			} else {
				p.Add("<td")
			}
			p.AddIf(" class=\"%s\"", t.Columns[i].class())
			p.Add(" data-sort=\"%s\">%s</%s>", c.Sort, c.Text, element)
		}
		p.Add("</tr>\n")
	}
	p.Add("</tbody>\n</table></div>\n")
	if len(t.Terms) == 0 {
		return
	}
	p.Add("<dl>\n")
	for _, term := range t.Terms {
		p.Add("<div><dt>%s</dt><dd>%s</dd></div>\n", term.Name, term.About)
	}
	p.Add("</dl>\n")
}

// class returns the CSS class of the cells of a column.
func (c *column) class() string {
	var words []string
	if c.Text {
		words = append(words, "text")
	}
	if c.Key {
		words = append(words, "key")
	}
	return strings.Join(words, " ")
}

func (p *pageWriter) foot() {
	r := p.Result
	p.Add("</main>\n<footer class=\"soft\">\n<p>Made by artifice")
	p.AddIf(" %s", p.Version)
	p.Add(". Means of %d phases, seed %d.", r.Phases, r.Seed)
	if p.Dated != "" {
		p.Add(" %s %s.", p.Source, p.Dated)
	}
	p.Add("</p>\n")
	p.AddIf("<p>Repeat: <code>%s</code></p>\n", p.Command)
	p.Add("</footer>\n<script>\n%s</script>\n</body>\n</html>\n", chart.HTML(pageScript))
}

// Dated states when a trace was recorded, if it contains that: Dalvik's start times count from
// 1970, ART's from the boot of the phone. For other files it states the time of their last change.
func Dated(name string, info *trace.Info) string {
	const layout = "2006-01-02 15:04 UTC"
	if info.VM == "dalvik" && info.Start > 0 {
		return "was recorded on " + time.Unix(0, int64(info.Start)).UTC().Format(layout)
	}
	if file, err := os.Stat(name); err == nil && file.Mode().IsRegular() && !format.IsWorkload(name) {
		return "was last changed on " + file.ModTime().UTC().Format(layout)
	}
	return ""
}
