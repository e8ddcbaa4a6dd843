// Package chart draws charts as SVG and writes the HTML around them.
//
// A [Chart] has two axes and items in the units of the data: curves, marks, error bars and texts.
// It chooses ranges, ticks, positions of labels, and colours for light and dark backgrounds.
// [Writer] is an HTML page under construction that escapes text. The package contains nothing
// specific to traces; the pages are in bench/report and report/diff.
package chart

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Chart is a picture of curves and points over two axes, with its legend below, where it covers no
// data. Items are drawn in the order of adding.
type Chart struct {
	Heading []string // paragraphs above the frame, the first one bold
	Notes   []string // paragraphs below the legend
	X, Y    Axis
	items   []Item
	keys    []Item
}

// Point is a position in the units of the axes, or of the picture.
type Point struct{ X, Y float64 }

// At returns a Point.
func At(x, y float64) Point { return Point{x, y} }

// Kind is the kind of an item.
type Kind int

// The kinds of items.
const (
	Curve Kind = iota // a line through the points
	Broad             // the same, thick and pale
	Mark              // a shape at the only point; Text is its tooltip
	Bar               // an interval, between two points
	Label             // a text next to the only point, if there is room
)

// Item is an element of a chart. In the legend it has no points, and Text is its name.
type Item struct {
	Kind   Kind
	Points []Point
	Ink    int // a series' colour from 0 up, or TextInk
	Shape  int // of a mark from 0 up, or NoShape
	Dashed bool
	Text   string
}

// TextInk is the colour of text, for items that belong to no series.
const TextInk = -1

// NoShape omits the shape from an entry of the legend.
const NoShape = -1

// Add draws items on top of earlier ones.
func (c *Chart) Add(items ...Item) { c.items = append(c.items, items...) }

// Legend adds an entry to the legend.
func (c *Chart) Legend(i Item) { c.keys = append(c.keys, i) }

// Sizes in the unit of the picture, which is a pixel at the picture's nominal width. That width is
// a phone's, so that its text has normal size there.
const (
	width      = 340.
	plotHeight = 200.
	inset      = 10. // distance of the outermost points from the frame
	margin     = 8.
	textSize   = 12.
	noteSize   = 10. // font size of labels at points
	lineHeight = 16.
	markRadius = 3.5
	manyMarks  = 200 // with more marks than this, a chart has small marks
)

// textWidth estimates the width of a text in a common sans-serif font.
func textWidth(s string, size float64) float64 {
	return 0.6 * size * float64(utf8.RuneCountInString(s))
}

// drawing is the state of a chart that is being written.
type drawing struct {
	*Chart
	strings.Builder
	left, top, right, bottom float64 // the frame
	taken                    []box   // areas that a label would hide
	marks                    int     // number of marks
}

// box is a rectangle in the picture.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) meets(o box) bool { return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 }

// WriteFile writes the chart as an SVG file with a title. It fills the available width, and is
// light or dark according to the reader's preference.
func (c *Chart) WriteFile(w io.Writer, title string) error {
	return c.write(w, title, "<title>"+escape(title)+"</title>\n<style>\n"+Stylesheet()+":root{background:var(--ground)}\n</style>\n")
}

// WriteElement writes the chart as an SVG element of an HTML page with the [Stylesheet]. It fills
// the available width.
func (c *Chart) WriteElement(w io.Writer, title string) error { return c.write(w, title, "") }

