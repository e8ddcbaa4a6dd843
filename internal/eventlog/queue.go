package eventlog

import "artifice/trace"

// blockSize is small, so that tens of thousands of threads can have a block each.
const blockSize = 512

// Pool is blocks of memory to be used again, by any number of queues. The zero
// value is empty.
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

// put takes blocks back. Those that have become too long are left to the garbage collector.
func (p *Pool) put(blocks ...[]byte) {
	for _, b := range blocks {
		p.used -= cap(b)
		if cap(b) <= p.size {
			p.free = append(p.free, b[:0])
		}
	}
}

// shorten makes blocks shorter than before.
func (p *Pool) shorten(size int) {
	if p.size != size {
		p.size, p.free = size, nil
	}
}

// Queue is events of one thread, oldest first. The zero value has none.
type Queue struct {
	thread trace.ThreadID
	blocks [][]byte
	n      int
	last   coder // of the latest event
	front  place // of the oldest event, in the first block
}

// place is a place in a block.
type place struct {
	at    int
	coder coder // of the event before
}

// Len returns how many events there are.
func (q *Queue) Len() int { return q.n }

// Add appends an event, which is of the same thread as those before.
func (q *Queue) Add(e *trace.Event, blocks *Pool) {
	last := len(q.blocks) - 1
	if last < 0 || len(q.blocks[last])+mostEventBytes > cap(q.blocks[last]) {
		q.blocks = append(q.blocks, blocks.get())
		last++
	}
	q.blocks[last] = q.last.appendEvent(q.blocks[last], e)
	q.thread = e.Thread
	q.n++
}

// Take moves the oldest events to dst, as many as there are and fit, and returns
// how many.
func (q *Queue) Take(dst []trace.Event, blocks *Pool) (n int) {
	r := q.Reader()
	for n < len(dst) && n < q.n {
		r.Next(&dst[n])
		n++
	}
	done := r.block
	if n > 0 && r.place.at == len(q.blocks[r.block]) {
		done, r.place.at = done+1, 0
	}
	blocks.put(q.blocks[:done]...)
	q.blocks, q.front, q.n = q.blocks[done:], r.place, q.n-n
	return n
}

// Drop removes all events.
func (q *Queue) Drop(blocks *Pool) {
	blocks.put(q.blocks...)
	*q = Queue{}
}

// Reader reads events one after the other and leaves them where they are. It is
// valid until one is taken or dropped.
type Reader struct {
	q     *Queue
	block int
	place place
}

// Reader returns a reader in front of the oldest event.
func (q *Queue) Reader() Reader { return Reader{q: q, place: q.front} }

// Next sets e to the next event, of which there has to be one.
func (r *Reader) Next(e *trace.Event) {
	l := &r.place
	if l.at == len(r.q.blocks[r.block]) {
		r.block, l.at = r.block+1, 0
	}
	e.Thread = r.q.thread
	n, _, _ := l.coder.event(r.q.blocks[r.block][l.at:], e)
	l.at += n
}
