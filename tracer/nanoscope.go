package tracer

import (
	"artifice/instrument"
	"artifice/tracer/device"
)

// nanoscope is Uber's: an ART of its own writes, at each begin and end of a method, the
// method and the CPU's tick counter to the buffer of the thread that is traced, here the
// main thread. The buffer has 40 000 000 words, two for each event, and nobody looks
// where it ends: a real app crashes there, and here recording stops.
var nanoscope = calls(Tracer{
	Name:        "nanoscope",
	Description: "nanoscope: every call of the main thread, written by a modified ART, 20 ns an event",
	Costs:       Costs{Numbers: []string{"nanoscope"}},
	Gone:        "it is a ROM of 2018 for one phone, the Nexus 6P",
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{MainOnly: true, Enter: d.Tools.Nanoscope, Exit: d.Tools.Nanoscope, Most: 20_000_000}
})
