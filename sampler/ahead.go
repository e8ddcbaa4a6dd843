package sampler

import (
	"io"

	"artifice/internal/recorder"
	"artifice/trace"
)

// Ahead reads a truth for a pass, and before the pass for those who have to know what comes: when the threads of the
// app begin to wait. What has been read is kept until the pass and all of them have it. It is a [trace.Reader].
type Ahead struct {
	src    trace.Reader
	err    error // the source's, at its end
	events []linked
	base   int // number of the first in events
	passed int // number of the next that the pass gets
	gifts  recorder.LatenessGifts[int]
	given  int // numbers of gifts so far
	truth  *trace.Recording
	cores  []*Cores
}

// NewAhead returns what reads a truth of which nothing has been read.
func NewAhead(truth *trace.Recording) *Ahead { return &Ahead{src: truth.Events, truth: truth} }

// linked is an event of the truth with its part in a link between threads, which is by the truth's order.
type linked struct {
	trace.Event
	gift  int  // number of what it gives or waits for; 0: nothing
	gives bool // it gives it
}

// ReadEvents implements [trace.Reader].
func (a *Ahead) ReadEvents(p []trace.Event) (n int, err error) {
	if !a.has(a.passed) {
		return 0, a.err
	}
	for n < len(p) && a.passed < a.base+len(a.events) {
		p[n] = a.events[a.passed-a.base].Event
		n++
		a.passed++
	}
	a.forget()
	return n, nil
}

// has reports whether there is an event of a number, which is read if it has not been.
func (a *Ahead) has(number int) bool {
	for number >= a.base+len(a.events) && a.err == nil {
		var some [512]trace.Event
		n, err := a.src.ReadEvents(some[:])
		for i := range some[:n] {
			a.events = append(a.events, a.linked(&some[i]))
		}
		if n == 0 {
			a.err = err
			if err == nil {
				a.err = io.ErrNoProgress
			}
		}
	}
	return number < a.base+len(a.events)
}

// at returns the event of a number that there is.
func (a *Ahead) at(number int) *linked { return &a.events[number-a.base] }

// linked adds its link to an event.
func (a *Ahead) linked(e *trace.Event) linked {
	l := linked{Event: *e}
	if e.Action == trace.Enter && int(e.Method) < len(a.truth.Symbols.Methods) {
		link := a.truth.Symbols.Methods[e.Method].Link
		l.gives = link.Does == trace.Gives
		l.gift, _ = a.gifts.Meet(link, func() int { a.given++; return a.given })
		if l.gives {
			l.gift = a.given
		}
	}
	return l
}

// forget drops what all have.
func (a *Ahead) forget() {
	first := a.passed
	for _, c := range a.cores {
		first = min(first, c.read)
	}
	if n := first - a.base; n >= 1<<14 && n > len(a.events)/2 {
		a.events = append(a.events[:0], a.events[n:]...)
		a.base = first
	}
}
