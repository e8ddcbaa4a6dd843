package calltree

import "fmt"

// Handling is what became of events that do not fit: the predicate of a sentence each
// of [Stats.Notes], as in "is left out". Where one is "", there is nothing to say.
type Handling struct {
	Orphans    string // of the call whose exit it is
	StepsBack  string // of the event
	OpenFrames string // of the frame
}

// Notes says what was met that does not fit and what became of it, a sentence each;
// nothing of most traces.
func (s *Stats) Notes(h Handling) (notes []string) {
	note := func(n int64, one, many, predicate string) {
		switch {
		case n == 0 || predicate == "":
		case n == 1:
			notes = append(notes, fmt.Sprintf("1 %s %s", one, predicate))
		default:
			notes = append(notes, fmt.Sprintf("%d %s %s", n, many, predicate))
		}
	}
	note(s.Orphans, "exit has no entry; its call began before the trace and",
		"exits have no entry; each one's call began before the trace and", h.Orphans)
	note(s.Mismatches, "exit names another method than the innermost; it",
		"exits name another method than the innermost; each", "closes the innermost frame")
	note(s.StepsBack, "event is earlier than the one before on its thread; it",
		"events are earlier than the one before on their thread; each", h.StepsBack)
	note(s.OpenFrames, "frame is open at the end; it", "frames are open at the end; each", h.OpenFrames)
	return notes
}
