package report

import (
	"artifice/bench"

	"gonum.org/v1/plot/plotter"
)

// ladder shows what each source of error costs.
func ladder(r *bench.Result) (Figure, bool) {
	steps := r.LadderSteps(bench.Overlap)
	return Figure{
		Name:    "ladder",
		Title:   "Error ladder",
		Caption: "Share of exclusive time reported where it belongs, as one source of error after the other is added, on the sweep's last device. The last three are other readers of the same trace. Bars: 95 % confidence interval.",
		draw:    func(c *colours) (*chart, error) { return drawLadder(r, steps, c) },
	}, len(steps) > 0
}

func drawLadder(r *bench.Result, steps []bench.Step, c *colours) (*chart, error) {
	p := newPlot(c, "", "exclusive time in its place")
	p.Y.Tick.Marker = percent{}
	device := steps[len(steps)-1].Device
	var points bars
	var names []string
	for _, row := range r.Rows {
		for _, s := range steps {
			if s.Device != device || s.Mode != row.Mode || row.Device != device || row.Interval != s.Interval {
				continue
			}
			points.XYs = append(points.XYs, plotter.XY{X: float64(len(names)), Y: s.Value})
			points.YErrors = append(points.YErrors, struct{ Low, High float64 }{s.Value - row.Low[bench.Overlap], row.High[bench.Overlap] - s.Value})
			names = append(names, s.Mode)
		}
	}
	chart, err := plotter.NewBarChart(values(points.XYs), 22)
	if err != nil {
		return nil, err
	}
	chart.Color, chart.LineStyle.Width = c.at(0), 0
	p.Add(chart)
	if err := whiskers(p, points, c.ink); err != nil {
		return nil, err
	}
	p.NominalX(names...)
	p.right = 40
	p.X.Tick.Label.Rotation = -0.6
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = 0, -0.5
	p.Y.Min = 0
	return p, nil
}

func values(points plotter.XYs) (v plotter.Values) {
	for _, p := range points {
		v = append(v, p.Y)
	}
	return v
}
