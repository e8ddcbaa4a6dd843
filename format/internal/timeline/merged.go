package timeline

import (
	"io"
	"math"
	"time"

	"artifice/trace"
)

// entries returns a reader of the entries' events, in time order.
func (c *Calls) entries() (trace.Reader, error) {
	inOrder := c.inOrder.InOrder(io.EOF)
	if len(c.runs) == 0 {
		return inOrder, nil
	}
	log, err := c.log.Merge(io.EOF)
	if err != nil {
		return nil, err
	}
	return &merged{inOrder: ahead{from: inOrder}, log: ahead{from: log}, runs: c.runs}, nil
}

// merged merges the stream with the log. If two entries have the same time, that of the stream
// precedes the other in the file: when the other was added, the stream had advanced. The two events
// of a whole call stay together.
type merged struct {
	inOrder, log ahead
	runs         []run
	err          error
}

// ReadEvents implements [trace.Reader].
func (m *merged) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && m.err == nil {
		var at int
		if at, m.err = m.fill(p[n:]); m.err == nil {
			n += at
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, m.err
}

// fill delivers what comes next: from the log one event, from the stream all that are at
// hand and come before that. At the end it returns io.EOF.
func (m *merged) fill(p []trace.Event) (n int, err error) {
	err, logErr := m.inOrder.fill(), m.log.fill()
	switch {
	case err != nil && err != io.EOF:
		return 0, err
	case logErr != nil && logErr != io.EOF:
		return 0, logErr
	}
	until := time.Duration(math.MaxInt64)
	if logErr == nil {
		next := &m.log.in[0]
		if until = next.Wall; next.Action == wholeEnd {
			until = math.MinInt64
		}
	}
	in := m.inOrder.in
	for n < len(p) && n < len(in) && (in[n].Wall <= until || in[n].Action == wholeEnd) {
		p[n] = in[n]
		n++
	}
	m.inOrder.in = in[n:]
	if n > 0 || logErr != nil {
		return n, err
	}
	p[0] = m.log.in[0]
	p[0].Thread = m.runs[p[0].Thread].thread
	m.log.in = m.log.in[1:]
	return 1, nil
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
