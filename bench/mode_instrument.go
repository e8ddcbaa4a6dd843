package bench

import (
	"artifice/art"
	"artifice/device"
	"artifice/instrument"
	"artifice/trace"
)

// The instrumented modes: Debug.startMethodTracing on the default runtime, in
// streaming mode, so that no buffer overflows.
var (
	InstrumentedDual = instrumented("instrument-dual", "every call reported, wall and thread CPU clock", trace.Dual)
	InstrumentedWall = instrumented("instrument-wall", "every call reported, wall clock only: written by compiled code", trace.Wall)
)

func instrumented(name, description string, clock trace.Clock) Mode {
	return Mode{Name: name, Description: description, record: func(truth *trace.Recording, c *course, d device.Device) (recorded, error) {
		clock, line := clock, newMatchedLine(c)
		truth.Events = line
		if !truth.Info.Clock.HasCPU() {
			clock = trace.Wall
		}
		rec, err := instrument.Record(truth, instrument.Config{
			Clock: clock, Cost: d.Instrumented, Streaming: true, KeepSymbols: true, Unmerged: true,
		})
		return recorded{rec: rec, line: line, event: d.Instrumented.Event(art.Default(), clock)}, err
	}}
}
