package score

import (
	"fmt"
	"io"

	"artifice/trace"
)

// peeker reads a trace whose next event can be looked at.
type peeker struct {
	src   trace.Reader
	admit func(*trace.Event) error // checks an event and changes it as needed
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
