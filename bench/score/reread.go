package score

import (
	"fmt"
	"io"

	"artifice/bench/measure"
	"artifice/trace"
)

// lay compares the stacks of both traces, with the alignment that maximizes correct frames.
func (p *traces) lay(alignments []Alignment, truth, observed Opener) error {
	rights := make([]float64, len(alignments))
	for i := range alignments {
		line, err := p.readAgain(&alignments[i], truth, observed)
		if err != nil {
			return err
		}
		rights[i] = line.DepthWeighted()
		if i == 0 || rights[i] > p.reported.Line.DepthWeighted() {
			p.alignment, p.reported.Line = alignments[i], line
		}
	}
	near := max(2*p.seen.lag(p.cfg.Dumps), p.state.end/100)
	for i, a := range alignments {
		if (a.Offset - p.alignment.Offset).Abs() > near {
			p.alignment.Rival = max(p.alignment.Rival, rights[i])
		}
	}
	return nil
}

// readAgain reads both traces again, in order of the truth's time, and compares their stacks.
func (p *traces) readAgain(a *Alignment, truth, observed Opener) (line measure.Timeline, err error) {
	t, o, err := open(truth, observed)
	if err != nil {
		return line, err
	}
	state := &TrueState{symbols: p.state.symbols} // threads begin with their first events
	stacks := stackComparison{state: state}
	known := &peeker{src: t.Events, admit: p.known.check}
	seen := &peeker{src: o.Events, admit: func(e *trace.Event) error {
		e.Wall = a.ToTruth(e.Wall)
		return p.match.translate(e)
	}}
	for {
		e, o := known.peek(), seen.peek()
		if e == nil && o == nil {
			break
		}
		if o == nil || e != nil && e.Wall <= o.Wall {
			state.apply(e)
			known.next++
			continue
		}
		stacks.apply(o, min(state.alive(o.Thread, o.Wall), p.state.end))
		seen.next++
	}
	if err := known.finish(p.known.events); err != nil {
		return line, fmt.Errorf("reading the truth again: %w", err)
	}
	if err := seen.finish(p.seen.events); err != nil {
		return line, fmt.Errorf("reading the observed trace again: %w", err)
	}
	if err := state.finish(p.state.end); err != nil {
		return line, err
	}
	return stacks.finish(), nil
}

// peeker reads a trace with one event of lookahead.
type peeker struct {
	src   trace.Reader
	admit func(*trace.Event) error // checks an event and changes it as needed
	batch []trace.Event
	next  int // of batch
	read  int64
	err   error
}

// peek returns the next event; nil at the end or after an error.
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

// finish returns the error of the reading, or an error if the number of events is not want.
func (p *peeker) finish(want int64) error {
	if p.err != io.EOF {
		return p.err
	}
	if p.read != want {
		return fmt.Errorf("the trace has changed: %d events instead of %d", p.read, want)
	}
	return nil
}
