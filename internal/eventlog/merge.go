package eventlog

import (
	"io"
	"math"

	"artifice/trace"
)

// Merge returns a reader of all events in the order of their places; events of one thread keep the
// order of adding. The reader ends with the error end. No events can be added afterwards. Another
// Merge begins with the first event again.
func (l *Log) Merge(end error) (trace.Reader, error) {
	if l.unsorted != nil {
		return l.mergeByTime(end)
	}
	l.shrink()
	m := &merge{end: end}
	for i := range l.lists {
		c := l.cursor(i)
		if err := c.advance(); err == nil {
			m.heap.Push(Item[*cursor]{c.coder.at, c.coder.seq, c})
		} else if err != io.EOF {
			return nil, err
		}
	}
	return m, nil
}

// shrink releases the memory that only adding needs.
func (l *Log) shrink() { l.pool.free, l.scratch = nil, nil }

// merge delivers the events of all threads.
type merge struct {
	heap Heap[*cursor] // of the threads with events, ordered by the place of the next event
	end  error
}

// ReadEvents implements [trace.Reader].
func (m *merge) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && len(m.heap) > 0 {
		first := &m.heap[0]
		k, err := first.Value.read(p[n:], m.heap.Second())
		n += k
		switch err {
		case nil:
			c := &first.Value.coder
			first.At, first.Tie = c.at, c.seq
			m.heap.Down()
		case io.EOF:
			m.heap.Pop()
		default:
			m.heap, m.end = nil, err
			return n, nil
		}
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, m.end
}

// read moves the events of c that precede second into p. The first event always does.
func (c *cursor) read(p []trace.Event, second *Item[*cursor]) (n int, err error) {
	until := Item[*cursor]{At: math.MaxInt64, Tie: math.MaxUint64}
	if second != nil {
		until = *second
	}
	p[0] = c.entry.Event
	for n = 1; n < len(p); n++ {
		if err = c.decode(&p[n]); err != nil {
			return n, err
		}
		if at := c.coder.at; at > until.At || at == until.At && c.coder.seq >= until.Tie {
			c.entry.Event = p[n]
			return n, nil
		}
	}
	return n, c.decode(&c.entry.Event)
}

// Has reports whether a thread has events.
func (l *Log) Has(id trace.ThreadID) bool {
	return int(id) < len(l.lists) && (l.lists[id].first != 0 || len(l.lists[id].blocks) > 0)
}

// Thread returns a reader of the events of one thread that has some, in the order of adding. It is
// valid until more are added, and ends with io.EOF.
func (l *Log) Thread(id trace.ThreadID) trace.Reader { return (*threadReader)(l.cursor(int(id))) }

// threadReader is a cursor as a trace.Reader.
type threadReader cursor

// ReadEvents implements [trace.Reader].
func (r *threadReader) ReadEvents(p []trace.Event) (int, error) {
	c := (*cursor)(r)
	for n := range p {
		if err := c.decode(&p[n]); err != nil {
			if n > 0 && err == io.EOF {
				return n, nil
			}
			return n, err
		}
	}
	return len(p), nil
}
