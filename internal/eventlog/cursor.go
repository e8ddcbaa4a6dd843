package eventlog

import (
	"encoding/binary"
	"io"
	"time"

	"artifice/trace"
)

// cursor reads the entries of one list. A taker removes the entries it reads, and can continue
// after the end of the list when entries have been added.
type cursor struct {
	log   *Log
	list  int // its index
	take  bool
	left  int   // of a taker: entries not taken yet
	entry Entry // the next one
	coder coder

	data   []byte // encoded entries, already read: a part of window, or of a block in memory
	window []byte
	open   int64 // the current block of the file; 0 for none
	size   int64 // its size without the head
	rest   int64 // its bytes not yet in data
	next   int64 // the next block of the file, once the current one has been read
	block  int   // the next block in memory
}

// cursor returns a cursor before the first entry of a list.
func (l *Log) cursor(i int) *cursor {
	return &cursor{log: l, list: i, coder: coder{thread: trace.ThreadID(i)}, next: l.lists[i].first}
}

// advance reads the next entry; at the end it returns io.EOF.
func (c *cursor) advance() error {
	err := c.decode(&c.entry.Event)
	if err == nil {
		c.entry.At, c.entry.Seq = c.coder.at, c.coder.seq
	}
	return err
}

// decode sets e to the event of the next entry and c.coder to its place. It returns io.EOF at the
// end.
func (c *cursor) decode(e *trace.Event) error {
	if len(c.data) < maxEntryBytes {
		if err := c.fill(); err != nil {
			return err
		}
	}
	c.data = c.data[c.coder.decode(c.data, e):]
	return nil
}

// decodeRun decodes the next events of a run into p, up to the time until or the length of p. It
// returns io.EOF at the end of the run.
func (c *cursor) decodeRun(p []trace.Event, until time.Duration) (n int, err error) {
	for n < len(p) {
		least := 1
		if c.rest > 0 {
			least = longBytes // data may end within an entry
		}
		if len(c.data) < least {
			if err := c.fill(); err != nil {
				return n, err
			}
			continue
		}
		k, used := unpack(p[n:], c.data, least, c.coder.wall, until)
		if k == 0 {
			return n, nil
		}
		n, c.data, c.coder.wall = n+k, c.data[used:], p[n+k-1].Wall
	}
	return n, nil
}

// fill makes c.data begin with a complete entry. Blocks, in the file and in memory, end with a
// complete entry.
func (c *cursor) fill() error {
	for len(c.data) == 0 && c.rest == 0 {
		if err := c.leave(); err != nil {
			return err
		}
		if c.next != 0 {
			if err := c.openBlock(); err != nil {
				return err
			}
		} else if !c.remember() {
			return io.EOF
		}
	}
	if c.rest == 0 {
		return nil
	}
	n := copy(c.window, c.data)
	more := min(c.rest, int64(len(c.window)-n))
	if err := c.log.readAt(c.window[n:n+int(more)], c.open+fileHead+c.size-c.rest); err != nil {
		return err
	}
	c.rest -= more
	c.data = c.window[:n+int(more)]
	return nil
}

// leave ends the current block of the file and finds the next one, which may have been added while
// this one was read.
func (c *cursor) leave() error {
	t := &c.log.lists[c.list]
	if c.open != 0 {
		var next [8]byte
		if err := c.log.readAt(next[:], c.open); err != nil {
			return err
		}
		c.next = int64(binary.LittleEndian.Uint64(next[:]))
		if c.take {
			c.log.remove(t, c.next, int(fileHead+c.size))
		}
		c.open = 0
	} else if c.take {
		c.next = t.first
	}
	return nil
}

// openBlock goes to the next block of the file.
func (c *cursor) openBlock() error {
	c.makeWindow()
	var n [4]byte
	if err := c.log.readAt(n[:], c.next+8); err != nil {
		return err
	}
	c.open, c.next = c.next, 0
	c.size = int64(binary.LittleEndian.Uint32(n[:]))
	c.rest = c.size
	return nil
}

// makeWindow allocates the memory for a part of a block. All lists together have as much as the
// Log, and each at least one block.
func (c *cursor) makeWindow() {
	if c.window == nil {
		size := min(1<<16, max(blockSize, c.log.memory/len(c.log.lists)))
		c.window = make([]byte, size, size+maxEntryBytes)
	}
}

// remember sets c.data to the next block in memory. It returns false if there is none.
func (c *cursor) remember() bool {
	t := &c.log.lists[c.list]
	if !c.take {
		if c.block == len(t.blocks) {
			return false
		}
		c.data = t.blocks[c.block]
		c.block++
		return true
	}
	for len(t.blocks) > 0 {
		if first := t.blocks[0]; t.taken < len(first) {
			c.data, t.taken = first[t.taken:], len(first)
			return true
		}
		t.taken = 0
		if len(t.blocks) == 1 {
			t.blocks[0] = t.blocks[0][:0]
			return false
		}
		c.log.pool.put(t.blocks[0])
		t.blocks = t.blocks[1:]
	}
	return false
}

// save copies the remaining bytes out of a block in memory before the block is reused.
func (c *cursor) save() {
	c.makeWindow()
	c.data = c.window[:copy(c.window, c.data)]
}
