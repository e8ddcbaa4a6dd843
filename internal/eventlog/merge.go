package eventlog

import (
	"io"

	"artifice/trace"
)

// Merge returns a reader of all events in the order of their places, but each
// thread's as they were added. It ends with the error end. Nothing can be added
// any more; another Merge begins anew.
func (l *Log) Merge(end error) (trace.Reader, error) {
	if l.file != nil { // then its memory is for the cursors
		for i := range l.lists {
			if err := l.flush(&l.lists[i]); err != nil {
				return nil, err
			}
		}
		l.pool.free = nil
	}
	m := &merge{end: end}
	for i := range l.lists {
		c := l.cursor(trace.ThreadID(i))
		switch err := c.advance(); err {
		case nil:
			m.heap.Push(Item[*cursor]{c.entry.At, c.entry.Seq, c})
		case io.EOF:
		default:
			return nil, err
		}
	}
	return m, nil
}

// merge delivers the events of all threads.
type merge struct {
	heap Heap[*cursor]
	end  error
}

// ReadEvents implements [trace.Reader].
func (m *merge) ReadEvents(p []trace.Event) (int, error) {
	for n := range p {
		if len(m.heap) == 0 {
			if n > 0 {
				return n, nil
			}
			return 0, m.end
		}
		first := &m.heap[0]
		c := first.Value
		p[n] = c.entry.Event
		switch err := c.advance(); err {
		case nil:
			first.At, first.Tie = c.entry.At, c.entry.Seq
			m.heap.Down()
		case io.EOF:
			m.heap.Pop()
		default:
			m.heap, m.end = nil, err
			return n + 1, nil
		}
	}
	return len(p), nil
}

// Threads returns one more than the highest thread with events.
func (l *Log) Threads() int { return len(l.lists) }

// Thread returns a reader of the events of one thread, as they were added. It is
// valid until more are added, and ends with io.EOF.
func (l *Log) Thread(id trace.ThreadID) trace.Reader { return (*threadReader)(l.cursor(id)) }

// threadReader is a cursor as a trace.Reader.
type threadReader cursor

// ReadEvents implements [trace.Reader].
func (r *threadReader) ReadEvents(p []trace.Event) (int, error) {
	c := (*cursor)(r)
	for n := range p {
		if err := c.advance(); err != nil {
			if n > 0 && err == io.EOF {
				return n, nil
			}
			return n, err
		}
		p[n] = c.entry.Event
	}
	return len(p), nil
}
