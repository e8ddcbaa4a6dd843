package rhea

import (
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/rhea"
)

// thread is the state of a thread. With [kind.RepairForward] and [kind.RepairArticle] it contains
// the open calls. With [kind.RepairRhea] it contains all of RheaTrace's own markers, which are
// repaired at the end.
type thread struct {
	open    []string       // names of the open calls
	methods map[string]int // number of open calls of a method, by its name without values
	markers []rhea.Marker[string]
	at      []time.Duration // times of markers
	last    time.Duration   // time of the last mark
}

func (t *thread) add(m rhea.Marker[string], at time.Duration) {
	t.markers, t.at = append(t.markers, m), append(t.at, at)
}

// begin opens a call.
func (t *thread) begin(name string) {
	if t.methods == nil {
		t.methods = map[string]int{}
	}
	t.open = append(t.open, name)
	t.methods[withoutValues(name)]++
}

// end closes the innermost calls.
func (t *thread) end(calls int) {
	left := len(t.open) - calls
	for _, name := range t.open[left:] {
		t.methods[withoutValues(name)]--
	}
	t.open = t.open[:left]
}

// repaired adds the begins and ends that RheaTrace 1.0.2 derives from a thread's markers, in its
// order of output. That order determines the order of events with equal times.
func (r *reader) repaired(id timeline.Thread, t *thread) error {
	for _, c := range rhea.Repair(t.markers) {
		name := t.markers[c.Begin].Name
		if c.Guessed {
			name += rhea.CrashTag
		}
		if err := r.Calls.Begin(id, []byte(name), t.at[c.Begin], -1); err != nil {
			return err
		}
		if err := r.Calls.End(id, nil, t.at[c.End], -1); err != nil {
			return err
		}
	}
	return nil
}
