package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// measures are the minimum figures so far, by name: nanoseconds per event, unless the name ends in
// another unit.
type measures map[string]float64

// add keeps the minimum of two figures.
func (m measures) add(name string, v float64) {
	if old, ok := m[name]; !ok || v < old {
		m[name] = v
	}
}

// print prints a row for each goal with a measurement.
func (m measures) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tns/event\tbaseline\tns/event\tratio\tgoal\t")
	for i := range goals {
		g := &goals[i]
		ns, taken := m[g.measure]
		of, known := m[g.of]
		if !taken || !known {
			continue
		}
		fmt.Fprintf(t, "%s\t%.3g\t%s\t%.3g\t%s\t%s\t\n", g.what, ns, g.of, of, ratio(ns/of), m.judge(g, ns/of))
	}
	return t.Flush()
}

// judge returns the goal, and whether a cost of reached times g.of meets it.
func (m measures) judge(g *goal, reached float64) string {
	most, goal := g.times, ""
	for _, t := range g.plus {
		most += t.ns * m[t.metric] / m[g.of]
	}
	switch {
	case g.ns > 0:
		most, goal = g.ns/m[g.of], fmt.Sprintf("%.3g ns", g.ns)
	case g.times > 0:
		goal = ratio(most)
	default:
		return ""
	}
	if reached <= most {
		return goal + ", met"
	}
	return goal + ", not met"
}

// ratio returns a ratio of two costs in words: "3.5 times", or "1/8" if the first is smaller.
func ratio(r float64) string {
	if r < 1 {
		return fmt.Sprintf("1/%.3g", 1/r)
	}
	return fmt.Sprintf("%.3g times", r)
}
