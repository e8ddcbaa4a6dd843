package tracer

import (
	"time"

	"artifice/instrument"
	"artifice/trace"
	"artifice/tracer/device"
)

// beat is Tencent's Matrix (trace-canary, AppMethodBeat): a plug-in puts a call at a
// method's begin and before each return and athrow, which on the main thread writes a
// number to a ring of 1 000 000. The number has the time of a clock that another thread
// brings up to date every 5 ms, so that what is shorter mostly has no length. A call that
// an exception passes through is thrown away, as no end of it is found. Methods that call
// nothing are left out; which those are is known only of leaves without a suspend check
// ([trace.LeafNoPoll]). The begin and end of a message are recorded as
// Handler.dispatchMessage.
var beat = calls(Tracer{
	Name:        "matrix",
	Description: "Matrix: begin and end of the app's own methods on the main thread, by a clock of 5 ms",
	Costs:       Costs{Numbers: []string{"beat"}},
	How:         library("Matrix"),
	Uses:        []string{"ring"},
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{
		Sees: isBeaten, MainOnly: true, Enter: d.Tools.Beat, Exit: d.Tools.Beat,
		Exceptions: instrument.ExceptionsDrop, Ring: 1_000_000, Updated: 5 * time.Millisecond,
	}
})

func isBeaten(m *trace.Method) bool {
	if m.Name == "dispatchMessage" && m.DottedClass() == "android.os.Handler" {
		return true
	}
	return inApp(m) && m.Flags&trace.LeafNoPoll == 0
}
