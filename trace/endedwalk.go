package trace

import "strings"

// walkEnded is how the name begins of the frame that stands for callers which a profiler did not find: "ERROR INVALID_MAP" in
// Perfetto's traces (Unwinder::UnwindSample in its src/profiling/perf/unwinding.cc).
const walkEnded = "ERROR "

// EndsWalk reports whether m is no method, but stands for the callers that a profiler did not find when its walk of a
// stack ended in an error. It is the outermost frame then, and the only one where none was found.
func (m *Method) EndsWalk() bool { return m.Class == "" && strings.HasPrefix(m.Name, walkEnded) }

// AddEndedWalk adds the frame that stands for what a walk did not find for a reason: INVALID_MAP.
func (s *Symbols) AddEndedWalk(reason string) MethodID {
	id := uint64(0)
	for i := range s.Methods {
		id = max(id, s.Methods[i].ID)
	}
	return s.AddMethod(Method{ID: id + 4, Name: walkEnded + reason})
}
