package sampler

import "artifice/trace"

// put records one event, if the buffer has room for it. What the thread's stack
// was stays remembered either way.
func (s *Sampler) put(e trace.Event) {
	if s.room == 0 {
		s.stats.Dropped++
		return
	}
	s.room--
	s.stats.Events++
	if s.out == nil {
		return
	}
	s.batch = append(s.batch, e)
	if len(s.batch) == cap(s.batch) {
		s.flush()
	}
}

// flush hands the batch on. After an error nothing more is written.
func (s *Sampler) flush() {
	if len(s.batch) == 0 {
		return
	}
	if s.err == nil {
		s.err = s.out.WriteEvents(s.batch)
	}
	s.batch = s.batch[:0]
}

// ThreadEnder is an output that wants to know when a thread has ended: after
// its last event and before what later samples see.
type ThreadEnder interface {
	EndThread(trace.ThreadID) error
}

// endThread tells the output that a thread has ended.
func (s *Sampler) endThread(id trace.ThreadID) {
	ender, ok := s.out.(ThreadEnder)
	if !ok {
		return
	}
	s.flush()
	if s.err == nil {
		s.err = ender.EndThread(id)
	}
}
