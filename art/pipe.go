package art

import (
	"time"

	"artifice/trace"
)

// Pipe hands what a tracer records to a log, and what the log lets through on
// to a writer: it gives a sampled recording, whose events come in time order,
// the order and layout of a runtime's file. It has the method EndThread that
// package sampler looks for in its outputs.
type Pipe struct {
	log    *Log
	traced *trace.Recording
	out    trace.WriteCloser
	offset time.Duration // of all times: what the measuring of the clocks took
	moved  []trace.Event
	batch  []trace.Event
	list   int // threads of the symbols that are attached
}

// NewPipe returns a pipe for the events of traced, of which it uses symbols and
// info, through a log that is started as cfg says. Clock, technique and clock
// overhead are those of traced.
//
// All threads of traced are in the list from the start on, in the order of its
// symbols.
func NewPipe(traced *trace.Recording, cfg Config) (*Pipe, error) {
	cfg.Clock, cfg.Technique = traced.Info.Clock, traced.Info.Technique
	cfg.ClockOverhead = traced.Info.ClockOverhead
	log, err := NewLog(traced, cfg)
	if err != nil {
		return nil, err
	}
	p := &Pipe{log: log, traced: traced, batch: make([]trace.Event, trace.BatchSize)}
	if log.rt.ZeroFirst {
		p.offset = ClockReads * cfg.ClockOverhead
	}
	return p, nil
}

// Recording returns what describes the file, without its events: they go to the
// output. Info, tables and warnings are complete after Close.
func (p *Pipe) Recording() *trace.Recording { return p.log.Recording() }

// SetOutput says where the events of the file go. It has to be called before
// the first event.
func (p *Pipe) SetOutput(out trace.WriteCloser) { p.out = out }

// WriteEvents implements [trace.Writer].
func (p *Pipe) WriteEvents(events []trace.Event) error {
	p.attach()
	if p.offset > 0 && p.traced.Info.Clock.HasWall() {
		p.moved = append(p.moved[:0], events...)
		for i := range p.moved {
			p.moved[i].Wall += p.offset
		}
		events = p.moved
	}
	if err := p.log.WriteEvents(events); err != nil {
		return err
	}
	return p.drain()
}

// EndThread lets a thread end: after its last event and before what happens
// later.
func (p *Pipe) EndThread(id trace.ThreadID) error {
	p.attach()
	p.log.End(id)
	return p.drain()
}

// Close stops the trace at the elapsed time that the traced recording has by
// now, and closes the output.
func (p *Pipe) Close() error {
	p.attach()
	if err := p.log.Stop(p.traced.Info.Elapsed + p.offset); err != nil {
		return err
	}
	if err := p.drain(); err != nil {
		return err
	}
	return p.out.Close()
}

// Notes returns what the output has to say about what it could not hold, if it
// says such things.
func (p *Pipe) Notes() []string {
	if out, ok := p.out.(interface{ Notes() []string }); ok {
		return out.Notes()
	}
	return nil
}

func (p *Pipe) attach() {
	for ; p.list < len(p.traced.Symbols.Threads); p.list++ {
		p.log.Attach(trace.ThreadID(p.list))
	}
}

func (p *Pipe) drain() error {
	for p.log.Ready() {
		if err := p.out.WriteEvents(p.batch[:p.log.Take(p.batch)]); err != nil {
			return err
		}
	}
	return nil
}
