package tracer

import (
	"artifice/instrument"
	"artifice/trace"
	"artifice/tracer/device"
)

// markers is ByteDance's RheaTrace 1: a plug-in puts a marker at a method's begin and
// one before each return and athrow, and a ring keeps the last 100 000: of the main thread alone (its setting
// mainThreadOnly), or of all threads, which share it. A call that an exception passes through
// has no end; the repair that comes with it (trace_doctor.py) guesses one. It writes
// ": CrashTag" after the names of calls whose end it guessed, which is left out here. A
// method of which class and name take more than 125
// characters is not traced.
var markers = calls(Tracer{
	Name:        "rheatrace1",
	Description: "RheaTrace 1: markers at begin and end of the app's own methods on the main thread, or all, the last 100000 of them",
	Costs:       Costs{Numbers: []string{"rhea-marker"}},
	How:         library("RheaTrace 1"),
	Uses:        []string{"ring", "all-threads"},
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{
		Sees: func(m *trace.Method) bool { return inApp(m) && len(m.FullName()) <= 125 }, MainOnly: true,
		Enter: d.Tools.RheaMarker, Exit: d.Tools.RheaMarker, Exceptions: instrument.ExceptionsRepaired, Ring: 100_000,
	}
})
