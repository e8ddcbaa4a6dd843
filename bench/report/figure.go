package report

import (
	"bytes"
	"fmt"
	"io"

	"artifice/bench"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is one plot of a result.
type Figure struct {
	Name    string // a file's base name
	Title   string
	Caption string // what it shows, in a sentence or two

	draw func(c *colours) (*chart, error)
}

// Size of a figure. It is small, so that the text stays readable when a phone
// shrinks it to its width.
const (
	width      = 420 * vg.Length(1)
	plotHeight = 261 * vg.Length(1) // without its legend; multiples of 3 are whole pixels of a PNG
	dpi        = 192                // of PNG
)

// Figures returns the plots that the result has the data for.
func Figures(r *bench.Result) []Figure {
	var all []Figure
	for _, f := range []func(*bench.Result) (Figure, bool){accuracy, calls, frontier, shares, universal, ladder} {
		if figure, ok := f(r); ok {
			all = append(all, figure)
		}
	}
	return all
}

// WriteSVG writes the figure as SVG, without a size of its own: it is as wide as
// its place allows.
func (f Figure) WriteSVG(w io.Writer, p Palette) error {
	c, err := f.chart(p)
	if err != nil {
		return err
	}
	canvas := vgsvg.New(width, c.height())
	c.draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return fmt.Errorf("figure %s: %w", f.Name, err)
	}
	_, err = w.Write(fluid(b.Bytes(), f.Title))
	return err
}

// WritePNG writes the figure as PNG.
func (f Figure) WritePNG(w io.Writer, p Palette) error {
	c, err := f.chart(p)
	if err != nil {
		return err
	}
	canvas := vgimg.NewWith(vgimg.UseWH(width, c.height()), vgimg.UseDPI(dpi))
	c.draw(draw.New(canvas))
	_, err = vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// chart makes the figure's chart, in a palette's colours.
func (f Figure) chart(palette Palette) (*chart, error) {
	c := palettes[palette]
	p, err := f.draw(&c)
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return p, nil
}
