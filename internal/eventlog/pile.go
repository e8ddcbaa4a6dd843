package eventlog

import (
	"io"

	"artifice/trace"
)

// Pile is events that are added in any order, and given back in the order of their wall times; of equal ones the first
// that was added comes first. They are kept in [Memory] bytes and beyond that in a temporary file. Their threads are not kept.
type Pile struct {
	log  *Log
	runs runs
	all  trace.Reader // nil: more can be added
}

// NewPile returns an empty Pile, whose file is in dir; "" is os.TempDir.
func NewPile(dir string) *Pile { return &Pile{log: NewLog(dir, Memory)} }

// Add adds an event. None can be added once one has been read.
func (p *Pile) Add(e *trace.Event) error {
	run, _ := p.runs.place(e.Wall)
	entry := Entry{Event: *e, At: e.Wall}
	entry.Event.Thread = trace.ThreadID(run)
	return p.log.Add(&entry)
}

// ReadEvents implements [trace.Reader].
func (p *Pile) ReadEvents(events []trace.Event) (n int, err error) {
	if p.all == nil {
		if p.all, err = p.log.Merge(io.EOF); err != nil {
			return 0, err
		}
	}
	return p.all.ReadEvents(events)
}

// Close removes what is kept.
func (p *Pile) Close() error { return p.log.Close() }
