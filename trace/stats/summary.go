package stats

import (
	"time"

	"artifice/trace"
)

// Summary counts what a recording holds, as a [trace.Writer] of its events.
type Summary struct {
	Groups  Groups
	Actions [4]int64 // events by action; a file has two bits for it, so that 3 can come
	rec     *trace.Recording
	used    []bool // by MethodID
}

// Thread is what a recording holds of one thread. First and Last are in the
// order of the recording; without events they mean nothing.
type Thread struct {
	Events      int64
	First, Last Stamp
}

// NewSummary returns a summary of rec, whose events are yet to be written to it.
// It reads rec's Info and Symbols as they grow, and rec.Events never.
func NewSummary(rec *trace.Recording) *Summary { return &Summary{rec: rec} }

// WriteEvents implements [trace.Writer]. It never fails.
func (s *Summary) WriteEvents(p []trace.Event) error {
	s.used = grow(s.used, len(s.rec.Symbols.Methods))
	var exits int64 // and unwinds, and what has action 3, which are rare
	rare := trace.Action(0)
	for i := range p {
		e := &p[i]
		s.used[e.Method] = true
		exits += int64(min(e.Action, 1))
		rare |= e.Action
	}
	s.Actions[trace.Enter] += int64(len(p)) - exits
	s.Actions[trace.Exit] += exits
	if rare > trace.Exit {
		s.countRare(p)
	}
	return s.Groups.WriteEvents(p)
}

// countRare takes those of p that are no exits from the exits.
func (s *Summary) countRare(p []trace.Event) {
	for i := range p {
		if a := p[i].Action; a > trace.Exit {
			s.Actions[trace.Exit]--
			s.Actions[a]++
		}
	}
}

// grow returns s with at least n elements.
func grow[T any](s []T, n int) []T {
	if len(s) < n {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}

// Threads returns what the recording holds of each of its threads, by ThreadID.
func (s *Summary) Threads() []Thread {
	threads := make([]Thread, len(s.rec.Symbols.Threads))
	for i := range s.Groups.threads {
		t := &s.Groups.threads[i]
		threads[i] = Thread{t.events, t.first, t.last}
	}
	return threads
}

// Span returns the time of the first and of the last event on the recording's
// main clock.
func (s *Summary) Span() (first, last time.Duration) {
	begun := false
	clock := s.rec.Info.Clock
	for _, t := range s.Threads() {
		if t.Events == 0 {
			continue
		}
		if at := t.First.Time(clock); !begun || at < first {
			first = at
		}
		last = max(last, t.Last.Time(clock))
		begun = true
	}
	return first, last
}

// Used returns how many threads have events and how many methods occur in
// events.
func (s *Summary) Used() (threads, methods int) {
	for _, t := range s.Threads() {
		if t.Events > 0 {
			threads++
		}
	}
	for _, used := range s.used {
		if used {
			methods++
		}
	}
	return threads, methods
}

// Open returns how many frames of all threads are open after the last event:
// those entered and not left, where every exit but an orphan leaves one
// ([trace.EffectOf]).
func (s *Summary) Open() int64 {
	left := s.Actions[trace.Exit] + s.Actions[trace.Unwind] + s.Actions[3] - s.Groups.Nesting().Orphans
	return s.Actions[trace.Enter] - left
}

// Technique tells how the recording was made ([Groups.TechniqueOf]).
func (s *Summary) Technique() (t trace.Technique, evidence string) {
	return s.Groups.TechniqueOf(&s.rec.Info)
}
