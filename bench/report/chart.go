package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// chart is a plot with its legend below it, where it hides no data.
type chart struct {
	*plot.Plot
	colours *colours
	entries []entry
	right   vg.Length // room on the right for labels that reach beyond the axis
}

// entry is one line of a legend.
type entry struct {
	name  string
	thumb plot.Thumbnailer
}

const (
	legendLine    = 15 * vg.Length(1)
	legendColumns = 2
)

// legend adds an entry; nothing for an empty name.
func (c *chart) legend(name string, thumb plot.Thumbnailer) {
	if name != "" {
		c.entries = append(c.entries, entry{name, thumb})
	}
}

// lines returns how many lines the legend has.
func (c *chart) lines() int { return (len(c.entries) + legendColumns - 1) / legendColumns }

// height returns how high the figure is: the legend takes nothing from the plot.
func (c *chart) height() vg.Length { return plotHeight + legendLine*vg.Length(c.lines()) }

// draw draws chart and legend.
func (c *chart) draw(canvas draw.Canvas) {
	canvas.SetColor(c.colours.ground)
	canvas.Fill(canvas.Rectangle.Path())
	lines := c.lines()
	bottom := legendLine * vg.Length(lines)
	c.Plot.Draw(draw.Crop(canvas, 2, -c.right, bottom+2, -6))
	column := (canvas.Max.X - canvas.Min.X) / legendColumns
	for i := range legendColumns {
		l := plot.NewLegend()
		style(&l.TextStyle, c.colours.ink, 10)
		l.Left, l.Top, l.ThumbnailWidth, l.Padding = true, true, 16, 2
		for k, e := range c.entries {
			if k/max(1, lines) == i {
				l.Add(e.name, e.thumb)
			}
		}
		at := draw.Crop(canvas, column*vg.Length(i)+8, 0, 0, 0)
		at.Max.Y = at.Min.Y + bottom
		l.Draw(at)
	}
}
