package score

import (
	"fmt"
	"time"

	"artifice/art"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// minEvents is the number of events from which the technique is detected.
const minEvents = 1 << 18

// summary contains the results of the first pass over a trace.
type summary struct {
	rec     *trace.Recording
	events  int64
	span    time.Duration // wall time of the last event
	cpu     time.Duration // that all threads used between their first and last events
	threads []summaryThread
	methods []bool        // which have events
	first   time.Duration // wall time of the first event
	starts  *starts       // nil unless the alignment is searched for
	groups  stats.Groups  // for the technique and the period
}

type summaryThread struct {
	used bool          // has events
	last time.Duration // wall time of the last one
	cpu  time.Duration // of the last one
}

// newSummary returns the summary of a trace before its first event.
func newSummary(rec *trace.Recording, cfg Config) *summary {
	s := &summary{rec: rec}
	if cfg.By == BySearch {
		s.starts = &starts{most: keptStarts}
	}
	return s
}

// add adds an event with the context after it.
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
	t.used, t.last, t.cpu = true, e.Wall, e.CPU
	s.methods[e.Method] = true
	if s.events == 0 {
		s.first = e.Wall
	}
	s.span = e.Wall
	s.events++
	if s.starts != nil {
		s.starts.add(e, context)
	}
	if s.groups.Events < minEvents {
		s.groups.Add(*e)
	}
}

// last returns the wall time of a thread's last event; 0: none.
func (s *summary) last(id trace.ThreadID) time.Duration {
	if int(id) >= len(s.threads) {
		return 0
	}
	return s.threads[id].last
}

// used reports whether a thread has events.
func (s *summary) used(id trace.ThreadID) bool { return int(id) < len(s.threads) && s.threads[id].used }

// lifetimes returns when the threads of the trace end, once it has been read to its end.
func (s *summary) lifetimes() *trace.Lifetimes {
	return trace.NewLifetimes(s.rec, s.technique(), s.span)
}

// usedThreads reports, by id, whether a thread has events.
func (s *summary) usedThreads() (used []bool) {
	for _, t := range s.threads {
		used = append(used, t.used)
	}
	return used
}

// check returns an error for an event that the first pass cannot have read.
func (s *summary) check(e *trace.Event) error {
	if int(e.Thread) >= len(s.threads) || int(e.Method) >= len(s.methods) {
		return fmt.Errorf("the trace has changed: event at %v of thread %d and method %d", e.Wall, e.Thread, e.Method)
	}
	return nil
}

// startOffset returns [art.StartOffset], unless an event contradicts it.
func (s *summary) startOffset() time.Duration {
	if offset := art.StartOffset(&s.rec.Info); s.first >= offset {
		return offset
	}
	return 0
}

// technique returns how the trace was recorded.
func (s *summary) technique() trace.Technique {
	technique, _ := s.groups.TechniqueOf(&s.rec.Info)
	return technique
}

// lag returns the maximum delay with which the trace reports the beginning of a call: a period for
// a sampled trace.
func (s *summary) lag(dumps func() int64) time.Duration {
	if dumps != nil {
		return s.rec.Info.Elapsed / time.Duration(max(1, dumps()-1))
	}
	if period, ok := s.groups.Period(); ok && s.technique() == trace.Sampled {
		return period.Median
	}
	return 0
}
