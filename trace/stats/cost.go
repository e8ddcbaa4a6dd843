package stats

import (
	"fmt"
	"math"
	"time"
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

// Slowdown returns the ratio of a run's length with tracing to its length without: 1 +
// delay/length, where delay is the delay that tracing has caused by its end. The commands record,
// bench and score use this definition. A tracer without cost has a slowdown of 1.
//
// Example: an app that runs 10 s untraced and 2 s longer under a tracer has a slowdown of 1.2.
func Slowdown(length, delay time.Duration) float64 {
	if length <= 0 {
		return 1
	}
	return 1 + float64(delay)/float64(length)
}
