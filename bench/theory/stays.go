package theory

import (
	"time"

	"artifice/bench/paths"
	"artifice/trace"
)

// Stays plays the events of a truth and tells laws of every stay of a path on its
// thread's stack. It is a [trace.Writer]; events of one thread come in time order.
//
// A thread lives from its first to its last event; frames open at the end last
// until then. An exit without an open frame changes nothing. An event that goes
// back in time counts as simultaneous with the one before.
type Stays struct {
	table    *paths.Table
	threads  []playedThread
	laws     []StayLaw
	calls    int64
	inMethod time.Duration
}

// StayLaw is a law of this package that is computed from stays.
type StayLaw interface {
	// stay takes a stay of a path when it ends. Those of one path come in order
	// and do not overlap each other.
	stay(p paths.ID, s stay)
}

// stay is one stay on the stack: [from, to).
type stay struct{ from, to time.Duration }

type playedThread struct {
	path paths.ID        // None before the first event
	last time.Duration   // event
	open []time.Duration // when each open frame was entered, outermost first
}

// NewStays returns a player for these laws. The paths get their numbers from
// table.
func NewStays(table *paths.Table, laws ...StayLaw) *Stays {
	return &Stays{table: table, laws: laws}
}

// WriteEvents implements [trace.Writer]. It never fails.
func (s *Stays) WriteEvents(events []trace.Event) error {
	for i := range events {
		s.play(&events[i])
	}
	return nil
}

func (s *Stays) play(e *trace.Event) {
	for int(e.Thread) >= len(s.threads) {
		s.threads = append(s.threads, playedThread{})
	}
	t := &s.threads[e.Thread]
	if t.path == paths.None {
		t.path = s.table.Root(e.Thread)
	}
	t.last = max(t.last, e.Wall)
	switch path, effect := s.table.Apply(t.path, e); {
	case effect == trace.Pushed:
		t.path = path
		t.open = append(t.open, t.last)
	case effect.Closes():
		s.leave(t, t.last)
	}
}

// leave closes the innermost frame of t.
func (s *Stays) leave(t *playedThread, now time.Duration) {
	top := len(t.open) - 1
	a := stay{t.open[top], now}
	s.calls++
	if top == 0 {
		s.inMethod += a.to - a.from
	}
	for _, law := range s.laws {
		law.stay(t.path, a)
	}
	t.open = t.open[:top]
	t.path = s.table.Parent(t.path)
}

// End ends a thread that lives on after its last event, until then. It is
// called after the thread's last event; for one without any it does nothing.
func (s *Stays) End(id trace.ThreadID, at time.Duration) {
	if int(id) >= len(s.threads) {
		return
	}
	for t := &s.threads[id]; len(t.open) > 0; {
		s.leave(t, max(at, t.last))
	}
}

// Close ends every other thread at its last event.
func (s *Stays) Close() error {
	for id := range s.threads {
		s.End(trace.ThreadID(id), 0)
	}
	return nil
}

// Calls returns how many calls have ended.
func (s *Stays) Calls() int64 { return s.calls }

// InMethod returns the time during which a thread had a method on its stack,
// summed over threads. Over T it is the mean number of samples that find one.
func (s *Stays) InMethod() time.Duration { return s.inMethod }

// EachPath is a law for each path.
type EachPath[L StayLaw] struct {
	make func() L
	laws []L
}

// NewEachPath returns laws that are made by make.
func NewEachPath[L StayLaw](make func() L) *EachPath[L] { return &EachPath[L]{make: make} }

// stay implements [StayLaw]. Each law knows one path only, so any number will do
// for it: a law has room for all numbers up to the highest.
func (e *EachPath[L]) stay(p paths.ID, s stay) { e.Law(p).stay(0, s) }

// Law returns that of path p.
func (e *EachPath[L]) Law(p paths.ID) L {
	for int(p) >= len(e.laws) {
		e.laws = append(e.laws, e.make())
	}
	return e.laws[p]
}
