// Package report draws the result of a benchmark: figures as SVG ([Figures]), and a self-contained
// HTML page with figures and tables ([Page]). It computes no measures: they are in the
// [bench.Result], and package internal/chart draws curves and axes.
//
// # Example
//
//	for _, figure := range report.Figures(result) {
//		err = figure.WriteSVG(w)
//	}
//	err = report.WriteHTML(w, report.Page{Source: "scroll-60hz", Result: result})
//
// # Units and errors
//
// The page prints the units of each column. The only errors are those of the writer.
package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/bench"
	"artifice/internal/chart"
	"artifice/internal/words"
)

// Figure is a chart of a result.
type Figure struct {
	Name    string // base name of its file
	Title   string
	Caption string // explanation below the chart

	draw func() *chart.Chart
}

// Figures returns the figures for which the result has data.
func Figures(r *bench.Result) []Figure {
	var all []Figure
	for _, f := range []func(*bench.Result) (Figure, bool){overview, accuracy, calls, frontier, frontierOfAll, shares, universal, ladder} {
		if figure, ok := f(r); ok {
			all = append(all, figure)
		}
	}
	return all
}

// WriteSVG writes the figure as an SVG file. It scales with its container and follows the color
// scheme of the reader.
func (f Figure) WriteSVG(w io.Writer) error { return f.draw().WriteFile(w, f.Title) }

// rowSeries contains the rows of one mode on one device, in the order of intervals.
type rowSeries struct {
	mode, device string
	rows         []bench.Row
}

// seriesOf groups the rows of modes to which measure m applies, without the error ladder.
func seriesOf(r *bench.Result, m bench.Measure) (list []rowSeries) {
	for _, row := range r.Rows {
		if _, ok := bench.ModeByName(row.Mode); !ok || math.IsNaN(row.Mean[m]) {
			continue
		}
		if n := len(list); n == 0 || list[n-1].mode != row.Mode || list[n-1].device != row.Device {
			list = append(list, rowSeries{mode: row.Mode, device: row.Device})
		}
		s := &list[len(list)-1]
		s.rows = append(s.rows, row)
	}
	return list
}

// byOneClock returns the series with the same clock as the truth: CPU time, or wall time of methods
// that do not wait.
func byOneClock(r *bench.Result, list []rowSeries) []rowSeries {
	return slices.DeleteFunc(list, func(s rowSeries) bool { return s.rows[0].ByCPU != r.Truth.Running.ByCPU })
}

// omitted is the note in a caption that modes without CPU clock are omitted; "" if there are none.
func omitted(r *bench.Result) string {
	for _, row := range r.Rows {
		if _, ok := bench.ModeByName(row.Mode); ok && row.ByCPU != r.Truth.Running.ByCPU {
			return " Modes without CPU clock are omitted."
		}
	}
	return ""
}

// key assigns colors and marks to series, the same in all figures of a result: the color by mode,
// and the mark by device or, with a single device, by mode.
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

func (k key) ink(mode string) int { return slices.Index(k.modes, mode) }

func (k key) shape(s rowSeries) int {
	if len(k.devices) == 1 {
		return k.ink(s.mode)
	}
	return slices.Index(k.devices, s.device)
}

// legend adds the modes and, if there are several, the devices.
func (k key) legend(c *chart.Chart, list []rowSeries) {
	for _, mode := range k.modes {
		if i := slices.IndexFunc(list, func(s rowSeries) bool { return s.mode == mode }); i >= 0 {
			entry := chart.Item{Kind: chart.Curve, Ink: k.ink(mode), Shape: chart.NoShape, Text: mode}
			if len(k.devices) == 1 {
				entry.Shape = k.shape(list[i])
			}
			c.Legend(entry)
		}
	}
	if len(k.devices) == 1 {
		return
	}
	for _, device := range k.devices {
		if i := slices.IndexFunc(list, func(s rowSeries) bool { return s.device == device }); i >= 0 {
			c.Legend(chart.Item{Kind: chart.Mark, Ink: chart.TextInk, Shape: k.shape(list[i]), Text: "device " + device})
		}
	}
}

// clockNote names, in parentheses, the replacement of CPU time in a truth without CPU clock.
func clockNote(r *bench.Result) string {
	if r.Truth.Running.ByCPU {
		return ""
	}
	return " (" + strings.Replace(r.Truth.Running.String(), " (no CPU clock)", "; no CPU clock", 1) + ")"
}

// nameOf names the tracer of a row.
func nameOf(row bench.Row) string {
	if row.Interval == 0 {
		return row.Mode + " on " + row.Device
	}
	return fmt.Sprintf("%s on %s at %s", row.Mode, row.Device, words.Duration(row.Interval))
}

// withInterval formats a mean with its confidence interval.
func withInterval(row bench.Row, m bench.Measure) string {
	if row.Low[m] == row.High[m] {
		return chart.Percent(row.Mean[m])
	}
	return fmt.Sprintf("%s (95 %% CI %s to %s)", chart.Percent(row.Mean[m]), chart.Percent(row.Low[m]), chart.Percent(row.High[m]))
}

func inMS(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// swept returns the intervals of the sweep.
func swept(r *bench.Result) (list []time.Duration) {
	seen := map[time.Duration]bool{0: true}
	for _, row := range r.Rows {
		if !seen[row.Interval] {
			seen[row.Interval] = true
			list = append(list, row.Interval)
		}
	}
	slices.Sort(list)
	return list
}

// intervalAxis returns a logarithmic axis with ticks at the intervals of the sweep.
func intervalAxis(r *bench.Result) chart.Axis {
	a := chart.Axis{Title: "interval, ms", Log: true}
	for _, d := range swept(r) {
		a.Ticks = append(a.Ticks, chart.Tick{Value: inMS(d), Label: chart.Plain(inMS(d))})
	}
	return a
}
