package sampler

import (
	"time"

	"artifice/trace"
)

// arriveLinked is arrive at an event that may be the end of a wait for another thread, or what another
// thread waits for.
func (p *pass) arriveLinked(t *thread, e *trace.Event, at time.Duration) {
	var link trace.Link
	if int(e.Method) < len(p.truth.Symbols.Methods) && e.Action == trace.Enter {
		link = p.truth.Symbols.Methods[e.Method].Link
	}
	if link.Does != trace.Gives { // nothing is given that would have to be known after the thread has arrived
		t.delays.given, _ = p.gifts.Meet(link, nil)
	}
	p.arrive(t, e.Thread, at)
	t.delays.given = nil
	if link.Does == trace.Gives {
		p.gifts.Meet(link, func() []time.Duration {
			walls := make([]time.Duration, len(p.samplers))
			for i := range walls {
				walls[i] = at + t.delays.of[i].late
			}
			return walls
		})
	}
}
