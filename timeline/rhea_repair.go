package timeline

import (
	"time"

	"artifice/internal/rhea"
)

// crashTag is what RheaTrace 1.0.2 writes after the name of a call whose end it has
// guessed.
const crashTag = ": CrashTag"

// rheaThread is what is known of a thread: by [RepairForward] its open calls, by
// [RepairRhea] all of RheaTrace's own markers, which are repaired at the end.
type rheaThread struct {
	open    []string
	markers []rhea.Marker[string]
	at      []time.Duration // of each of markers
}

func (r *rheaThread) add(m rhea.Marker[string], at time.Duration) {
	r.markers, r.at = append(r.markers, m), append(r.at, at)
}

// repaired adds the begins and ends that RheaTrace 1.0.2 makes of a thread's markers, in the
// order in which it puts them out, which is that of equal times.
func (s *Source) repaired(t Thread, r *rheaThread) error {
	for _, c := range rhea.Repair(r.markers) {
		name := r.markers[c.Begin].Name
		if c.Guessed {
			name += crashTag
		}
		if err := s.Calls.begin(t, []byte(name), r.at[c.Begin], -1); err != nil {
			return err
		}
		if err := s.Calls.end(t, nil, r.at[c.End], -1); err != nil {
			return err
		}
	}
	return nil
}
