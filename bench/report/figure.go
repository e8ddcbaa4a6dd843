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
	width  = 420 * vg.Length(1)
	height = 290 * vg.Length(1)
	dpi    = 192 // of PNG
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
	canvas := vgsvg.New(width, height)
	if err := f.drawOn(canvas, p); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return fmt.Errorf("figure %s: %w", f.Name, err)
	}
	_, err := w.Write(fluid(b.Bytes(), f.Title))
	return err
}

// WritePNG writes the figure as PNG.
func (f Figure) WritePNG(w io.Writer, p Palette) error {
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	if err := f.drawOn(canvas, p); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

func (f Figure) drawOn(canvas vg.CanvasSizer, palette Palette) error {
	c := palettes[palette]
	p, err := f.draw(&c)
	if err != nil {
		return fmt.Errorf("figure %s: %w", f.Name, err)
	}
	p.draw(draw.New(canvas))
	return nil
}
