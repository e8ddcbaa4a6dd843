package dmtracedump

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// markup is the output form of a report: text or an HTML page.
type markup interface {
	begin(io.Writer)
	end(io.Writer)
	section(w io.Writer, id string) // writes what precedes the text of a section
	beginTable(io.Writer)
	endTable(io.Writer)
	beginGroup(w io.Writer, line string) // writes the line of a class, which precedes its methods
	endGroup(io.Writer)
	target(io.Writer, *method)         // writes the target for the links to a method
	index(m *method, width int) string // returns the number of a method
	text(string) string                // escapes a name
}

// textMarkup is text, the default.
type textMarkup struct{}

func (textMarkup) begin(io.Writer)           {}
func (textMarkup) end(io.Writer)             {}
func (textMarkup) beginTable(io.Writer)      {}
func (textMarkup) endTable(io.Writer)        {}
func (textMarkup) endGroup(io.Writer)        {}
func (textMarkup) target(io.Writer, *method) {}
func (textMarkup) text(s string) string      { return s }

func (textMarkup) section(w io.Writer, _ string) { fmt.Fprintf(w, "\n%s\n", strings.Repeat("=", 70)) }

func (textMarkup) beginGroup(w io.Writer, line string) {
	fmt.Fprintf(w, "%s\n%s\n", strings.Repeat("-", 45), line)
}

func (textMarkup) index(m *method, width int) string {
	return fmt.Sprintf("%*s", width, fmt.Sprintf("[%d]", m.index))
}

// htmlMarkup is the HTML of -h.
type htmlMarkup struct{ sortable string }

// sections are the sections of a report, with their names in the page.
var sections = []struct{ id, title, contents string }{
	{"exclusive", "Exclusive", "Exclusive profile"}, {"inclusive", "Inclusive", "Inclusive profile"},
	{"class", "Class", "Class/method profile"}, {"method", "Method", "Method/class profile"},
}

func (f htmlMarkup) begin(w io.Writer) {
	beginPage(w, f.sortable, "Method trace")
	fmt.Fprint(w, "<h2 id=\"contents\">Table of Contents</h2>\n<ul>\n")
	for _, s := range sections {
		fmt.Fprintf(w, "<li><a href=\"#%s\">%s</a></li>\n", s.id, s.contents)
	}
	fmt.Fprintln(w, "</ul>")
}

// beginPage writes the head of a page.
func beginPage(w io.Writer, sortable, title string) {
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n", title)
	if sortable != "" {
		fmt.Fprintf(w, "<script src=\"%s\"></script>\n", html.EscapeString(sortable+"sortable.js"))
	}
	fmt.Fprint(w, "<style>\nbody { font-family: sans-serif }\npre, details { font: 13px/1.3 monospace; white-space: pre; margin: 0 }\nsummary { cursor: pointer }\na { text-decoration: none }\na:hover { text-decoration: underline }\ntd, th { text-align: left; padding: 0 .5em }\n</style>\n</head>\n<body>\n")
}

func (htmlMarkup) end(w io.Writer) { fmt.Fprint(w, "</body>\n</html>\n") }

func (htmlMarkup) section(w io.Writer, id string) {
	fmt.Fprintf(w, "<hr id=\"%s\">\n<p><a href=\"#contents\">[Top]</a>\n", id)
	for _, s := range sections {
		fmt.Fprintf(w, "<a href=\"#%s\">[%s]</a>\n", s.id, s.title)
	}
	fmt.Fprint(w, "</p>\n")
}

func (htmlMarkup) beginTable(w io.Writer) { fmt.Fprintln(w, "<pre>") }
func (htmlMarkup) endTable(w io.Writer)   { fmt.Fprintln(w, "</pre>") }

func (htmlMarkup) beginGroup(w io.Writer, line string) {
	fmt.Fprintf(w, "<details><summary>%s</summary>", line)
}
func (htmlMarkup) endGroup(w io.Writer) { fmt.Fprint(w, "</details>") }

func (htmlMarkup) target(w io.Writer, m *method) { fmt.Fprintf(w, "<a id=\"m%d\"></a>", m.index) }

func (htmlMarkup) index(m *method, width int) string {
	text := fmt.Sprintf("[%d]", m.index)
	return fmt.Sprintf("%s<a href=\"#m%d\">%s</a>", strings.Repeat(" ", max(0, width-len(text))), m.index, text)
}

func (htmlMarkup) text(s string) string { return escapeHTML(s) }

// escapeHTML escapes the characters that dmtracedump escapes.
var escapeHTML = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;").Replace
