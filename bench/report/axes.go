package report

import (
	"fmt"
	"image/color"
	"math"
	"time"

	"artifice/bench"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// newPlot returns an empty plot in these colours.
func newPlot(c *colours, x, y string) *chart {
	p := plot.New()
	p.BackgroundColor = c.ground
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.X.Padding, p.Y.Padding = 4, 4
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = c.ink, c.ink
		style(&axis.Label.TextStyle, c.ink, 11)
		style(&axis.Tick.Label, c.ink, 10)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = c.faint, c.faint
	p.Add(grid)
	return &chart{Plot: p, colours: c, right: 14}
}

func style(s *text.Style, ink color.Color, size font.Length) {
	s.Color = ink
	s.Font.Typeface, s.Font.Variant, s.Font.Size = "Liberation", "Sans", size
}

// line adds a line with points on it, and its legend unless name is empty.
func line(p *chart, name string, points plotter.XYs, ink color.Color, dashes []vg.Length) error {
	l, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	l.Color, l.Width, l.Dashes = ink, 1.5, dashes
	p.Add(l)
	p.legend(name, l)
	return nil
}

// dots adds points.
func dots(p *chart, name string, points plotter.XYs, ink color.Color, shape draw.GlyphDrawer) error {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: ink, Radius: markRadius, Shape: shape}
	p.Add(s)
	p.legend(name, s)
	return nil
}

// bars are points with their confidence intervals.
type bars struct {
	plotter.XYs
	plotter.YErrors
}

// whiskers adds confidence intervals.
func whiskers(p *chart, b bars, ink color.Color) error {
	e, err := plotter.NewYErrorBars(b)
	if err != nil {
		return err
	}
	e.Color, e.CapWidth = ink, 4
	p.Add(e)
	return nil
}

// intervals labels a logarithmic axis of milliseconds with the intervals there
// are.
type intervals []time.Duration

// Ticks implements plot.Ticker.
func (list intervals) Ticks(low, high float64) (ticks []plot.Tick) {
	for _, d := range list {
		ticks = append(ticks, plot.Tick{Value: inMS(d), Label: fmt.Sprintf("%g", inMS(d))})
	}
	return ticks
}

// percent labels an axis of shares.
type percent struct{}

// Ticks implements plot.Ticker.
func (percent) Ticks(low, high float64) (ticks []plot.Tick) {
	step := 0.2
	for _, s := range []float64{0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001} {
		if (high-low)/step >= 4 {
			break
		}
		step = s
	}
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: fmt.Sprintf("%.4g %%", math.Abs(100*i*step))})
	}
	return ticks
}

// evenly labels an axis of plain numbers.
type evenly struct{}

// Ticks implements plot.Ticker.
func (evenly) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, part := range []float64{0.5, 0.25, 0.1} {
		if (high-low)/step >= 4 {
			break
		}
		step = part * math.Pow(10, math.Floor(math.Log10(high-low)))
	}
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: fmt.Sprintf("%.4g", i*step)})
	}
	return ticks
}

// decades labels a logarithmic axis with powers of ten.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		ticks = append(ticks, plot.Tick{Value: math.Pow(10, e), Label: fmt.Sprintf("%g", math.Pow(10, e))})
	}
	return ticks
}

func inMS(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// swept returns the sweep's intervals.
func swept(r *bench.Result) (list intervals) {
	seen := map[time.Duration]bool{0: true}
	for _, row := range r.Rows {
		if !seen[row.Interval] {
			seen[row.Interval] = true
			list = append(list, row.Interval)
		}
	}
	return list
}
