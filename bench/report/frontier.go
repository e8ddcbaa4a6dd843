package report

import (
	"cmp"
	"slices"
	"strings"

	"artifice/bench"
	"artifice/internal/chart"
)

// plane is a picture of accuracy against overhead.
type plane struct {
	measure bench.Measure // of accuracy
	of      string        // what it is the share of
	series  []rowSeries   // that have the measure and a cost
}

// frontier shows accuracy of running time against overhead, all ways of tracing as points.
func frontier(r *bench.Result) (Figure, bool) {
	p := plane{bench.OverlapRunning, "running time", costly(byOneClock(r, seriesOf(r, bench.OverlapRunning)))}
	f := p.figure(r)
	f.Name, f.Title = "frontier", "Accuracy by overhead"
	if leftOut(r) != "" {
		f.Caption += " Ways of tracing without CPU clock are in the next picture."
	}
	return f, len(p.series) > 0
}

// frontierOfAll shows accuracy of wall time, which all ways of tracing have, where the
// other picture leaves some out.
func frontierOfAll(r *bench.Result) (Figure, bool) {
	p := plane{bench.Overlap, "wall time", costly(seriesOf(r, bench.Overlap))}
	f := p.figure(r)
	f.Name, f.Title = "frontier-wall", "Accuracy of wall time by overhead"
	f.Caption += " Wall time has the time that threads wait, which ways of tracing that count CPU time do not see."
	return f, leftOut(r) != "" && len(p.series) > 0
}

func (p plane) figure(r *bench.Result) Figure {
	return Figure{
		Caption: "Share of " + p.of + " that is attributed to the right method. Each mark is one way of tracing; those of sampling are labelled with their interval, and those that have a single mark with their name. Error bars: 95 % confidence interval. " +
			"The broad line is the frontier of each device: the best accuracy to be had for that overhead or less. What costs nothing is left out.",
		draw: func() *chart.Chart { return p.draw(r) },
	}
}

// noCost is a slowdown that is none but for rounding.
const noCost = 1 + 1e-9

// label is what stands beside a mark: its interval, and the name of a way of tracing
// that has no other mark.
func (s *rowSeries) label(i int) string {
	var words []string
	if len(s.rows) == 1 {
		words = append(words, s.mode)
	}
	if s.rows[i].Interval > 0 {
		words = append(words, s.rows[i].Interval.String())
	}
	return strings.Join(words, " ")
}

// costly returns the series that have a cost, without rows that have none.
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
	c := &chart.Chart{X: chart.Axis{Title: "time added to the run", Log: true, Format: chart.Percent}, Y: chart.Axis{Title: p.of + " in the right method", Format: chart.Percent}}
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

// staircase joins points from left to right, each at its height until the next, and
// the last until the end.
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

// overhead returns a measure of a series over what it adds to the run.
func (s rowSeries) overhead(m bench.Measure) (points []chart.Point) {
	for _, row := range s.rows {
		points = append(points, chart.At(row.Mean[bench.Slowdown]-1, row.Mean[m]))
	}
	return points
}

// undominated returns the points that no other beats in both respects, from the
// cheapest to the most accurate.
func undominated(points []chart.Point) (best []chart.Point) {
	for _, a := range points {
		if !slices.ContainsFunc(points, func(b chart.Point) bool { return b.X <= a.X && b.Y >= a.Y && b != a }) {
			best = append(best, a)
		}
	}
	slices.SortFunc(best, func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
	return best
}
