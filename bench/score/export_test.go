package score

import (
	"time"

	"artifice/bench/measure"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Helpers shared by the internal and the external tests of the package.
var (
	RandomTruth = randomTruth
	CopyOf      = copyOf
)

// Perfect compares a truth with itself.
func Perfect(truth *trace.Recording) *Comparison {
	s := NewTrueState(truth)
	trace.Copy(&trace.Buffer{}, s)
	s.finish(time.Hour)
	perfect := Accumulator{Durations: s.durations, Seen: s.calls, Reported: s.calls, Line: measure.Timeline{Thread: 5, Equal: 5, True: 7, Reported: 7, Common: 7}}
	for p := range s.sums.Len() {
		e := s.contexts.At(calltree.Node(p))
		perfect.pages.grow(p + 1)
		perfect.pages.spend(calltree.Node(p), e.Self.Wall)
		for range e.Count {
			perfect.pages.call(s.contexts.Parent(calltree.Node(p)), calltree.Node(p))
		}
	}
	return NewReference(s).Compare(&perfect)
}
