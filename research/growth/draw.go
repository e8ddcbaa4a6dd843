package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"artifice/internal/chart"
)

// costs are the plotted costs, each in a figure of its own.
var costs = []cost{
	{
		name: "time", title: "CPU time of an event, ns",
		of: func(p point) float64 { return p.ns }, share: func(p point) float64 { return float64(p.events) },
		unit: 1e6, unitName: "ms", smallUnit: 1e3, smallName: "µs",
	},
	{
		name: "memory", title: "most memory, MiB",
		of: func(p point) float64 { return p.bytes }, share: func(point) float64 { return 1 << 20 },
		unit: 1 << 20, unitName: "MiB", smallUnit: 1, smallName: "bytes",
	},
}

// cost is one of a command's costs.
type cost struct {
	name  string // in the name of the figure's file
	title string
	of    func(point) float64 // of the whole run, in ns or bytes
	share func(point) float64 // divisor in the figure

	// Units of the law's numbers.
	unit, smallUnit     float64
	unitName, smallName string
}

// draw writes the figures of a sweep. lines has the points of each command.
func draw(s *sweep, lines [][]point, out string) error {
	for _, m := range costs {
		file, err := os.Create(filepath.Join(out, s.name+"-"+m.name+".svg"))
		if err != nil {
			return err
		}
		defer file.Close()
		if err := figure(s, lines, &m).WriteFile(file, m.title+", by "+s.axis); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// figure returns a figure with a curve for each command and its fitted straight line, which appears
// bent on logarithmic axes. The vertical axis extends to whole powers of ten, so that a constant
// cost appears constant.
func figure(s *sweep, lines [][]point, m *cost) *chart.Chart {
	c := &chart.Chart{
		X: chart.Axis{Title: s.axis, Log: true, Format: number},
		Y: chart.Axis{Title: m.title, Log: true, Format: number},
	}
	var values []float64
	for i, line := range lines {
		var at, straight []chart.Point
		law := lawOf(line, m.of)
		for _, p := range line {
			at = append(at, chart.At(float64(p.x), m.of(p)/m.share(p)))
			straight = append(straight, chart.At(float64(p.x), law.at(p.x)/m.share(p)))
			values = append(values, m.of(p)/m.share(p))
		}
		c.Add(chart.Item{Kind: chart.Curve, Points: straight, Ink: i, Dashed: true}, chart.Item{Kind: chart.Curve, Points: at, Ink: i})
		for _, p := range at {
			text := fmt.Sprintf("%s: %.3g (%s) at %s %s", commands[i].name, p.Y, m.title, number(p.X), s.axis)
			c.Add(chart.Item{Kind: chart.Mark, Points: []chart.Point{p}, Ink: i, Shape: i, Text: text})
		}
		c.Legend(chart.Item{Kind: chart.Curve, Ink: i, Shape: i, Text: commands[i].name})
	}
	c.Legend(chart.Item{Kind: chart.Curve, Ink: chart.TextInk, Shape: chart.NoShape, Dashed: true, Text: "a straight line"})
	c.Y.Low = math.Pow10(int(math.Floor(math.Log10(slices.Min(values)))))
	c.Y.High = math.Pow10(int(math.Ceil(math.Log10(slices.Max(values)))))
	return c
}

// number formats a number; M is a million.
func number(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%g M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%g,000", v/1e3)
	}
	return chart.Plain(v)
}
