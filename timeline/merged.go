package timeline

import (
	"io"

	"artifice/trace"
)

// entries returns a reader of what stands for the entries, in the order of time.
func (c *calls) entries() (trace.Reader, error) {
	inOrder, err := c.inOrder.Reader(io.EOF)
	if err != nil || len(c.runs) == 0 {
		return inOrder, err
	}
	log, err := c.log.Merge(io.EOF)
	if err != nil {
		return nil, err
	}
	return &merged{inOrder: ahead{from: inOrder}, log: ahead{from: log}, runs: c.runs}, nil
}

// merged merges the stream with the log. Of two entries at the same time that of the
// stream is the earlier one in the file: when the other was added, the stream had gone on.
type merged struct {
	inOrder, log ahead
	runs         []run
	half         *ahead // where the end of a whole call is, whose begin has been delivered
	err          error
}

// ReadEvents implements [trace.Reader].
func (m *merged) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && m.err == nil {
		var from *ahead
		if from, m.err = m.next(); m.err != nil {
			break
		}
		p[n] = from.in[0]
		from.in = from.in[1:]
		if from == &m.log {
			p[n].Thread = m.runs[p[n].Thread].thread
		}
		m.half = nil
		if p[n].Action == wholeBegin {
			m.half = from
		}
		n++
	}
	if n > 0 {
		return n, nil
	}
	return 0, m.err
}

// next returns where the next event is; io.EOF when there is none.
func (m *merged) next() (*ahead, error) {
	err, logErr := m.inOrder.fill(), m.log.fill()
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case logErr != nil && logErr != io.EOF:
		return nil, logErr
	case m.half != nil:
		return m.half, nil
	case logErr == io.EOF:
		return &m.inOrder, err
	case err == io.EOF || m.inOrder.in[0].Wall > m.log.in[0].Wall:
		return &m.log, nil
	}
	return &m.inOrder, nil
}

// ahead is a reader with its next events.
type ahead struct {
	from  trace.Reader
	batch []trace.Event
	in    []trace.Event // of batch: not taken yet
	err   error
}

// fill sees to it that there is a next event, or returns why there is none.
func (a *ahead) fill() error {
	if len(a.in) > 0 || a.err != nil {
		return a.err
	}
	if a.batch == nil {
		a.batch = make([]trace.Event, trace.BatchSize)
	}
	n, err := a.from.ReadEvents(a.batch)
	a.in = a.batch[:n]
	if n == 0 {
		a.err = err
	}
	return a.err
}
