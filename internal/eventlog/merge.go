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
func (m *merge) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && len(m.heap) > 0 {
		k, err := m.read(p[n:])
		n += k
		switch err {
		case nil:
			m.heap.Down()
		case io.EOF:
			m.heap.Pop()
		default:
			m.heap, m.end = nil, err
		}
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, m.end
}

// read delivers events of the first thread up to where the second comes before
// it. An error is that of going on behind the last one.
func (m *merge) read(p []trace.Event) (n int, err error) {
	first, second := &m.heap[0], m.heap.Second()
	c := first.Value
	for n < len(p) {
		p[n] = c.entry.Event
		n++
		if err := c.advance(); err != nil {
			return n, err
		}
		first.At, first.Tie = c.entry.At, c.entry.Seq
		if second != nil && second.Before(first) {
			break
		}
	}
	return n, nil
}
