package sampler

import (
	"time"

	"artifice/internal/recorder"

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

// recordedWait returns how a thread's wait ends that begins at an app time, between the event before p.place
// and its next one, and when.
func (p *pass) recordedWait(from time.Duration) (recorder.LatenessWait, time.Duration) {
	after, i := p.feed.Now.After, p.place-1
	next := Never
	if i >= 0 && i < len(after) {
		next = after[i].Wall
	}
	if from == Never || next < from+recorder.LeastWait {
		return recorder.LatenessWait{}, 0
	}
	switch p.samplers[0].cfg.Waits {
	case WaitsAbsorb:
		return recorder.LatenessWait{Period: 1, AtOnce: true}, next
	case WaitsByRule:
		if next < Never {
			return p.recorded.Rule(after[i].Event, from, next), next
		}
	}
	return recorder.LatenessWait{}, 0
}
