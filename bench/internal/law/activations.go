package law

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// activations follows the events of a truth and passes every activation of a calling context to
// laws: the time from an enter to its exit. It is a [trace.Writer]; events of one thread come in
// time order.
//
// A thread lives from its first event to its end ([activations.end]), and so do its open frames.
// [trace.EffectOf] decides exits that do not match. An event that goes back in time counts as
// simultaneous with the previous one.
type activations struct {
	contexts *calltree.Contexts
	threads  []threadStack
	laws     []activationLaw
	calls    int64
	inMethod time.Duration
}

// activationLaw is a law that is computed from activations.
type activationLaw interface {
	// add takes an activation of a context when it ends. Those of one context come
	// in order and do not overlap.
	add(context calltree.Node, a activation)
	// end comes after the last activation: the state of each context may be discarded.
	end()
}

// activation is the time of one call on the stack: [from, to).
type activation struct{ from, to time.Duration }

type threadStack struct {
	context calltree.Node   // None before the first event
	last    time.Duration   // event
	entered []time.Duration // of each open frame, outermost first
}

func newActivations(contexts *calltree.Contexts, laws ...activationLaw) *activations {
	return &activations{contexts: contexts, laws: laws}
}

// WriteEvents implements [trace.Writer]. It never fails.
func (s *activations) WriteEvents(events []trace.Event) error {
	for i := range events {
		s.apply(&events[i])
	}
	return nil
}

func (s *activations) apply(e *trace.Event) {
	for int(e.Thread) >= len(s.threads) {
		s.threads = append(s.threads, threadStack{})
	}
	t := &s.threads[e.Thread]
	if t.context == calltree.NoNode {
		t.context = s.contexts.AddRoot(e.Thread)
	}
	t.last = max(t.last, e.Wall)
	switch context, effect := s.contexts.Apply(t.context, e); {
	case effect == trace.Pushed:
		t.context = context
		t.entered = append(t.entered, t.last)
	case effect.Closes():
		s.exit(t, t.last)
	}
}

// exit closes the innermost frame of t.
func (s *activations) exit(t *threadStack, now time.Duration) {
	top := len(t.entered) - 1
	a := activation{t.entered[top], now}
	s.calls++
	if top == 0 {
		s.inMethod += a.to - a.from
	}
	for _, law := range s.laws {
		law.add(t.context, a)
	}
	t.entered = t.entered[:top]
	t.context = s.contexts.Parent(t.context)
}

// end ends a thread at a time after its last event. It is called after that event; for a thread
// without events it does nothing.
func (s *activations) end(id trace.ThreadID, at time.Duration) {
	if int(id) >= len(s.threads) {
		return
	}
	for t := &s.threads[id]; len(t.entered) > 0; {
		s.exit(t, max(at, t.last))
	}
}

// close ends every other thread at its last event. It releases the contexts, so no event may
// follow.
func (s *activations) close() {
	for id := range s.threads {
		s.end(trace.ThreadID(id), 0)
	}
	s.contexts, s.threads = nil, nil
	for _, law := range s.laws {
		law.end()
	}
}
