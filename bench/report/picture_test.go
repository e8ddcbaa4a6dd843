package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"artifice/bench"
)

// picture contains the elements of an SVG in its coordinates. y increases downwards.
type picture struct {
	curves []polyline
	marks  []dot
	bars   [][]point // start, end, and the ends of the caps
	across []float64 // y of horizontal grid lines
	upward []float64 // x of vertical grid lines
	words  map[string]point
	box    point // width and height
}

// point is a point of an SVG.
type point struct{ x, y float64 }

type polyline struct {
	points []point
	dashed bool
	broad  bool
}

type dot struct {
	at     point
	colour string
	tip    string
}

// numbers returns the numbers in a text.
func numbers(text string) (all []float64) {
	for _, s := range regexp.MustCompile(`-?[0-9.]+`).FindAllString(text, -1) {
		v, _ := strconv.ParseFloat(s, 64)
		all = append(all, v)
	}
	return all
}

// pairs returns the numbers in a text as points.
func pairs(text string) (list []point) {
	all := numbers(text)
	for i := 0; i+1 < len(all); i += 2 {
		list = append(list, point{all[i], all[i+1]})
	}
	return list
}

// read parses an SVG.
func read(t *testing.T, svg string) (p picture) {
	t.Helper()
	p.words = map[string]point{}
	grid := false
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			p.element(t, d, e, &grid)
		case xml.EndElement:
			grid = grid && e.Name.Local != "g"
		}
	}
}

func (p *picture) element(t *testing.T, d *xml.Decoder, e xml.StartElement, grid *bool) {
	attr := map[string]string{}
	for _, a := range e.Attr {
		attr[a.Name.Local] = a.Value
	}
	_, isMark := attr["data-mark"]
	_, isBar := attr["data-bar"]
	_, isGrid := attr["data-grid"]
	switch {
	case e.Name.Local == "svg":
		p.box = pairs(attr["viewBox"])[1]
	case e.Name.Local == "polyline":
		p.curves = append(p.curves, polyline{pairs(attr["points"]), attr["stroke-dasharray"] != "", attr["stroke-opacity"] != ""})
	case isMark:
		p.marks = append(p.marks, dot{at: pairs(attr["transform"])[0], colour: attr["color"]})
	case e.Name.Local == "title" && len(p.marks) > 0:
		if err := d.DecodeElement(&p.marks[len(p.marks)-1].tip, &e); err != nil {
			t.Fatal(err)
		}
	case isBar:
		p.bars = append(p.bars, pairs(strings.SplitN(attr["d"], "M", 3)[1]))
	case isGrid:
		*grid = true
	case *grid && strings.Contains(attr["d"], "V"):
		p.upward = append(p.upward, numbers(attr["d"])[0])
	case *grid && strings.Contains(attr["d"], "H"):
		p.across = append(p.across, numbers(attr["d"])[1])
	case e.Name.Local == "text":
		var s string
		if err := d.DecodeElement(&s, &e); err != nil {
			t.Fatal(err)
		}
		at := pairs(attr["x"] + " " + attr["y"])[0]
		p.words[s] = at
	}
}

// figure draws the figure with this name.
func figure(t *testing.T, r *bench.Result, name string) (svg string, p picture) {
	t.Helper()
	for _, f := range Figures(r) {
		if f.Name == name {
			var b bytes.Buffer
			if err := f.WriteSVG(&b); err != nil {
				t.Fatal(err)
			}
			return b.String(), read(t, b.String())
		}
	}
	t.Fatalf("no figure %s", name)
	return "", picture{}
}

// curve returns the only curve that satisfies is.
func (p picture) curve(t *testing.T, what string, is func(polyline) bool) []point {
	t.Helper()
	var found [][]point
	for _, c := range p.curves {
		if len(c.points) > 2 && is(c) { // not the sample in the legend
			found = append(found, c.points)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d curves are %s, want 1", len(found), what)
	}
	return found[0]
}

func measured(c polyline) bool { return !c.dashed && !c.broad }
