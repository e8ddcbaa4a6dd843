package report

import (
	"image/color"
	"math"
	"slices"

	"artifice/bench"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// series is the rows of one mode on one device, in the order of intervals.
type series struct {
	mode, device string
	rows         []bench.Row
}

// seriesOf groups the rows of modes (not of the ladder) that measure m applies
// to.
func seriesOf(r *bench.Result, m bench.Measure) (list []series) {
	for _, row := range r.Rows {
		if _, ok := bench.ModeByName(row.Mode); !ok || math.IsNaN(row.Mean[m]) {
			continue
		}
		if n := len(list); n == 0 || list[n-1].mode != row.Mode || list[n-1].device != row.Device {
			list = append(list, series{mode: row.Mode, device: row.Device})
		}
		s := &list[len(list)-1]
		s.rows = append(s.rows, row)
	}
	return list
}

// key says which colour a mode has and which mark a device, the same in all
// figures of a result.
type key struct{ modes, devices []string }

func keyOf(r *bench.Result) (k key) {
	for _, s := range seriesOf(r, bench.Slowdown) {
		if !slices.Contains(k.modes, s.mode) {
			k.modes = append(k.modes, s.mode)
		}
		if !slices.Contains(k.devices, s.device) {
			k.devices = append(k.devices, s.device)
		}
	}
	return k
}

// markRadius is the size of marks and dots.
const markRadius = 3 * vg.Length(1)

var marks = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{}}

func (k key) ink(c *colours, mode string) color.Color { return c.at(slices.Index(k.modes, mode)) }

func (k key) mark(device string) draw.GlyphDrawer {
	return marks[slices.Index(k.devices, device)%len(marks)]
}

// legend explains the modes and, where there are several, the devices.
func (k key) legend(p *chart, list []series) {
	for _, mode := range k.modes {
		if slices.ContainsFunc(list, func(s series) bool { return s.mode == mode }) {
			p.legend(mode, &plotter.Line{LineStyle: draw.LineStyle{Color: k.ink(p.colours, mode), Width: vg.Points(3)}})
		}
	}
	if len(k.devices) == 1 {
		return
	}
	for _, device := range k.devices {
		if slices.ContainsFunc(list, func(s series) bool { return s.device == device }) {
			p.legend("device "+device, &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: p.colours.ink, Radius: markRadius, Shape: k.mark(device)}})
		}
	}
}
