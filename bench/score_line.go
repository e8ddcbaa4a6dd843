package bench

import (
	"fmt"
	"io"
	"math"
	"time"

	"artifice/trace"
)

// timeLine goes through two traces side by side, in the order of the truth's
// time.
type timeLine struct {
	lanes
	scale float64 // how many times longer the observed run is
}

// worthScaling is by how much two runs differ in length before one is scaled.
const worthScaling = 0.01

func newTimeLine(c *course, truthSpan, seenSpan time.Duration) *timeLine {
	l := &timeLine{lanes: lanes{course: c}, scale: 1}
	if truthSpan > 0 && seenSpan > 0 {
		if scale := float64(seenSpan) / float64(truthSpan); math.Abs(scale-1) >= worthScaling {
			l.scale = scale
		}
	}
	return l
}

// compareAgain reads both traces once more and compares their stacks.
func (c *comparison) compareAgain(truth, observed Opener) (*timeLine, error) {
	t, o, err := open(truth, observed)
	if err != nil {
		return nil, err
	}
	line := newTimeLine(c.course, c.known.span, c.seen.span)
	known := &peeker{src: t.Events, admit: c.knows}
	seen := &peeker{src: o.Events, admit: func(e *trace.Event) error {
		e.Wall = line.align(e.Wall)
		return c.match.translate(e)
	}}
	line.compare(known, seen)
	if err := known.finish(c.known.events); err != nil {
		return nil, fmt.Errorf("the truth, read again: %w", err)
	}
	if err := seen.finish(c.seen.events); err != nil {
		return nil, fmt.Errorf("the observed trace, read again: %w", err)
	}
	return line, nil
}

// knows refuses events that the first reading cannot have had.
func (c *comparison) knows(e *trace.Event) error {
	if int(e.Thread) >= len(c.known.threads) || int(e.Method) >= len(c.known.methods) {
		return fmt.Errorf("it has changed: event at %v of thread %d and method %d", e.Wall, e.Thread, e.Method)
	}
	return nil
}

// align returns the truth's time of an observed stamp.
func (l *timeLine) align(wall time.Duration) time.Duration {
	return time.Duration(math.Round(float64(wall) / l.scale))
}

// compare takes both traces' events in the order of the truth's time. At equal
// times all happen before the stacks are compared.
func (l *timeLine) compare(truth, seen *peeker) {
	for {
		e, o := truth.peek(), seen.peek()
		switch {
		case e == nil && o == nil:
			return
		case o == nil || e != nil && e.Wall <= o.Wall:
			l.begin(e.Thread, e.Wall, l.course.alive(e.Thread, l.course.end))
			l.happens(e)
			truth.next++
		default:
			l.reports(o, o.Wall)
			seen.next++
		}
	}
}

// peeker reads a trace whose next event can be looked at.
type peeker struct {
	src   trace.Reader
	admit func(*trace.Event) error // lets an event pass, after changing it as needed
	batch []trace.Event
	next  int // of batch
	read  int64
	err   error
}

// peek returns the next event, nil at the end or when it cannot be read.
func (p *peeker) peek() *trace.Event {
	if p.next == len(p.batch) && p.err == nil {
		p.fill()
	}
	if p.err != nil {
		return nil
	}
	return &p.batch[p.next]
}

func (p *peeker) fill() {
	if p.batch == nil {
		p.batch = make([]trace.Event, 0, trace.BatchSize)
	}
	n, err := p.src.ReadEvents(p.batch[:cap(p.batch)])
	p.batch, p.next = p.batch[:n], 0
	p.read += int64(n)
	if n == 0 {
		p.err = err
	}
	for i := range p.batch {
		if err := p.admit(&p.batch[i]); err != nil {
			p.err = err
			return
		}
	}
}

// finish returns what was wrong with the reading, of which so many events were
// expected.
func (p *peeker) finish(want int64) error {
	if p.err != io.EOF {
		return p.err
	}
	if p.read != want {
		return fmt.Errorf("it has changed: %d events instead of %d", p.read, want)
	}
	return nil
}
