package stats

import (
	"time"

	"artifice/trace"
)

// Summary counts the contents of a recording. It is a [trace.Writer] of its events.
type Summary struct {
	Groups  Groups
	Actions [4]int64 // number of events by action; a file has two bits for the action, so that 3 can occur
	rec     *trace.Recording
	used    []bool // by MethodID
}

// Thread is the summary of one thread. First and Last are in the order of the recording; they are
// undefined without events.
type Thread struct {
	Events      int64
	First, Last Stamp
}

// NewSummary returns a Summary of rec, to which the caller writes the events. It reads rec's Info
// and Symbols as they grow, and never rec.Events.
func NewSummary(rec *trace.Recording) *Summary { return &Summary{rec: rec} }

// WriteEvents implements [trace.Writer]. It never fails.
func (s *Summary) WriteEvents(p []trace.Event) error {
	s.used = grow(s.used, len(s.rec.Symbols.Methods))
	var exits int64 // exits, and also unwinds and action 3, which are rare
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

// countRare moves the events of p with a rare action from the exits to their own counts.
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

// Threads returns the summaries of all threads of the recording, by ThreadID.
func (s *Summary) Threads() []Thread {
	threads := make([]Thread, len(s.rec.Symbols.Threads))
	for i := range s.Groups.threads {
		t := &s.Groups.threads[i]
		threads[i] = Thread{t.events, t.first, t.last}
	}
	return threads
}

// Span returns the times of the first and the last event on the recording's main clock.
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

// Length returns the time from the first event to the stop of the recording
// ([trace.Recording.Stop]), or on a CPU clock to its last event.
func (s *Summary) Length() time.Duration {
	first, last := s.Span()
	if s.rec.Info.Clock.HasWall() {
		last = s.rec.Stop(last)
	}
	return last - first
}

// Used returns the numbers of threads with events and of methods that occur in events.
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

// Open returns the number of frames of all threads that are open after the last event. Every exit
// except an orphan closes one frame ([trace.EffectOf]).
func (s *Summary) Open() int64 {
	left := s.Actions[trace.Exit] + s.Actions[trace.Unwind] + s.Actions[3] - s.Groups.Nesting().Orphans
	return s.Actions[trace.Enter] - left
}

// Technique determines how the recording was made ([Groups.TechniqueOf]).
func (s *Summary) Technique() (t trace.Technique, evidence string) {
	return s.Groups.TechniqueOf(&s.rec.Info)
}
