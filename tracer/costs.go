package tracer

import (
	"slices"

	"artifice/tracer/device"
)

// Costs names the numbers of a device that describe the cost of a tracing method for the app.
type Costs struct {
	Numbers []string // as spelled in the device's file; none: no cost

	// Borrowed marks numbers of a similar tool, used because the tool has none of its own.
	Borrowed bool
}

// Kind returns how reliably the cost of a tracing method is known on a device.
func (c *Costs) Kind(d *device.Device) device.Kind {
	kind := d.KindOf(c.Numbers...)
	if c.Borrowed {
		kind = min(kind, device.Assumed)
	}
	return kind
}

// Calibrated reports whether a trace of this method contains enough data to estimate its cost
// ([device.Calibrate]). Only ART's traces do, except for the cost of compiled code.
func (c *Costs) Calibrated() bool {
	return !c.Borrowed && (slices.Equal(c.Numbers, OfSampling.Numbers) || slices.Equal(c.Numbers, OfCalls.Numbers))
}

// Costs that several tracing methods share.
var (
	// OfSampling is the cost of ART's sampling.
	OfSampling = Costs{Numbers: []string{"overshoot", "per-tick", "per-thread", "per-frame"}}

	// OfCalls is the cost if ART reports each call, with both clocks.
	OfCalls = Costs{Numbers: []string{"clock-overhead", "hook"}}

	// OfCompiled is the cost if compiled code reports each call.
	OfCompiled = Costs{Numbers: []string{"compiled"}}

	ofWalk = Costs{Numbers: []string{"per-thread", "per-frame"}, Borrowed: true}
	ofCopy = []string{"perf-copy", "perf-copy-most"}
)
