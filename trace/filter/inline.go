package filter

import "artifice/trace"

// Inline returns rec with methods marked as put into their callers by the compiler ([trace.Inlined]), which a
// recorded truth does not tell of itself: profilers of machine code then show their time as their callers'. It is
// asked once for each method, as rec learns of it. Events, threads and all else are rec's.
func Inline(rec *trace.Recording, inlined func(m *trace.Method) bool) *trace.Recording {
	return withMethods(rec, func(m trace.Method) trace.Method {
		if inlined(&m) {
			m.Flags |= trace.Inlined
		}
		return m
	})
}
