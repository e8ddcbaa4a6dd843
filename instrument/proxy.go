package instrument

import "artifice/trace"

// treatment is how the calls of a method are reported.
type treatment uint8

const (
	usual treatment = iota
	skip            // not at all: the runtime's own code
	proxy           // by the runtime's rules for proxies
)

func treatmentOf(m *trace.Method) treatment {
	switch {
	case m.Flags&trace.RuntimeInternal != 0:
		return skip
	case m.Flags&trace.Proxy != 0:
		return proxy
	}
	return usual
}

// takeProxy reports an event of a proxy's method. Calls that began before the trace enclose those
// that began during it.
func (t *tracer) takeProxy(th *thread, e *trace.Event) {
	older := false // the event ends a call that began before the trace
	switch {
	case e.Action == trace.Enter:
		th.proxies++
	case th.proxies > 0:
		th.proxies--
	default:
		older = true
	}
	if t.rt.HidesProxies && !older {
		return
	}
	again := *e
	t.record(th, e)
	if t.rt.EndsProxiesTwice && older {
		t.record(th, &again)
	}
}
