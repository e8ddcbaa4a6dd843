package bench

import (
	"artifice/device"
	"artifice/instrument"
	"artifice/trace"
)

// LongRunning is ART's long-running-methods tracing of Android 16 and later,
// which compiled code writes and which keeps calls of 171 ms and more. Every call
// pays for the look at the clock, kept or not.
var LongRunning = Mode{
	Name:        "longrun",
	Description: "calls of 171 ms and more (Android 16), written by compiled code",
	record: func(truth *trace.Recording, c *course, d device.Device) (recorded, error) {
		line := newKeptLine(c)
		truth.Events = line
		rec, err := instrument.RecordLongRunning(truth, instrument.LongRunningConfig{Observer: line})
		return recorded{rec: rec, line: line, event: d.Instrumented.Compiled, unslowed: true}, err
	},
}
