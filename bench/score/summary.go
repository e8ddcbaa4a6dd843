package score

import (
	"time"

	"artifice/calltree"
	"artifice/trace"
	"artifice/trace/stats"
)

// enoughEvents is how many tell how a trace was recorded.
const enoughEvents = 1 << 18

// summary is what the first reading tells of a trace.
type summary struct {
	events  int64
	made    int64         // of these, enters that [Opener.enclosing] made
	span    time.Duration // wall time of the last event
	cpu     time.Duration // that all threads used between their first and last events
	threads []summaryThread
	methods []bool        // which have events
	first   time.Duration // wall time of the first event
	orphans orphans       // whose enters are not in it
	starts  *starts       // nil unless the alignment is searched for
	groups  stats.Groups  // tell the technique and the period
}

type summaryThread struct {
	used bool          // has events
	cpu  time.Duration // of the last one
}

// add takes in an event and the context that it led to.
func (s *summary) add(e *trace.Event, context calltree.Node) {
	for int(e.Thread) >= len(s.threads) {
		s.threads = append(s.threads, summaryThread{})
	}
	for int(e.Method) >= len(s.methods) {
		s.methods = append(s.methods, false)
	}
	t := &s.threads[e.Thread]
	if t.used {
		s.cpu += max(0, e.CPU-t.cpu)
	}
	t.used, t.cpu = true, e.CPU
	s.methods[e.Method] = true
	if s.events == 0 {
		s.first = e.Wall
	}
	s.span = e.Wall
	s.events++
	if s.starts != nil {
		s.starts.add(e, context)
	}
	if s.groups.Events < enoughEvents {
		s.groups.Add(*e)
	}
}

func (s *summary) usedThreads() (used []bool) {
	for _, t := range s.threads {
		used = append(used, t.used)
	}
	return used
}
