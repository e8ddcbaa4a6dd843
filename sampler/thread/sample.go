package thread

import "artifice/trace"

// First makes s the first sample of a record: its events are the enters of the whole
// stack, all of which are fresh.
func (s *Sample) First() {
	s.Events, s.ExitApp, s.Fresh = nil, s.App, len(s.Stack)
	for _, m := range s.Stack {
		e := s.Stamp
		e.Method = m
		s.Events = append(s.Events, e)
	}
}

// Clone returns a sample that stays valid.
func (s *Sample) Clone() *Sample {
	c := *s
	c.Stack, c.Events = append([]trace.MethodID(nil), s.Stack...), append([]trace.Event(nil), s.Events...)
	return &c
}
