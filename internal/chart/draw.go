package chart

import (
	"fmt"
	"math"
	"strings"
)

// take records the areas of an item that labels must not overlap.
func (d *drawing) take(i Item) {
	if i.Kind == Broad || i.Kind == Label {
		return
	}
	if i.Kind == Mark {
		d.marks++
	}
	const step = 3.
	from := d.at(i.Points[0])
	for _, p := range i.Points {
		to := d.at(p)
		n := math.Ceil(math.Hypot(to.X-from.X, to.Y-from.Y)/step) + 1
		for k := range int(n) + 1 {
			x, y := from.X+(to.X-from.X)*float64(k)/n, from.Y+(to.Y-from.Y)*float64(k)/n
			r := 1.
			if i.Kind == Mark {
				r = markRadius
			}
			d.taken = append(d.taken, box{x - r, y - r, x + r, y + r})
		}
		from = to
	}
}

// draw draws an item.
func (d *drawing) draw(i Item) {
	var at []Point
	for _, p := range i.Points {
		at = append(at, d.at(p))
	}
	c := inkOf(i.Ink).attributes()
	switch i.Kind {
	case Curve, Broad:
		d.curve(i, at, c)
	case Mark:
		around, size := `<circle r="9" fill="none" pointer-events="all"/>`, "" // a larger target for the tooltip
		if d.marks > manyMarks {
			around, size = "", " scale(.55)"
		}
		fmt.Fprintf(d, `<g data-mark="" %s transform="translate(%s %s)%s"><title>%s</title>%s%s</g>`+"\n",
			c, num(at[0].X), num(at[0].Y), size, escape(i.Text), around, shapes[i.Shape%len(shapes)])
	case Bar:
		a, b := at[0], at[1]
		caps := fmt.Sprintf("M%s %sh6M%s %sh6", num(a.X-3), num(a.Y), num(b.X-3), num(b.Y))
		if a.Y == b.Y && a.X != b.X {
			caps = fmt.Sprintf("M%s %sv6M%s %sv6", num(a.X), num(a.Y-3), num(b.X), num(b.Y-3))
		}
		fmt.Fprintf(d, `<path data-bar="" %s fill="none" stroke="currentColor" d="M%s %sL%s %s%s"/>`+"\n", c, num(a.X), num(a.Y), num(b.X), num(b.Y), caps)
	case Label:
		d.label(at[0], i)
	}
}

func (d *drawing) curve(i Item, at []Point, colour string) {
	style := ` stroke-width="1.5"`
	if i.Kind == Broad {
		style = ` stroke-width="9" stroke-opacity=".25" stroke-linecap="round" stroke-linejoin="round"`
	}
	if i.Dashed {
		style += ` stroke-dasharray="4 3"`
	}
	var places []string
	for _, p := range at {
		places = append(places, num(p.X)+","+num(p.Y))
	}
	fmt.Fprintf(d, `<polyline %s fill="none" stroke="currentColor"%s points="%s"/>`+"\n", colour, style, strings.Join(places, " "))
}

// label writes a text near a point if there is a position at which it hides no mark and no other
// label.
func (d *drawing) label(p Point, i Item) {
	w := textWidth(i.Text, noteSize)
	for _, o := range []Point{{7, 3}, {5, -6}, {5, 13}, {-w / 2, -8}, {-w / 2, 15}, {-w - 5, -6}, {-w - 5, 13}, {-w - 7, 3}} {
		b := box{p.X + o.X, p.Y + o.Y - noteSize + 2, p.X + o.X + w, p.Y + o.Y + 1}
		if b.x0 < d.left || b.x1 > d.right || b.y0 < d.top || b.y1 > d.bottom {
			continue
		}
		free := true
		for _, t := range d.taken {
			free = free && !b.meets(t)
		}
		if free {
			d.taken = append(d.taken, b)
			d.text(b.x0, p.Y+o.Y, "start", i.Text, ` `+inkOf(i.Ink).attributes()+` fill="currentColor" font-size="`+num(noteSize)+`"`)
			return
		}
	}
}

// legends draws the legend in lines from y down, and returns the y of its end.
func (d *drawing) legends(y float64) float64 {
	const thumb = 20.
	if len(d.keys) == 0 {
		return y - margin
	}
	x := margin
	for _, k := range d.keys {
		w := thumb + 6 + textWidth(k.Text, textSize)
		if x > margin && x+w > width-margin {
			x, y = margin, y+lineHeight
		}
		c := inkOf(k.Ink).attributes()
		if k.Kind != Mark {
			d.curve(k, []Point{{x, y}, {x + thumb, y}}, c)
		}
		if k.Shape != NoShape {
			fmt.Fprintf(d, `<g %s transform="translate(%s %s)">%s</g>`+"\n", c, num(x+thumb/2), num(y), shapes[k.Shape%len(shapes)])
		}
		d.text(x+thumb+5, y+4, "start", k.Text, ` `+ink.attributes()+` fill="currentColor"`)
		x += w + 12
	}
	return y + margin + 4
}

// shapes are the marks. Solid and hollow ones alternate; they differ in outline, not in size.
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
