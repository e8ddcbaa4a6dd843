package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// law is a straight line: a base cost, and a cost per thread, frame, method, context or MiB.
type law struct{ base, each float64 }

// lawOf returns the straight line with the least sum of squared relative deviations from the costs
// at points. Absolute deviations would be dominated by the largest point.
func lawOf(points []point, of func(point) float64) law {
	var x, y, weights []float64
	for _, p := range points {
		c := of(p)
		x, y, weights = append(x, float64(p.x)), append(y, c), append(weights, 1/(c*c))
	}
	base, each := stat.LinearRegression(x, y, weights, false)
	return law{base, each}
}

// at returns the cost at x.
func (l law) at(x int64) float64 { return l.base + l.each*float64(x) }

// off returns the maximum relative deviation of the costs from the law.
func (l law) off(points []point, of func(point) float64) (share float64) {
	for _, p := range points {
		share = max(share, math.Abs(of(p)/l.at(p.x)-1))
	}
	return share
}

// printLaws prints the straight lines of each command's costs.
func printLaws(s *sweep, lines [][]point) {
	for i, points := range lines {
		for _, m := range costs {
			l := lawOf(points, m.of)
			fmt.Printf("%s, %s: %.3g %s and %.3g %s for each %s, at most %.0f %% off\n", commands[i].name, m.name,
				l.base/m.unit, m.unitName, l.each/m.smallUnit, m.smallName, s.each, 100*l.off(points, m.of))
		}
	}
}
