package eventlog

import (
	"time"

	"artifice/trace"
)

// Sorter gives back the events of many threads in the order of their places while
// others are added. Those of one thread come as they were added, so a thread's
// first event must be known before one that lies behind it is taken.
type Sorter struct {
	log  Log
	heap Heap[*cursor] // of the threads with events, by the place of the first
	err  error
}

// NewSorter returns an empty Sorter that keeps so many bytes in memory, and what
// is beyond that in a file in dir; "" is os.TempDir.
func NewSorter(dir string, memory int) *Sorter {
	s := &Sorter{log: *NewLog(dir, memory)}
	s.log.taken = true
	s.log.pool.shorten(blockSize) // as a rule few events of a thread wait
	return s
}

// Len returns how many events of a thread wait.
func (s *Sorter) Len(id trace.ThreadID) int {
	if int(id) >= len(s.log.lists) {
		return 0
	}
	return s.log.lists[id].taker.left
}

// Push adds an event. Of those with the same place that of the first Push comes
// first.
func (s *Sorter) Push(e trace.Event, at time.Duration) {
	t := s.log.list(int(e.Thread))
	s.log.seq++
	entry := Entry{e, at, s.log.seq}
	c := t.taker
	if c.left > 0 {
		if err := s.log.add(t, &entry); err != nil {
			s.fail(err)
			return
		}
		c.left++
		return
	}
	// It is the next one, and need not be encoded.
	c.left, c.entry = 1, entry
	t.coder = coder{wall: e.Wall, cpu: e.CPU, at: at, seq: entry.Seq, thread: e.Thread}
	c.coder = t.coder
	s.heap.Push(Item[*cursor]{at, entry.Seq, c})
}

// Peek returns the earliest event, or nil when there is none. It is valid until
// the next Push or Pop.
func (s *Sorter) Peek() *Entry {
	if len(s.heap) == 0 {
		return nil
	}
	return &s.heap[0].Value.entry
}

// Pop removes the earliest event.
func (s *Sorter) Pop() {
	first := &s.heap[0]
	c := first.Value
	if c.left--; c.left > 0 {
		if err := c.advance(); err != nil {
			s.fail(err)
			c.left = 0
		}
	}
	if c.left == 0 {
		s.heap.Pop()
		return
	}
	first.At, first.Tie = c.entry.At, c.entry.Seq
	s.heap.Down()
}

func (s *Sorter) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Size returns how many bytes the events take in memory, and how long the file is.
func (s *Sorter) Size() (memory, disk int64) { return s.log.Size() }

// Added returns how many events have been added so far.
func (s *Sorter) Added() uint64 { return s.log.seq }

// Err returns what went wrong with the file, if anything: the events are not
// complete then.
func (s *Sorter) Err() error { return s.err }

// Close removes the file.
func (s *Sorter) Close() error { return s.log.Close() }
