package main

import (
	"bytes"
	"fmt"
	"math"
)

// A panel's place, in pixels of the figure.
const (
	panelWidth  = 260
	panelHeight = 170
	marginLeft  = 60
	marginTop   = 34
	figureWide  = 2*(panelWidth+marginLeft) + 20
	figureHigh  = panelHeight + marginTop + 60
)

var colours = []string{"#1f77b4", "#d62728"}

// axis is a logarithmic axis.
type axis struct{ from, to float64 } // powers of ten

// axisOf returns an axis of whole powers of ten that has all values, at least one of them.
func axisOf(values []float64) axis {
	a := axis{math.Inf(1), math.Inf(-1)}
	for _, v := range values {
		a.from, a.to = min(a.from, math.Floor(math.Log10(v))), max(a.to, math.Ceil(math.Log10(v)))
	}
	if a.from == a.to {
		a.to++
	}
	return a
}

// place returns where a value is on the axis, from 0 to 1.
func (a axis) place(v float64) float64 { return (math.Log10(v) - a.from) / (a.to - a.from) }

// draw draws a figure: two panels with a line for each command.
func draw(s *sweep, lines [][]point) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n", figureWide, figureHigh)
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n")
	panel(&b, marginLeft, "CPU time of an event, ns", s.axis, lines, func(p point) float64 { return p.ns })
	panel(&b, 2*marginLeft+panelWidth, "most memory, MiB", s.axis, lines, func(p point) float64 { return p.mib })
	for i, c := range commands {
		x := marginLeft + i*200
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", x, figureHigh-8, colours[i], c.name)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// panel draws a panel whose left edge is there.
func panel(b *bytes.Buffer, left int, title, along string, lines [][]point, value func(point) float64) {
	var xs, ys []float64
	for _, line := range lines {
		for _, p := range line {
			xs, ys = append(xs, float64(p.x)), append(ys, value(p))
		}
	}
	x, y := axisOf(xs), axisOf(ys)
	px := func(v float64) float64 { return float64(left) + panelWidth*x.place(v) }
	py := func(v float64) float64 { return marginTop + panelHeight*(1-y.place(v)) }
	text := func(x, y float64, anchor, s string) {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, s)
	}
	rule := func(x1, y1, x2, y2 float64) {
		fmt.Fprintf(b, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#ddd\"/>\n", x1, y1, x2, y2)
	}
	text(float64(left), marginTop-14, "start", title)
	text(float64(left)+panelWidth/2, marginTop+panelHeight+32, "middle", along)
	for e := x.from; e <= x.to; e++ {
		v := math.Pow(10, e)
		rule(px(v), marginTop, px(v), marginTop+panelHeight)
		text(px(v), marginTop+panelHeight+15, "middle", power(e))
	}
	for e := y.from; e <= y.to; e++ {
		v := math.Pow(10, e)
		rule(float64(left), py(v), float64(left)+panelWidth, py(v))
		text(float64(left)-5, py(v)+4, "end", power(e))
	}
	for i, line := range lines {
		fmt.Fprintf(b, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colours[i])
		for _, p := range line {
			fmt.Fprintf(b, "%.1f,%.1f ", px(float64(p.x)), py(value(p)))
		}
		b.WriteString("\"/>\n")
		for _, p := range line {
			fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", px(float64(p.x)), py(value(p)), colours[i])
		}
	}
}

// power returns 10 to a power; M stands for a million.
func power(e float64) string {
	switch {
	case e >= 6:
		return fmt.Sprintf("%.0f M", math.Pow(10, e-6))
	case e >= 4:
		return fmt.Sprintf("%.0f,000", math.Pow(10, e-3))
	}
	return fmt.Sprint(math.Pow(10, e))
}
