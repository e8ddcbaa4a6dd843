package eventlog

import (
	"time"

	"artifice/trace"
)

// Push adds an event to a Log that Peek and Pop read while it is filled. Events with the same
// place come in the order of Push. So do the events of one thread, so a thread's next event must
// be pushed before an event with a later place is removed. Err returns errors.
func (l *Log) Push(e trace.Event, at time.Duration) {
	if !l.consumed {
		l.consumed = true
		l.pool.shorten(blockSize) // few events of a thread wait
	}
	t := l.list(int(e.Thread))
	l.seq++
	entry := Entry{e, at, l.seq}
	c := t.taker
	if c.left > 0 {
		if err := l.add(t, &entry); err != nil {
			l.fail(err)
			return
		}
		c.left++
		return
	}
	// It is the next one, and need not be encoded.
	c.left, c.entry = 1, entry
	t.coder = coder{wall: e.Wall, cpu: e.CPU, at: at, seq: entry.Seq, thread: e.Thread}
	c.coder = t.coder
	l.heap.Push(Item[*cursor]{at, entry.Seq, c})
}

// Len returns the number of a thread's events that were pushed and not removed.
func (l *Log) Len(id trace.ThreadID) int {
	if int(id) >= len(l.lists) {
		return 0
	}
	return l.lists[id].taker.left
}

// Peek returns the earliest event, or nil if there is none. It is valid until the next Push
// or Pop.
func (l *Log) Peek() *Entry {
	if len(l.heap) == 0 {
		return nil
	}
	return &l.heap[0].Value.entry
}

// Pop removes the earliest event.
func (l *Log) Pop() {
	first := &l.heap[0]
	c := first.Value
	if c.left--; c.left > 0 {
		if err := c.advance(); err != nil {
			l.fail(err)
			c.left = 0
		}
	}
	if c.left == 0 {
		l.heap.Pop()
		return
	}
	first.At, first.Tie = c.entry.At, c.entry.Seq
	l.heap.Down()
}

func (l *Log) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// Err returns the first error of the file in Push and Pop, after which events are missing.
func (l *Log) Err() error { return l.err }

// Added returns the number of events that were ever added.
func (l *Log) Added() uint64 { return l.seq }
