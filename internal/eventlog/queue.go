package eventlog

import (
	"math"
	"time"

	"artifice/trace"
)

// Queue is a sequence of events in memory, first in, first out, in the encoding of packed.go.
// It is meant for one thread, as the CPU time is encoded as the difference to the event before.
// [Pool.Queue] returns an empty one.
type Queue struct {
	pool   *Pool
	blocks [][]byte
	n      int
	front  position // of the oldest event, in the first block
	last   position // after the latest event
}

// position is a position in a block, with the times of the previous event.
type position struct {
	at        int // bytes
	wall, cpu time.Duration
}

// Queue returns an empty queue that takes its blocks from the pool.
func (p *Pool) Queue() Queue { return Queue{pool: p} }

// Len returns the number of events.
func (q *Queue) Len() int { return q.n }

// Add appends an event.
func (q *Queue) Add(e *trace.Event) {
	last := len(q.blocks) - 1
	if last < 0 || len(q.blocks[last])+longBytes > cap(q.blocks[last]) {
		q.blocks = append(q.blocks, q.pool.get())
		last++
	}
	q.blocks[last] = appendPacked(q.blocks[last], e, q.last.wall, e.Wall, e.CPU-q.last.cpu)
	q.last.wall, q.last.cpu = e.Wall, e.CPU
	q.n++
}

// Take moves the oldest events to dst, up to its length, and returns
// their number.
func (q *Queue) Take(dst []trace.Event) (n int) {
	done := 0 // blocks
	for n < len(dst) && n < q.n {
		b := q.blocks[done]
		n += q.front.unpack(dst[n:], b)
		if q.front.at == len(b) {
			done, q.front.at = done+1, 0
		}
	}
	q.pool.put(q.blocks[:done]...)
	q.blocks, q.n = q.blocks[done:], q.n-n
	return n
}

// unpack decodes events of a block and returns their number.
func (p *position) unpack(dst []trace.Event, block []byte) int {
	n, used := unpack(dst, block[p.at:], 1, p.wall, math.MaxInt64)
	p.at += used
	for i := range dst[:n] {
		p.cpu += dst[i].CPU
		p.wall, dst[i].CPU = dst[i].Wall, p.cpu
	}
	return n
}

// Drop removes all events.
func (q *Queue) Drop() {
	q.pool.put(q.blocks...)
	*q = Queue{pool: q.pool}
}

// Cursor reads the events without removing them. It is valid until
// events are removed.
type Cursor struct {
	queue *Queue
	block int
	place position
}

// Cursor returns a cursor before the oldest event.
func (q *Queue) Cursor() Cursor { return Cursor{queue: q, place: q.front} }

// Next returns the next event. There must be one.
func (c *Cursor) Next() trace.Event {
	if c.place.at == len(c.queue.blocks[c.block]) {
		c.block, c.place.at = c.block+1, 0
	}
	var e [1]trace.Event
	c.place.unpack(e[:], c.queue.blocks[c.block])
	return e[0]
}

// blockSize is small, so that tens of thousands of threads can have a block each.
const blockSize = 512

// Pool is a free list of blocks, shared by any number of queues. The zero value is empty.
type Pool struct {
	free [][]byte
	size int // bytes of a block; 0: blockSize
	used int // bytes
}

func (p *Pool) get() []byte {
	if p.size == 0 {
		p.size = blockSize
	}
	p.used += p.size
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return make([]byte, 0, p.size)
}

// put returns blocks to the free list, except those that are longer than new ones.
func (p *Pool) put(blocks ...[]byte) {
	for _, b := range blocks {
		p.used -= cap(b)
		if cap(b) <= p.size {
			p.free = append(p.free, b[:0])
		}
	}
}

// shorten reduces the size of new blocks.
func (p *Pool) shorten(size int) {
	if p.size != size {
		p.size, p.free = size, nil
	}
}
