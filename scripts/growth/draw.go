package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"artifice/internal/chart"
)

// measures are what is drawn, each in a figure of its own.
var measures = []struct {
	name  string // in the name of the figure's file
	title string
	of    func(point) float64
}{
	{"time", "CPU time of an event, ns", func(p point) float64 { return p.ns }},
	{"memory", "most memory, MiB", func(p point) float64 { return p.mib }},
}

// draw writes the figures of a sweep, which has a line of points for each command.
func draw(s *sweep, lines [][]point, out string) error {
	for _, m := range measures {
		file, err := os.Create(filepath.Join(out, s.name+"-"+m.name+".svg"))
		if err != nil {
			return err
		}
		defer file.Close()
		if err := figure(s, lines, m.title, m.of).WriteFile(file, m.title+", by "+s.axis); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// figure has a curve for each command. Its height is whole powers of ten: what costs
// the same everywhere looks so.
func figure(s *sweep, lines [][]point, title string, of func(point) float64) *chart.Chart {
	c := &chart.Chart{
		X: chart.Axis{Title: s.axis, Log: true, Format: number},
		Y: chart.Axis{Title: title, Log: true, Format: number},
	}
	var values []float64
	for i, line := range lines {
		var at []chart.Point
		for _, p := range line {
			at = append(at, chart.At(float64(p.x), of(p)))
			values = append(values, of(p))
		}
		c.Add(chart.Item{Kind: chart.Curve, Points: at, Ink: i})
		for _, p := range at {
			text := fmt.Sprintf("%s: %.3g (%s) at %s %s", commands[i].name, p.Y, title, number(p.X), s.axis)
			c.Add(chart.Item{Kind: chart.Mark, Points: []chart.Point{p}, Ink: i, Shape: i, Text: text})
		}
		c.Legend(chart.Item{Kind: chart.Curve, Ink: i, Shape: i, Text: commands[i].name})
	}
	c.Y.Low = math.Pow10(int(math.Floor(math.Log10(slices.Min(values)))))
	c.Y.High = math.Pow10(int(math.Ceil(math.Log10(slices.Max(values)))))
	return c
}

// number writes a number; M stands for a million.
func number(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%g M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%g,000", v/1e3)
	}
	return chart.Plain(v)
}
