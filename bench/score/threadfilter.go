package score

import (
	"time"

	"artifice/bench/measure"
	"artifice/trace"
)

// onlyThreads selects the threads of a comparison. Tracers trace all threads, and slow all of them;
// true state, timelines and scorers ignore the other threads.
type onlyThreads struct {
	symbols *trace.Symbols
	wanted  measure.ThreadSelector
	known   []int8 // by thread: 0 undecided, 1 selected, -1 not

	othersEnd time.Duration // of the other threads' last event
}

// Only restricts the comparison to selected threads. It is called before the first read.
func (s *TrueState) Only(wanted measure.ThreadSelector) {
	s.only = &onlyThreads{symbols: s.symbols, wanted: wanted}
}

// leavesOut reports whether a thread is ignored.
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

// appendTo appends the events of selected threads.
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
