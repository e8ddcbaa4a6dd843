package sampler

import (
	"time"

	"artifice/trace"
)

// Observer is told what samples see while they see it, in step with the truth:
// when it is called, no event after the sample's app time has been replayed.
// It serves those who compare the two, as package bench does; what a trace file
// would say goes to the sampler's output.
type Observer interface {
	// Look tells of one sample of one thread that changed since the sample
	// before, or was not there then. A thread that is not told of shows what it
	// showed.
	Look(l *Look)

	// Gone tells that a thread seen before is not there any more: it ended since
	// the last sample, or the run did. Then the time is that of the sample that
	// would have come next, and Stack is nil.
	Gone(l *Look)
}

// Look is what one sample saw of one thread. It is valid during the call.
type Look struct {
	Thread trace.ThreadID
	Tick   int64         // number of the sample, from 1
	App    time.Duration // app time of the sample
	Last   time.Duration // app time of the sample before; 0 for the first
	Wall   time.Duration // the thread's stamp
	CPU    time.Duration // its CPU stamp
	Period time.Duration // wall time since the sample before began; 0 for the first

	Stack []trace.MethodID // outermost first
	Same  int              // frames, from the outermost, that are those of the sample before, by [Config.Identity]
	Old   int              // of these, frames that are still the same calls
}

// SetObserver says who is told what the sampler sees. It must be called before
// [Run]; nil tells nobody.
//
// A sampler with an observer and without an output remembers no stacks and
// counts no events: nobody reads them, and an observer that numbers stacks can
// compare them for less. Then Look.Same is 0, and Look.Old is the frames of calls
// that were open at the sample before, whether it saw them or not (see [Leaves]).
func (s *Sampler) SetObserver(o Observer) { s.observer = o }

// look tells the observer of a sample of thread t.
func (s *Sampler) look(p *pass, t *thread, id trace.ThreadID, at, cpu time.Duration, same, old, depth int) {
	l := &p.look // field by field: as a value it would be copied
	l.Thread, l.Tick, l.App, l.Last = id, s.ticks, at, s.lastAt
	l.Wall, l.CPU, l.Period = s.stamp(p, id), cpu, s.period()
	l.Stack, l.Same, l.Old = t.stack.Methods()[:depth], same, old
	s.observer.Look(l)
}

// gone tells the observer of a thread that the sample at app time at, the
// tick-th, does not find.
func (s *Sampler) gone(p *pass, id trace.ThreadID, tick int64, at time.Duration) {
	if s.observer == nil {
		return
	}
	cpu := s.readCPU(&p.threads[id], &s.memory[id], id, at)
	p.look = Look{Thread: id, Tick: tick, App: at, Last: s.lastAt, Wall: s.stamp(p, id), CPU: cpu, Period: s.period()}
	s.observer.Gone(&p.look)
}

// goneAll tells the observer, at the end of the run, of the threads still
// there: at the time of the sample that would have come next.
func (s *Sampler) goneAll(p *pass, threads []trace.ThreadID) {
	s.lastWall, s.tickWall = s.tickWall, s.next+s.paused
	s.lastAt, s.at = s.at, s.next
	for _, id := range threads {
		s.gone(p, id, s.ticks+1, s.next)
	}
}

// period returns how long before the current tick the last one began.
func (s *Sampler) period() time.Duration {
	if s.ticks < 2 {
		return 0
	}
	return s.tickWall - s.lastWall
}
