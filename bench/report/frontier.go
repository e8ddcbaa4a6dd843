package report

import (
	"cmp"
	"slices"
	"strings"

	"artifice/bench"
	"artifice/internal/chart"
	"artifice/internal/words"
)

// plane is a chart of accuracy against slowdown.
type plane struct {
	measure bench.Measure // of accuracy
	of      string        // the kind of time
	series  []rowSeries   // those with the measure and a cost
}

// frontier shows accuracy of CPU time against slowdown, with all modes as points.
func frontier(r *bench.Result) (Figure, bool) {
	p := plane{bench.OverlapRunning, "CPU time", costly(byOneClock(r, seriesOf(r, bench.OverlapRunning)))}
	f := p.figure(r)
	f.Name, f.Title = "frontier", "Accuracy by slowdown"
	if omitted(r) != "" {
		f.Caption += " Modes without CPU clock are in the next chart."
	}
	return f, len(p.series) > 0
}

// frontierOfAll shows accuracy of wall time, which all modes have, if the other chart omits some.
func frontierOfAll(r *bench.Result) (Figure, bool) {
	p := plane{bench.Overlap, "wall time", costly(seriesOf(r, bench.Overlap))}
	f := p.figure(r)
	f.Name, f.Title = "frontier-wall", "Accuracy of wall time by slowdown"
	f.Caption += " Wall time includes waiting, which CPU time samplers do not record."
	return f, omitted(r) != "" && len(p.series) > 0
}

func (p plane) figure(r *bench.Result) Figure {
	return Figure{
		Caption: "Share of " + p.of + " correctly attributed, over the added wall time (slowdown − 1). Each mark is a mode: sampling is labelled with the interval, a mode with a single mark with its name. Error bars: 95 % confidence interval. " +
			"The broad line is the frontier of each device: the best accuracy at that slowdown or less. Modes without cost are omitted.",
		draw: func() *chart.Chart { return p.draw(r) },
	}
}

// noCost bounds the slowdown 1 with its rounding error.
const noCost = 1 + 1e-9

// label returns the label of a mark: the interval, and the name of a mode with a single mark.
func (s *rowSeries) label(i int) string {
	var parts []string
	if len(s.rows) == 1 {
		parts = append(parts, s.mode)
	}
	if s.rows[i].Interval > 0 {
		parts = append(parts, words.Duration(s.rows[i].Interval))
	}
	return strings.Join(parts, " ")
}

// costly returns the series with a cost, without rows that have none.
func costly(all []rowSeries) (list []rowSeries) {
	for _, s := range all {
		s.rows = slices.DeleteFunc(s.rows, func(row bench.Row) bool { return !(row.Mean[bench.Slowdown] > noCost) })
		if mode, _ := bench.ModeByName(s.mode); !mode.Control && len(s.rows) > 0 {
			list = append(list, s)
		}
	}
	return list
}

func (p plane) draw(r *bench.Result) *chart.Chart {
	c := &chart.Chart{X: chart.Axis{Title: "slowdown − 1", Log: true, Format: chart.Percent}, Y: chart.Axis{Title: p.of + " correctly attributed", Format: chart.Percent}}
	k := keyOf(r)
	all := map[string][]chart.Point{} // by device
	right := 0.
	for _, s := range p.series {
		points := s.overhead(p.measure)
		all[s.device] = append(all[s.device], points...)
		for _, at := range points {
			right = max(right, at.X)
		}
	}
	for _, device := range k.devices {
		if steps := staircase(undominated(all[device]), right); len(steps) > 0 {
			c.Add(chart.Item{Kind: chart.Broad, Points: steps, Ink: chart.TextInk})
		}
	}
	for _, s := range p.series {
		points := s.overhead(p.measure)
		if len(points) > 1 {
			c.Add(chart.Item{Kind: chart.Curve, Points: points, Ink: k.ink(s.mode)})
		}
		s.measured(c, p.measure, points, k)
	}
	for _, s := range p.series {
		for i, at := range s.overhead(p.measure) {
			if text := s.label(i); text != "" {
				c.Add(chart.Item{Kind: chart.Label, Points: []chart.Point{at}, Ink: k.ink(s.mode), Text: text})
			}
		}
	}
	k.legend(c, p.series)
	c.Legend(chart.Item{Kind: chart.Broad, Ink: chart.TextInk, Shape: chart.NoShape, Text: "frontier"})
	return c
}

// staircase joins points from left to right; each keeps its height up to the next, the last up to
// the end.
func staircase(points []chart.Point, end float64) (line []chart.Point) {
	for i, p := range points {
		if i > 0 {
			line = append(line, chart.At(p.X, points[i-1].Y))
		}
		line = append(line, p)
	}
	if n := len(points); n > 0 {
		line = append(line, chart.At(end, points[n-1].Y))
	}
	return line
}

// overhead returns a measure of a series over slowdown − 1.
func (s rowSeries) overhead(m bench.Measure) (points []chart.Point) {
	for _, row := range s.rows {
		points = append(points, chart.At(row.Mean[bench.Slowdown]-1, row.Mean[m]))
	}
	return points
}

// undominated returns the points of the Pareto frontier, from the cheapest to the most accurate.
func undominated(points []chart.Point) (best []chart.Point) {
	for _, a := range points {
		if !slices.ContainsFunc(points, func(b chart.Point) bool { return b.X <= a.X && b.Y >= a.Y && b != a }) {
			best = append(best, a)
		}
	}
	slices.SortFunc(best, func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
	return best
}
