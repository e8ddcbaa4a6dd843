package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// chart is a picture of curves and points over two axes, with its legend below,
// where it hides no data. Things are drawn in the order in which they were added.
type chart struct {
	x, y  axis
	items []item
	keys  []item
}

// point is a place in the units of the axes, or in those of the picture.
type point struct{ x, y float64 }

// kind is what an item is.
type kind int

const (
	curve kind = iota // a line through the points
	broad             // the same, thick and pale
	mark              // a shape at the only point; text is its tooltip
	bar               // an interval, between two points
	label             // a text beside the only point, if there is room
)

// item is one thing of a chart. As an entry of the legend it has no points, and
// text is its name.
type item struct {
	kind   kind
	points []point
	ink    int // a series' colour, or textInk
	shape  int // of a mark, or noShape
	dashed bool
	text   string
}

// textInk is the colour of the text, for things that belong to no series.
const textInk = -1

// noShape leaves the shape out of an entry of the legend.
const noShape = -1

func (c *chart) add(i item) { c.items = append(c.items, i) }

func (c *chart) legend(i item) { c.keys = append(c.keys, i) }

// Sizes in the picture's own unit, which is a pixel where the picture is as wide as
// it says. It is small, so that the text stays readable on a phone.
const (
	width      = 420.
	plotHeight = 230.
	inset      = 10. // from the frame to the nearest point
	margin     = 8.
	textSize   = 12.
	noteSize   = 10. // of labels at points
	lineHeight = 16.
	markRadius = 3.5
	manyMarks  = 200 // more are drawn small
)

// textWidth estimates how wide a text is in a common sans-serif font.
func textWidth(s string, size float64) float64 {
	return 0.6 * size * float64(utf8.RuneCountInString(s))
}

// drawing is a chart while it is written.
type drawing struct {
	*chart
	strings.Builder
	left, top, right, bottom float64 // the frame
	taken                    []box   // where a label would hide something
	marks                    int     // how many there are
}

// box is a part of the picture.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) meets(o box) bool { return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 }

