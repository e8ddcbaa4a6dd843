package tracer

import (
	"artifice/instrument"
	"artifice/tracer/device"
)

// exitRecords is ByteDance's btrace 2 (rhea-atrace): a plug-in puts a read of the clock at
// a method's begin and, at each return and athrow, a record of begin and length. A call
// that an exception passes through leaves no record, nor does one that has not ended, or
// took no time. Android's own and native methods have none.
//
// The file has room for 500 000 000 bytes of 16 a record; what comes later is lost.
var exitRecords = calls(Tracer{
	Name:        "btrace2",
	Description: "btrace 2: a record of each call of the app's own methods when it ends",
	Costs:       Costs{Numbers: []string{"exit-record"}},
	How:         library("btrace 2"),
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{
		Sees: inApp, Enter: d.Tools.ExitRecord, Exit: d.Tools.ExitRecord,
		Exceptions: instrument.ExceptionsDrop, AtExit: true, Most: 500_000_000 / 16,
	}
})
