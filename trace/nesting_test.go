package trace

import (
	"testing"
	"time"
)

// Orphan exits are no matter; of mismatches the count and the first place are
// told.
func TestNesting(t *testing.T) {
	var n Nesting
	symbols := &Symbols{Threads: []Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "io"}}, Methods: []Method{{Class: "a.B", Name: "f"}, {Class: "a.B", Name: "g"}}}
	event := func(us int, thread ThreadID, a Action, m MethodID) []Event {
		return []Event{{Wall: time.Duration(us) * time.Microsecond, Thread: thread, Method: m, Action: a}}
	}
	n.Add(event(1, 0, Exit, 0)) // an orphan
	n.Add(event(2, 0, Enter, 0))
	n.Add(event(3, 1, Enter, 1))
	n.Add(event(4, 0, Exit, 0))
	if w, ok := n.Warning("f.trace", Dual, symbols); ok {
		t.Errorf("every exit fits: %v", w)
	}
	n.Add(event(5, 1, Exit, 0))
	const one = "f.trace: the exit at 5µs on thread io is of a.B.f, which is not the innermost method; it closes the innermost frame"
	if w, ok := n.Warning("f.trace", Dual, symbols); !ok || w.String() != one || w.Code != WarnNesting {
		t.Errorf("%v", w)
	}
	n.Add(event(6, 1, Exit, 1)) // an orphan: the frame is closed
	n.Add(event(7, 0, Enter, 1))
	n.Add(event(8, 0, Unwind, 0))
	const two = "f.trace: 2 exits are not of the innermost method, the first at 5µs on thread io (of a.B.f); each closes the innermost frame"
	if w, ok := n.Warning("f.trace", Dual, symbols); !ok || w.String() != two {
		t.Errorf("%v", w)
	}
}
