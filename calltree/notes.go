package calltree

import "fmt"

// Handling is what became of events that do not fit, in words that end a sentence of
// [Stats.Notes]. Where one is "", there is nothing to say.
type Handling struct {
	Orphans    string // a call began before the trace and ...
	StepsBack  string
	OpenFrames string
}

// Notes says what was met that does not fit and what became of it, a sentence each;
// nothing of most traces.
func (s *Stats) Notes(h Handling) (notes []string) {
	note := func(n int64, one, many, then string) {
		switch {
		case n == 0 || then == "":
		case n == 1:
			notes = append(notes, fmt.Sprintf("1 %s; %s", one, then))
		default:
			notes = append(notes, fmt.Sprintf("%d %s; %s", n, many, then))
		}
	}
	if h.Orphans != "" {
		h.Orphans = "such a call began before the trace and " + h.Orphans
	}
	note(s.Orphans, "exit has no entry", "exits have no entry", h.Orphans)
	note(s.Mismatches, "exit names another method than the innermost", "exits name another method than the innermost",
		"each closes the innermost frame")
	note(s.StepsBack, "event is earlier than the one before on its thread", "events are earlier than the one before on their thread", h.StepsBack)
	note(s.OpenFrames, "frame is open at the end", "frames are open at the end", h.OpenFrames)
	return notes
}
