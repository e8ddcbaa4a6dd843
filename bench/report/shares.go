package report

import (
	"cmp"
	"fmt"
	"slices"

	"artifice/bench"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shown are the rows whose reported shares are drawn: those of ART's sampling on
// the last device at the interval nearest to 1 ms, and of instrumenting there.
func shown(r *bench.Result) (rows []bench.Row) {
	var device string
	var sampled *bench.Row
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Mode != bench.ARTSampling.Name {
			continue
		}
		if row.Device != device {
			device, sampled = row.Device, nil
		}
		if sampled == nil || away(row) < away(sampled) {
			sampled = row
		}
	}
	if sampled != nil {
		rows = append(rows, *sampled)
	}
	for _, row := range r.Rows {
		if (row.Mode == bench.InstrumentedDual.Name || row.Mode == bench.InstrumentedWall.Name) && (device == "" || row.Device == device) {
			rows = append(rows, row)
		}
	}
	return rows
}

// away is how far the row's interval is from 1 ms, as a factor.
func away(row *bench.Row) float64 {
	x := inMS(row.Interval)
	return max(x, 1/x)
}

// shares shows each method's reported share against its true one.
func shares(r *bench.Result) (Figure, bool) {
	rows := shown(r)
	name := ""
	for i, row := range rows {
		if i > 0 {
			name += "; "
		}
		name += row.Mode + " on " + row.Device
		if row.Interval > 0 {
			name += fmt.Sprintf(" every %v", row.Interval)
		}
	}
	return Figure{
		Name:    "shares",
		Title:   "Reported against true share of each method",
		Caption: "Exclusive time of the hottest methods, one run: " + name + ". On the dashed line a method is reported right; methods that were missed lie on the bottom edge.",
		draw:    func(c *colours) (*chart, error) { return drawShares(r, rows, c) },
	}, len(rows) > 0 && len(r.Methods) > 1
}

func drawShares(r *bench.Result, rows []bench.Row, c *colours) (*chart, error) {
	p := newPlot(c, "true share, %", "reported share, %")
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	k := keyOf(r)
	low := 100 * r.Methods[len(r.Methods)-1].Share / 2
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{}}
	for i, row := range rows {
		var points plotter.XYs
		for k, m := range r.Methods {
			points = append(points, plotter.XY{X: 100 * m.Share, Y: max(low, 100*row.Shares[k])})
		}
		if err := dots(p, row.Mode, points, k.ink(c, row.Mode), shapes[i%len(shapes)]); err != nil {
			return nil, err
		}
	}
	right := plotter.XYs{{X: low, Y: low}, {X: 100, Y: 100}}
	if err := line(p, "", right, c.ink, []vg.Length{2, 3}); err != nil {
		return nil, err
	}
	return p, nil
}

func sortByX(points plotter.XYs) {
	slices.SortFunc(points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
}
