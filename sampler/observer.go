package sampler

import (
	"time"

	"artifice/trace"
)

// Observer is called at every tick with the sampled stacks, synchronously with the truth: no event
// after the tick's app time has been replayed. It serves comparisons of the two, as in package
// bench. The content of a trace file goes to the sampler's output.
type Observer interface {
	// Sample is called for each thread that has changed since the tick before, or did not exist
	// then. The stack of a thread without a call is unchanged.
	Sample(s *Sample)

	// Ended is called for a thread that was sampled before and no longer exists: it ended since the
	// last tick, or the run ended. At the end of the run the time is that of the next tick. Stack
	// is nil.
	Ended(s *Sample)
}

// Sample is one thread's sample at one tick. It is valid during the call.
type Sample struct {
	Thread trace.ThreadID
	Tick   int64         // the tick's number, from 1
	App    time.Duration // app time of the tick
	Rest   int           // number of the thread's events at App that come after the tick: those that end a wait of zero duration
	Last   time.Duration // app time of the tick before; 0 for the first
	Wall   time.Duration // the thread's wall timestamp
	CPU    time.Duration // the thread's CPU timestamp
	Period time.Duration // wall time since the start of the tick before; 0 for the first

	// LastCPU is the thread's CPU timestamp at the tick before, whether or not it was read. It is
	// set if frames end before the sample ([Config.SliceEnd]).
	LastCPU time.Duration

	Stack []trace.MethodID // outermost first
	Same  int              // outermost frames equal to those of the sample before, by [Config.Identity]
	Old   int              // frames among Same that are the same calls
}

// SetObserver sets the observer. It must be called before [Run]; nil is none.
//
// A sampler with an observer and no output remembers no stacks and counts no events. Nothing reads
// them, and an observer that numbers stacks compares them at lower cost. Sample.Same is then 0.
// Sample.Old is the number of frames of calls that were open at the tick before, sampled or not
// (see [Leaves]).
func (s *Sampler) SetObserver(o Observer) { s.observer = o }

// observe calls the observer for a sample of thread t.
func (s *Sampler) observe(p *pass, t *thread, id trace.ThreadID, cpu time.Duration, same, old, depth int) {
	l := &p.sample // set field by field: a composite value would be copied
	l.Thread, l.Tick, l.App, l.Last = id, s.ticks, s.at, s.lastAt
	l.Wall, l.CPU, l.Period, l.Rest = s.stamp(p, id), cpu, s.period(), 0
	if s.at == t.wall && p.perThread {
		l.Rest = p.rest(id, s.at)
	}
	l.Stack, l.Same, l.Old = t.stack.Methods()[:depth], same, old
	if l.LastCPU = 0; int(id) < len(s.readings) {
		l.LastCPU = s.readings[id].before
	}
	s.observer.Sample(l)
}

// rest returns the number of events a thread still has at an app time that the pass has reached.
func (p *pass) rest(id trace.ThreadID, at time.Duration) (n int) {
	for _, events := range [][]trace.Event{p.feed.now.events[min(p.place, len(p.feed.now.events)):], p.feed.next.events} {
		for i := range events {
			if events[i].Wall > at {
				return n
			}
			if events[i].Thread == id {
				n++
			}
		}
	}
	return n
}

// observeEnd calls the observer for a thread that no longer exists at the current tick, the
// tick-th.
func (s *Sampler) observeEnd(p *pass, id trace.ThreadID, tick int64) {
	if s.observer == nil {
		return
	}
	cpu := s.readCPU(p, &s.memory[id], id)
	p.sample = Sample{Thread: id, Tick: tick, App: s.at, Last: s.lastAt, Wall: s.stamp(p, id), CPU: cpu, Period: s.period()}
	s.observer.Ended(&p.sample)
}

// observeEnds calls the observer, at the end of the run, for the threads still alive, with the time
// of the next tick.
func (s *Sampler) observeEnds(p *pass, threads []trace.ThreadID) {
	s.lastWall, s.tickWall = s.tickWall, s.next+s.paused
	s.lastAt, s.at = s.at, s.next
	for _, id := range threads {
		s.observeEnd(p, id, s.ticks+1)
	}
}

// period returns the time from the start of the last tick to the start of the current one.
func (s *Sampler) period() time.Duration {
	if s.ticks < 2 {
		return 0
	}
	return s.tickWall - s.lastWall
}

// Follower receives the events of a truth with the delays of their threads.
type Follower interface {
	// Event is called for each event with the thread's delay under each sampler, in the truth's
	// order, after all samples of its thread before it. Both arguments are valid during the call.
	Event(e *trace.Event, late []time.Duration)

	// End is called once for each thread that existed, at the app time of its end or of the truth's
	// end.
	End(id trace.ThreadID, at time.Duration, late []time.Duration)
}

// RunFollowed is [Run] with a follower.
func RunFollowed(f Follower, truth *trace.Recording, samplers ...*Sampler) error {
	p, err := newPass(truth, samplers)
	if err != nil {
		return err
	}
	p.follower = f
	return p.run()
}

// lateness returns the delay of a thread under each sampler. It is valid until the next call.
func (p *pass) lateness(t *thread) []time.Duration {
	p.lates = p.lates[:0]
	for i, s := range p.samplers {
		late := s.paused
		if t.delays != nil {
			late = t.delays.of[i].late
		}
		p.lates = append(p.lates, late)
	}
	return p.lates
}

// followEnd reports the end of a thread to the follower.
func (p *pass) followEnd(id trace.ThreadID, at time.Duration) {
	if p.follower != nil {
		p.follower.End(id, at, p.lateness(&p.threads[id]))
	}
}

// followEnds reports the threads that live to the end of the truth.
func (p *pass) followEnds(end time.Duration) {
	if p.follower == nil {
		return
	}
	for id := range p.threads {
		t := &p.threads[id]
		if !t.living || p.holds && p.ended[id] && p.threadEnd(trace.ThreadID(id)) < end {
			continue
		}
		late := p.lateness(t)
		if t.delays != nil {
			for i := range late {
				late[i] = t.delays.endsAt(i, end) - end
			}
		}
		p.follower.End(trace.ThreadID(id), end, late)
	}
}