// write writes the chart as an SVG element as wide as its place. head is what comes
// first in it.
func (c *chart) write(w io.Writer, title, head string) error {
	var xs, ys []float64
	for _, i := range c.items {
		for _, p := range i.points {
			xs, ys = append(xs, p.x), append(ys, p.y)
		}
	}
	c.x.cover(xs)
	c.y.cover(ys)
	d := &drawing{chart: c, left: margin + lineHeight, top: margin, right: width - margin, bottom: margin + plotHeight}
	widest := 0.
	for _, t := range c.y.marks() {
		widest = max(widest, textWidth(t.label, textSize))
	}
	d.left += widest + 8 // fonts differ
	d.axes()
	for _, i := range c.items {
		d.take(i)
	}
	for _, i := range c.items {
		d.draw(i)
	}
	height := d.legends(d.bottom + 3*lineHeight)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="100%%" viewBox="0 0 %g %g" preserveAspectRatio="xMidYMin" role="img" aria-label="%s" font-family="system-ui,Arial,sans-serif" font-size="%g">
%s<rect %s width="100%%" height="100%%" fill="currentColor"/>
%s</svg>
`, width, height, escape(title), textSize, head, ground.attributes(), d.String())
	return err
}

// at returns where a point is in the picture, whose y goes down.
func (d *drawing) at(p point) point {
	return point{
		d.left + inset + d.x.place(p.x)*(d.right-d.left-2*inset),
		d.bottom - inset - d.y.place(p.y)*(d.bottom-d.top-2*inset),
	}
}

// escape makes a text one of XML, which has no control characters.
func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // to memory: it cannot fail
	return b.String()
}

// num writes a coordinate.
func num(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", math.Round(v*100)/100+0), "0"), ".")
}

// text writes a text, with more attributes.
func (d *drawing) text(x, y float64, anchor, s, more string) {
	fmt.Fprintf(d, `<text x="%s" y="%s" text-anchor="%s"%s>%s</text>`+"\n", num(x), num(y), anchor, more, escape(s))
}

// axes draws frame, grid, ticks and titles. Labels that would touch the one before
// them are left out.
func (d *drawing) axes() {
	fmt.Fprintf(d, `<g data-grid="" %s stroke="currentColor" fill="none">`+"\n", faint.attributes())
	xs, ys := d.x.marks(), d.y.marks()
	for _, t := range xs {
		fmt.Fprintf(d, `<path d="M%s %sV%s"/>`+"\n", num(d.at(point{t.value, d.y.low}).x), num(d.top), num(d.bottom))
	}
	for _, t := range ys {
		fmt.Fprintf(d, `<path d="M%s %sH%s"/>`+"\n", num(d.left), num(d.at(point{d.x.low, t.value}).y), num(d.right))
	}
	fmt.Fprintf(d, "</g>\n<g %s fill=\"currentColor\">\n", ink.attributes())
	fmt.Fprintf(d, `<path fill="none" stroke="currentColor" d="M%s %sV%sH%s"/>`+"\n", num(d.left), num(d.top), num(d.bottom), num(d.right))
	end := math.Inf(-1)
	for _, t := range xs {
		x, half := d.at(point{t.value, d.y.low}).x, textWidth(t.label, textSize)/2
		if x-half > end {
			d.text(x, d.bottom+lineHeight-2, "middle", t.label, "")
			end = x + half + 3
		}
	}
	last := math.Inf(1)
	for _, t := range ys {
		if y := d.at(point{d.x.low, t.value}).y; math.Abs(y-last) > textSize {
			d.text(d.left-5, y+4, "end", t.label, "")
			last = y
		}
	}
	d.text((d.left+d.right)/2, d.bottom+2*lineHeight, "middle", d.x.title, "")
	middle := num((d.top + d.bottom) / 2)
	d.text(0, 0, "middle", d.y.title, ` transform="translate(`+num(margin+textSize-2)+` `+middle+`) rotate(-90)"`)
	d.WriteString("</g>\n")
}

// take notes where labels would hide an item, or be hidden by it.
func (d *drawing) take(i item) {
	if i.kind == broad || i.kind == label {
		return
	}
	if i.kind == mark {
		d.marks++
	}
	const step = 3.
	from := d.at(i.points[0])
	for _, p := range i.points {
		to := d.at(p)
		n := math.Ceil(math.Hypot(to.x-from.x, to.y-from.y)/step) + 1
		for k := range int(n) + 1 {
			x, y := from.x+(to.x-from.x)*float64(k)/n, from.y+(to.y-from.y)*float64(k)/n
			r := 1.
			if i.kind == mark {
				r = markRadius
			}
			d.taken = append(d.taken, box{x - r, y - r, x + r, y + r})
		}
		from = to
	}
}

// draw draws an item.
func (d *drawing) draw(i item) {
	var at []point
	for _, p := range i.points {
		at = append(at, d.at(p))
	}
	c := inkOf(i.ink).attributes()
	switch i.kind {
	case curve, broad:
		d.curve(i, at, c)
	case mark:
		around, size := `<circle r="9" fill="none" pointer-events="all"/>`, "" // a tooltip is easy to hit
		if d.marks > manyMarks {
			around, size = "", " scale(.55)"
		}
		fmt.Fprintf(d, `<g data-mark="" %s transform="translate(%s %s)%s"><title>%s</title>%s%s</g>`+"\n",
			c, num(at[0].x), num(at[0].y), size, escape(i.text), around, shapes[i.shape%len(shapes)])
	case bar:
		a, b := at[0], at[1]
		caps := fmt.Sprintf("M%s %sh6M%s %sh6", num(a.x-3), num(a.y), num(b.x-3), num(b.y))
		if a.y == b.y && a.x != b.x {
			caps = fmt.Sprintf("M%s %sv6M%s %sv6", num(a.x), num(a.y-3), num(b.x), num(b.y-3))
		}
		fmt.Fprintf(d, `<path data-bar="" %s fill="none" stroke="currentColor" d="M%s %sL%s %s%s"/>`+"\n", c, num(a.x), num(a.y), num(b.x), num(b.y), caps)
	case label:
		d.label(at[0], i)
	}
}

func (d *drawing) curve(i item, at []point, colour string) {
	style := ` stroke-width="1.5"`
	if i.kind == broad {
		style = ` stroke-width="9" stroke-opacity=".25" stroke-linecap="round" stroke-linejoin="round"`
	}
	if i.dashed {
		style += ` stroke-dasharray="4 3"`
	}
	var places []string
	for _, p := range at {
		places = append(places, num(p.x)+","+num(p.y))
	}
	fmt.Fprintf(d, `<polyline %s fill="none" stroke="currentColor"%s points="%s"/>`+"\n", colour, style, strings.Join(places, " "))
}

// label writes a text where it hides no mark and no other label, near a point; or
// not at all.
func (d *drawing) label(p point, i item) {
	w := textWidth(i.text, noteSize)
	for _, o := range []point{{7, 3}, {5, -6}, {5, 13}, {-w / 2, -8}, {-w / 2, 15}, {-w - 5, -6}, {-w - 5, 13}, {-w - 7, 3}} {
		b := box{p.x + o.x, p.y + o.y - noteSize + 2, p.x + o.x + w, p.y + o.y + 1}
		if b.x0 < d.left || b.x1 > d.right || b.y0 < d.top || b.y1 > d.bottom {
			continue
		}
		free := true
		for _, t := range d.taken {
			free = free && !b.meets(t)
		}
		if free {
			d.taken = append(d.taken, b)
			d.text(b.x0, p.y+o.y, "start", i.text, ` `+inkOf(i.ink).attributes()+` fill="currentColor" font-size="`+num(noteSize)+`"`)
			return
		}
	}
}

// legends draws the legend in lines from y down, and returns where it ends.
func (d *drawing) legends(y float64) float64 {
	const thumb = 20.
	if len(d.keys) == 0 {
		return y - margin
	}
	x := margin
	for _, k := range d.keys {
		w := thumb + 6 + textWidth(k.text, textSize)
		if x > margin && x+w > width-margin {
			x, y = margin, y+lineHeight
		}
		c := inkOf(k.ink).attributes()
		if k.kind != mark {
			d.curve(k, []point{{x, y}, {x + thumb, y}}, c)
		}
		if k.shape != noShape {
			fmt.Fprintf(d, `<g %s transform="translate(%s %s)">%s</g>`+"\n", c, num(x+thumb/2), num(y), shapes[k.shape%len(shapes)])
		}
		d.text(x+thumb+5, y+4, "start", k.text, ` `+ink.attributes()+` fill="currentColor"`)
		x += w + 12
	}
	return y + margin + 4
}

// shapes are the marks. Solid and hollow ones alternate in outline, not in size.
var shapes = []string{
	`<circle r="3.5" fill="currentColor"/>`,
	`<path d="M0-4.6L4.4 3H-4.4Z" fill="currentColor"/>`,
	`<path d="M-3.2-3.2H3.2V3.2H-3.2Z" fill="currentColor"/>`,
	`<path d="M0-4.8L4.8 0L0 4.8L-4.8 0Z" fill="currentColor"/>`,
	`<circle class="hollow" r="3.2" fill="#fff" stroke="currentColor" stroke-width="1.5"/>`,
	`<path d="M0 4.6L4.4-3H-4.4Z" fill="currentColor"/>`,
	`<path class="hollow" d="M-3-3H3V3H-3Z" fill="#fff" stroke="currentColor" stroke-width="1.5"/>`,
	`<path d="M-3.2-3.2L3.2 3.2M-3.2 3.2L3.2-3.2" fill="none" stroke="currentColor" stroke-width="1.8"/>`,
}
