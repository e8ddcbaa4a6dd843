package trace

import "strings"

// walkEnd is how the name begins of the frame that stands for callers which a profiler did not find: "ERROR INVALID_MAP" in
// Perfetto's traces (Unwinder::UnwindSample in its src/profiling/perf/unwinding.cc).
const walkEnd = "ERROR "

// WalkEnd returns why a profiler's walk of the stack ended early (INVALID_MAP), if m is no method but the frame that
// stands for the callers which it did not find; else "". It is the outermost frame then, and the only one where no frame was found.
func (m *Method) WalkEnd() string {
	if reason, ended := strings.CutPrefix(m.Name, walkEnd); ended && m.Class == "" {
		return reason
	}
	return ""
}

// AddWalkEnd adds the frame that stands for the callers which a walk did not find for a reason.
func (s *Symbols) AddWalkEnd(reason string) MethodID {
	id := uint64(0)
	for i := range s.Methods {
		id = max(id, s.Methods[i].ID)
	}
	return s.AddMethod(Method{ID: id + 4, Name: walkEnd + reason})
}
