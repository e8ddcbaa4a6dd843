package report

import (
	"artifice/bench"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// frontier shows accuracy against overhead, all modes as points.
func frontier(r *bench.Result) (Figure, bool) {
	return Figure{
		Name:  "frontier",
		Title: "Accuracy against overhead",
		Caption: "Each mark is one way of tracing; sampling at several intervals is joined, the shortest on the right. " +
			"Dashed: each device's frontier, the best accuracy to be had for that slowdown or less. The control, which costs nothing, is left out.",
		draw: func(c *colours) (*chart, error) { return drawFrontier(r, c) },
	}, len(costly(r)) > 0
}

// costly returns the series that have a cost.
func costly(r *bench.Result) (list []series) {
	for _, s := range seriesOf(r, bench.Overlap) {
		if s.rows[0].Mode != bench.PoissonSampling.Name && s.rows[0].Mean[bench.Slowdown] > 1 {
			list = append(list, s)
		}
	}
	return list
}

func drawFrontier(r *bench.Result, c *colours) (*chart, error) {
	p := newPlot(c, "slowdown", "exclusive time in its place")
	p.X.Tick.Marker, p.Y.Tick.Marker = evenly{}, percent{}
	k, list := keyOf(r), costly(r)
	k.legend(p, list)
	all := map[string]plotter.XYs{} // by device
	var devices []string
	for _, s := range list {
		points := plotter.XYs{}
		for _, row := range s.rows {
			points = append(points, plotter.XY{X: row.Mean[bench.Slowdown], Y: row.Mean[bench.Overlap]})
		}
		if all[s.device] == nil {
			devices = append(devices, s.device)
		}
		all[s.device] = append(all[s.device], points...)
		if len(points) > 1 {
			if err := line(p, "", points, k.ink(c, s.mode), nil); err != nil {
				return nil, err
			}
		}
		if err := dots(p, "", points, k.ink(c, s.mode), k.mark(s.device)); err != nil {
			return nil, err
		}
	}
	for i, device := range devices {
		name := "frontier"
		if i > 0 {
			name = ""
		}
		if best := undominated(all[device]); len(best) > 1 {
			if err := line(p, name, best, c.ink, []vg.Length{2, 3}); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// undominated returns the points that no other beats in both respects, from the
// cheapest to the most accurate.
func undominated(points plotter.XYs) (best plotter.XYs) {
	for _, a := range points {
		beaten := false
		for _, b := range points {
			if b.X <= a.X && b.Y >= a.Y && b != a {
				beaten = true
			}
		}
		if !beaten {
			best = append(best, a)
		}
	}
	sortByX(best)
	return best
}
