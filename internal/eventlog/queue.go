package eventlog

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

const (
	blockSize = 8 << 10
	mostBytes = 3 * binary.MaxVarintLen64 // of an event
)

// Pool is blocks to be used again, by any number of queues. The zero value is
// empty.
type Pool struct{ free [][]byte }

func (p *Pool) get() []byte {
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return make([]byte, 0, blockSize)
}

func (p *Pool) put(blocks ...[]byte) {
	for _, b := range blocks {
		p.free = append(p.free, b[:0])
	}
}

// Queue is events of one thread, oldest first. The zero value has none.
type Queue struct {
	thread    trace.ThreadID
	blocks    [][]byte
	n         int
	wall, cpu time.Duration // of the latest event
	front     place         // of the oldest event, in the first block
}

// place is a place in a block, with the times of the event before.
type place struct {
	at        int
	wall, cpu time.Duration
}

// Len returns how many events there are.
func (p *Queue) Len() int { return p.n }

// Add appends an event, which is of the same thread as those before.
func (p *Queue) Add(e *trace.Event, blocks *Pool) {
	last := len(p.blocks) - 1
	if last < 0 || len(p.blocks[last])+mostBytes > blockSize {
		p.blocks = append(p.blocks, blocks.get())
		last++
	}
	b := binary.AppendVarint(p.blocks[last], int64(e.Wall-p.wall))
	b = binary.AppendVarint(b, int64(e.CPU-p.cpu))
	p.blocks[last] = binary.AppendUvarint(b, uint64(e.Method)<<2|uint64(e.Action))
	p.thread, p.wall, p.cpu = e.Thread, e.Wall, e.CPU
	p.n++
}

// Take moves the oldest events to dst, as many as there are and fit, and returns
// how many.
func (p *Queue) Take(dst []trace.Event, blocks *Pool) (n int) {
	r := p.Reader()
	for n < len(dst) && n < p.n {
		dst[n] = r.Next()
		n++
	}
	done := r.block
	if n > 0 && r.place.at == len(p.blocks[r.block]) {
		done, r.place.at = done+1, 0
	}
	blocks.put(p.blocks[:done]...)
	p.blocks, p.front, p.n = p.blocks[done:], r.place, p.n-n
	return n
}

// Drop removes all events.
func (p *Queue) Drop(blocks *Pool) {
	blocks.put(p.blocks...)
	*p = Queue{}
}

// Reader reads events one after the other and leaves them where they are. It is
// valid until one is taken or dropped.
type Reader struct {
	p     *Queue
	block int
	place place
}

// Reader returns a reader in front of the oldest event.
func (p *Queue) Reader() Reader { return Reader{p: p, place: p.front} }

// Next returns the next event, of which there has to be one.
func (r *Reader) Next() trace.Event {
	l := &r.place
	if l.at == len(r.p.blocks[r.block]) {
		r.block, l.at = r.block+1, 0
	}
	b := r.p.blocks[r.block][l.at:]
	wall, n := binary.Varint(b)
	cpu, k := binary.Varint(b[n:])
	word, m := binary.Uvarint(b[n+k:])
	l.at += n + k + m
	l.wall, l.cpu = l.wall+time.Duration(wall), l.cpu+time.Duration(cpu)
	return trace.Event{Wall: l.wall, CPU: l.cpu, Method: trace.MethodID(word >> 2), Thread: r.p.thread, Action: trace.Action(word & 3)}
}
