package filter

import "artifice/trace"

// Inline returns rec with methods marked as put into their callers by the compiler ([trace.Inlined]), which a
// recorded truth does not tell of itself: profilers of machine code then show their time as their callers'. It is
// asked once for each method, as rec learns of it. Events, threads and all else are rec's.
func Inline(rec *trace.Recording, inlined func(m *trace.Method) bool) *trace.Recording {
	events := &inlineReader{inlined: inlined, source: rec}
	events.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: events}
	events.follow()
	return events.result
}

// inlineReader reads the source's events and marks the methods that it learns.
type inlineReader struct {
	inlined func(m *trace.Method) bool
	source  *trace.Recording
	result  *trace.Recording
}

// ReadEvents implements [trace.Reader].
func (r *inlineReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.source.Events.ReadEvents(p)
	r.follow()
	return n, err
}

// Offset implements [trace.Locator].
func (r *inlineReader) Offset(event int64) int64 { return trace.OffsetOf(r.source.Events, event) }

// follow takes over what the source has learned.
func (r *inlineReader) follow() {
	r.result.Info, r.result.Warnings = r.source.Info, r.source.Warnings
	r.result.Symbols.Threads = r.source.Symbols.Threads
	for i := len(r.result.Symbols.Methods); i < len(r.source.Symbols.Methods); i++ {
		m := r.source.Symbols.Methods[i]
		if r.inlined(&m) {
			m.Flags |= trace.Inlined
		}
		r.result.Symbols.AddMethod(m)
	}
}
