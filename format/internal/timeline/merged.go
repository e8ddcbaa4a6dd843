package timeline

import (
	"io"
	"math"
	"time"

	"artifice/trace"
)

// entries returns a reader of the events of all entries, in time order.
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

// merged merges the stream with the log. If two entries have the same time, the entry of the stream
// comes first. It also comes first in the file, because the other entry was put into the log when
// the stream had advanced beyond its time. The two events of a whole call stay together.
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

// fill delivers the next events: one event of the log, or all available events of the stream before
// it. At the end it returns io.EOF.
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

// ahead is a reader with a buffer of its next events.
type ahead struct {
	from  trace.Reader
	batch []trace.Event
	in    []trace.Event // events of batch that have not been taken yet
	err   error
}

// fill makes sure that there is a next event, or returns the error or io.EOF.
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
