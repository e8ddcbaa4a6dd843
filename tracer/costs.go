package tracer

import (
	"slices"

	"artifice/tracer/device"
)

// Costs names the numbers of a device that say what a way of tracing costs the app.
type Costs struct {
	Numbers []string // as the device's file spells them; none: it takes nothing

	// Borrowed says that they are those of a similar tool, for want of figures of its own.
	Borrowed bool
}

// Kind returns how well the cost of a way of tracing is known on a device.
func (c *Costs) Kind(d *device.Device) device.Kind {
	kind := d.KindOf(c.Numbers...)
	if c.Borrowed {
		kind = min(kind, device.Assumed)
	}
	return kind
}

// Calibrated reports whether a trace that was recorded this way tells its own cost
// ([device.Calibrate]). Only ART's do, and they do not tell the cost of compiled code.
func (c *Costs) Calibrated() bool {
	return !c.Borrowed && (slices.Equal(c.Numbers, OfSampling.Numbers) || slices.Equal(c.Numbers, OfCalls.Numbers))
}

// Costs that several ways of tracing share.
var (
	// OfSampling is the cost of ART's sampling.
	OfSampling = Costs{Numbers: []string{"overshoot", "per-tick", "per-thread", "per-frame"}}

	// OfCalls is what it takes when ART reports each call, with both clocks.
	OfCalls = Costs{Numbers: []string{"clock-overhead", "hook"}}

	// OfCompiled is what it takes when compiled code reports each call.
	OfCompiled = Costs{Numbers: []string{"compiled"}}

	ofWalk = Costs{Numbers: []string{"per-thread", "per-frame"}, Borrowed: true}
	ofCopy = []string{"perf-copy", "perf-copy-most"}
)
