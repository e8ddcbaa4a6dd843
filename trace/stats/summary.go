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
	threads []Thread // by ThreadID
	used    []bool   // by MethodID
}

// Thread is what a recording holds of one thread. First and Last are in the
// order of the recording; without events they mean nothing.
type Thread struct {
	Events      int64
	First, Last trace.Event
}

// NewSummary returns a summary of rec, whose events are yet to be written to it.
// It reads rec's Info and Symbols as they grow, and rec.Events never.
func NewSummary(rec *trace.Recording) *Summary { return &Summary{rec: rec} }

// WriteEvents implements [trace.Writer]. It never fails.
func (s *Summary) WriteEvents(p []trace.Event) error {
	s.threads = grow(s.threads, len(s.rec.Symbols.Threads))
	s.used = grow(s.used, len(s.rec.Symbols.Methods))
	for _, e := range p {
		t := &s.threads[e.Thread]
		if t.Events == 0 {
			t.First = e
		}
		t.Last = e
		t.Events++
		s.used[e.Method] = true
		s.Actions[e.Action]++
	}
	return s.Groups.WriteEvents(p)
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
	s.threads = grow(s.threads, len(s.rec.Symbols.Threads))
	return s.threads
}

// Span returns the time of the first and of the last event on the recording's
// main clock.
func (s *Summary) Span() (first, last time.Duration) {
	begun := false
	clock := s.rec.Info.Clock
	for _, t := range s.threads {
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
	for _, t := range s.threads {
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
	left := s.Actions[trace.Exit] + s.Actions[trace.Unwind] - s.Groups.Orphans
	return s.Actions[trace.Enter] - left
}

// Technique tells how the recording was made ([Groups.TechniqueOf]).
func (s *Summary) Technique() (t trace.Technique, evidence string) {
	return s.Groups.TechniqueOf(&s.rec.Info)
}
