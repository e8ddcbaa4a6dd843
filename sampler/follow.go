package sampler

import (
	"time"

	"artifice/trace"
)

// Follower is told how far each thread of a truth has come while samplers delay it.
type Follower interface {
	// Event is called for each event, when all samples before it have been taken of its thread,
	// with how late that is, by sampler. Events come in the truth's order. Both are valid
	// during the call.
	Event(e *trace.Event, late []time.Duration)

	// End is called once for each thread that was there, at the app time of its end or of the
	// truth's.
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

// lateness returns by how much a thread is late, by sampler. It is valid until the next call.
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

// followEnd tells the follower of the end of a thread.
func (p *pass) followEnd(id trace.ThreadID, at time.Duration) {
	if p.follower != nil {
		p.follower.End(id, at, p.lateness(&p.threads[id]))
	}
}

// followEnds tells it of the threads that live on at the end of the truth.
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
