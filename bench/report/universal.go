package report

import (
	"math"

	"artifice/bench"
	"artifice/bench/law"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// universal shows how calls merge and are missed, on one scale for all.
func universal(r *bench.Result) (Figure, bool) {
	any := false
	for _, row := range r.Rows {
		any = any || len(row.Curve) > 0 && row.Mode == bench.ARTSampling.Name
	}
	return Figure{
		Name:  "universal",
		Title: "Reported calls on the universal curve",
		Caption: "Each dot is one of the contexts with the most calls, at one interval: reported per true calls, over the interval in units of the time over which the context forgets whether it is on the stack. " +
			"Line: (1 − e^−x)/x, exact for calls and pauses of random (exponential) length. Regular apps lie off it, at resonance far off.",
		draw: func(c *colours) (*chart, error) { return drawUniversal(r, c) },
	}, any
}

func drawUniversal(r *bench.Result, c *colours) (*chart, error) {
	p := newPlot(c, "x = interval / correlation time", "reported / true calls")
	p.X.Scale, p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogScale{}, decades{}, percent{}
	device, colour := "", -1
	low, high := math.Inf(1), 0.
	var points plotter.XYs
	flush := func() error {
		if len(points) == 0 {
			return nil
		}
		defer func() { points = nil }()
		return dots(p, device, points, c.at(colour), draw.CircleGlyph{})
	}
	for _, row := range r.Rows {
		if row.Mode != bench.ARTSampling.Name {
			continue
		}
		if row.Device != device {
			if err := flush(); err != nil {
				return nil, err
			}
			device, colour = row.Device, colour+1
		}
		for _, at := range row.Curve {
			points = append(points, plotter.XY{X: at.X, Y: at.Y})
			low, high = min(low, at.X), max(high, at.X)
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	var curve plotter.XYs
	for i := range 101 {
		x := low * math.Pow(high/low, float64(i)/100)
		curve = append(curve, plotter.XY{X: x, Y: law.Universal(x)})
	}
	p.Y.Min = 0
	return p, line(p, "(1 − e^−x)/x", curve, c.ink, nil)
}
