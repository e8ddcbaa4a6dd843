package tracer

import (
	"slices"

	"artifice/device"
)

// Costs names the numbers of a device that say what a way of tracing costs the app.
type Costs struct {
	Numbers []string // as the device's file spells them; none: it takes nothing

	// Borrowed says that they are those of a similar tool, for want of figures of its own.
	Borrowed bool
}

// Kind returns how surely it is known what a way of tracing takes on a device.
func (c *Costs) Kind(d *device.Device) device.Kind {
	kind := d.KindOf(c.Numbers...)
	if c.Borrowed {
		kind = min(kind, device.Assumed)
	}
	return kind
}

// Calibrated reports whether a trace that was recorded so tells what it takes
// ([device.Calibrate]): of those of ART alone, and not of what compiled code takes.
func (c *Costs) Calibrated() bool {
	return !c.Borrowed && (slices.Equal(c.Numbers, OfSampling.Numbers) || slices.Equal(c.Numbers, OfCalls.Numbers))
}

// What several ways of tracing take.
var (
	// OfSampling is what ART's sampling takes.
	OfSampling = Costs{Numbers: []string{"overshoot", "per-tick", "per-thread", "per-frame"}}

	// OfCalls is what it takes when ART reports each call, with both clocks.
	OfCalls = Costs{Numbers: []string{"clock-overhead", "hook"}}

	// OfCompiled is what it takes when compiled code reports each call.
	OfCompiled = Costs{Numbers: []string{"compiled"}}

	ofWalk = Costs{Numbers: []string{"per-thread", "per-frame"}, Borrowed: true}
	ofCopy = []string{"perf-copy", "perf-copy-most"}
)