// write writes the chart. head is inserted at the beginning.
func (c *Chart) write(w io.Writer, title, head string) error {
	var xs, ys []float64
	for _, i := range c.items {
		for _, p := range i.Points {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	c.X.cover(xs)
	c.Y.cover(ys)
	d := &drawing{Chart: c, left: margin + lineHeight, top: margin, right: width - margin, bottom: margin + plotHeight}
	widest := 0.
	for _, t := range c.Y.marks() {
		widest = max(widest, textWidth(t.Label, textSize))
	}
	d.left += widest + 8 // fonts differ
	if len(c.Heading) > 0 {
		d.top = d.paragraphs(c.Heading, margin, textSize, ` font-weight="bold"`) + margin
		d.bottom = d.top + plotHeight
	}
	d.axes()
	for _, i := range c.items {
		d.take(i)
	}
	for _, i := range c.items {
		d.draw(i)
	}
	height := d.legends(d.bottom + 3*lineHeight)
	if len(c.Notes) > 0 {
		height = d.paragraphs(c.Notes, height, noteSize, "") + margin
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="100%%" viewBox="0 0 %g %g" preserveAspectRatio="xMidYMin" role="img" aria-label="%s" font-family="system-ui,Arial,sans-serif" font-size="%g">
%s<rect %s width="100%%" height="100%%" fill="currentColor"/>
%s</svg>
`, width, height, escape(title), textSize, head, ground.attributes(), d.String())
	return err
}

// at returns the position of a point in the picture. Its y coordinate increases downwards.
func (d *drawing) at(p Point) Point {
	return Point{
		d.left + inset + d.X.place(p.X)*(d.right-d.left-2*inset),
		d.bottom - inset - d.Y.place(p.Y)*(d.bottom-d.top-2*inset),
	}
}

// escape makes a text valid XML. Control characters and invalid UTF-8, which XML does not allow
// (XML 1.0, 2.2), become U+FFFD. Package encoding/xml does the same, but its tables slow down
// every start of the program and make the laboratory's page larger.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return unicode.ReplacementChar
		}
		return r
	}, s))
}

// num formats a coordinate.
func num(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", math.Round(v*100)/100+0), "0"), ".")
}

// text writes a text; more is additional attributes.
func (d *drawing) text(x, y float64, anchor, s, more string) {
	fmt.Fprintf(d, `<text x="%s" y="%s" text-anchor="%s"%s>%s</text>`+"\n", num(x), num(y), anchor, more, escape(s))
}

// paragraphs writes texts in lines as wide as the picture from y down, and returns the y of their
// end. first are the attributes of the first one.
func (d *drawing) paragraphs(texts []string, y, size float64, first string) float64 {
	for _, text := range texts {
		for _, line := range wrap(text, size, width-2*margin) {
			y += size + 3
			d.text(margin, y-3, "start", line, ` `+ink.attributes()+` fill="currentColor" font-size="`+num(size)+`"`+first)
		}
		first = ""
	}
	return y
}

// wrap breaks a text between words into lines of at most a width; a word that is wider is a line.
func wrap(text string, size, width float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && textWidth(line+" "+word, size) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// axes draws frame, grid, ticks and titles. It omits labels that would touch the previous one, and
// keeps the last label within the picture.
func (d *drawing) axes() {
	fmt.Fprintf(d, `<g data-grid="" %s stroke="currentColor" fill="none">`+"\n", faint.attributes())
	xs, ys := d.X.marks(), d.Y.marks()
	for _, t := range xs {
		fmt.Fprintf(d, `<path d="M%s %sV%s"/>`+"\n", num(d.at(Point{t.Value, d.Y.Low}).X), num(d.top), num(d.bottom))
	}
	for _, t := range ys {
		fmt.Fprintf(d, `<path d="M%s %sH%s"/>`+"\n", num(d.left), num(d.at(Point{d.X.Low, t.Value}).Y), num(d.right))
	}
	fmt.Fprintf(d, "</g>\n<g %s fill=\"currentColor\">\n", ink.attributes())
	fmt.Fprintf(d, `<path fill="none" stroke="currentColor" d="M%s %sV%sH%s"/>`+"\n", num(d.left), num(d.top), num(d.bottom), num(d.right))
	end := math.Inf(-1)
	for _, t := range xs {
		x, half := d.at(Point{t.Value, d.Y.Low}).X, textWidth(t.Label, textSize)/2
		if x = min(x, width-half-2); x-half > end { // % is wide
			d.text(x, d.bottom+lineHeight-2, "middle", t.Label, "")
			end = x + half + 3
		}
	}
	last := math.Inf(1)
	for _, t := range ys {
		if y := d.at(Point{d.X.Low, t.Value}).Y; math.Abs(y-last) > textSize {
			d.text(d.left-5, y+4, "end", t.Label, "")
			last = y
		}
	}
	d.text((d.left+d.right)/2, d.bottom+2*lineHeight, "middle", d.X.Title, "")
	middle := num((d.top + d.bottom) / 2)
	d.text(0, 0, "middle", d.Y.Title, ` transform="translate(`+num(margin+textSize-2)+` `+middle+`) rotate(-90)"`)
	d.WriteString("</g>\n")
}
