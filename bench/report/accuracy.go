package report

import (
	"image/color"
	"slices"

	"artifice/bench"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// accuracy shows how right exclusive times are, by interval.
func accuracy(r *bench.Result) (Figure, bool) {
	return Figure{
		Name:  "accuracy",
		Title: "Accuracy against interval",
		Caption: "Share of exclusive time, by method, that is reported where it belongs. Bars: 95 % confidence interval. " +
			"Dashed: what an ideal random sampler would be expected to reach with as many samples. Marks at the left edge have no interval: every call is recorded.",
		draw: func(c *colours) (*chart, error) {
			return byInterval(r, c, bench.Overlap, func(row bench.Row) float64 { return row.Mean[bench.Floor] })
		},
	}, len(swept(r)) > 1
}

// calls shows how many calls are reported, by interval.
func calls(r *bench.Result) (Figure, bool) {
	return Figure{
		Name:    "calls",
		Title:   "Reported calls against interval",
		Caption: "Reported calls per true call. Dashed: the exact call-count law, computed from the truth.",
		draw: func(c *colours) (*chart, error) {
			return byInterval(r, c, bench.CallRatio, func(row bench.Row) float64 { return row.Law[bench.CallRatio] })
		},
	}, len(swept(r)) > 1
}

// byInterval draws a measure by interval, with its law.
func byInterval(r *bench.Result, c *colours, m bench.Measure, theory func(bench.Row) float64) (*chart, error) {
	p := newPlot(c, "interval, ms", "")
	p.X.Scale, p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogScale{}, swept(r), percent{}
	left := inMS(swept(r)[0])
	list := seriesOf(r, m)
	if m == bench.CallRatio { // a tracer that records every call reports every call
		list = slices.DeleteFunc(list, func(s series) bool { return s.rows[0].Interval == 0 })
	}
	k := keyOf(r)
	for _, s := range list {
		points, law := bars{}, plotter.XYs{}
		for _, row := range s.rows {
			x := inMS(row.Interval)
			if row.Interval == 0 {
				x = left
			}
			points.XYs = append(points.XYs, plotter.XY{X: x, Y: row.Mean[m]})
			points.YErrors = append(points.YErrors, struct{ Low, High float64 }{row.Mean[m] - row.Low[m], row.High[m] - row.Mean[m]})
			if v := theory(row); v == v && row.Interval > 0 { // not NaN
				law = append(law, plotter.XY{X: x, Y: v})
			}
		}
		if err := draw1(p, k.ink(c, s.mode), k.mark(s.device), points, law); err != nil {
			return nil, err
		}
	}
	k.legend(p, list)
	p.Y.Min = max(0, min(p.Y.Min, 0.9*p.Y.Max))
	return p, nil
}

// draw1 draws one series with its law.
func draw1(p *chart, ink color.Color, mark draw.GlyphDrawer, points bars, law plotter.XYs) error {
	if err := dots(p, "", points.XYs, ink, mark); err != nil {
		return err
	}
	if len(points.XYs) == 1 {
		return nil
	}
	if err := line(p, "", points.XYs, ink, nil); err != nil {
		return err
	}
	if len(law) > 1 {
		if err := line(p, "", law, ink, []vg.Length{3, 3}); err != nil {
			return err
		}
	}
	return whiskers(p, points, ink)
}
