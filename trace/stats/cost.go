package stats

import (
	"fmt"
	"math"
)

// Cost is the cost of recording an app with one tracer configuration, as measured by bench.
type Cost struct {
	Slowdown  float64 // [Slowdown], mean over traces with different phases
	Low, High float64 // range of Slowdown if the source does not record how its waits end; else 0

	// Overhead is the share that a budget limits: Slowdown - 1, or the CPU overhead if the range of
	// the slowdown is too wide for a comparison of configurations.
	Overhead float64
	OfCPU    bool // Overhead is the CPU overhead
}

// budgetRounding bounds the rounding error of an overhead.
const budgetRounding = 1e-9

// Fits reports whether the cost is within a budget, given as a share; 0 means no limit.
func (c *Cost) Fits(budget float64) bool { return budget == 0 || c.Overhead <= budget+budgetRounding }

// Ranged reports whether the slowdown is a range.
func (c *Cost) Ranged() bool { return c.High > 0 }

// String returns the slowdown or its range, with two decimals.
func (c *Cost) String() string {
	switch {
	case math.IsNaN(c.Slowdown):
		return "-"
	case c.Ranged():
		return fmt.Sprintf("%.2f–%.2f", c.Low, c.High)
	}
	return fmt.Sprintf("%.2f", c.Slowdown)
}
