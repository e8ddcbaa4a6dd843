package score

import (
	"time"

	"artifice/bench/measure"
	"artifice/trace"
)

// onlyThreads are the threads that a comparison is about. Tracers see all threads and
// are slowed down by all; true state, timelines and scorers leave the others out.
type onlyThreads struct {
	symbols *trace.Symbols
	wanted  measure.ThreadSelector
	known   []int8 // by thread: 0 not asked yet, 1 wanted, -1 not

	othersEnd time.Duration // of the other threads' last event
}

// Only restricts the comparison to the wanted threads. It is called before anything is read.
func (s *TrueState) Only(wanted measure.ThreadSelector) {
	s.only = &onlyThreads{symbols: s.symbols, wanted: wanted}
}

// leavesOut reports whether a thread does not count.
func (s *TrueState) leavesOut(id trace.ThreadID) bool { return s.only != nil && !s.only.has(id) }

func (o *onlyThreads) has(id trace.ThreadID) bool {
	for int(id) >= len(o.known) {
		o.known = append(o.known, 0)
	}
	if o.known[id] == 0 {
		o.known[id] = -1
		if t := o.symbols.Thread(id); o.wanted.HasThread(t.Name, int64(t.TID)) {
			o.known[id] = 1
		}
	}
	return o.known[id] > 0
}

// appendTo appends the events that count.
func (o *onlyThreads) appendTo(list, events []trace.Event) []trace.Event {
	for i := range events {
		e := &events[i]
		if o.has(e.Thread) {
			list = append(list, *e)
			continue
		}
		o.othersEnd = max(o.othersEnd, e.Wall)
	}
	return list
}
