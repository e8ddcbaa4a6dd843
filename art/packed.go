package art

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// packed holds events of one thread in a few bytes each: as differences to the
// event before, in blocks that are used again. Thread buffers hold hundreds of
// thousands of events each, and at the end of a trace all of them wait for
// their turn in the file. The zero value is empty.
type packed struct {
	thread trace.ThreadID
	blocks [][]byte
	n      int // events
	wall   time.Duration
	cpu    time.Duration // of the latest event
}

const (
	packedBlock = 8 << 10
	packedMost  = 3 * binary.MaxVarintLen64 // bytes of an event
)

// pool is blocks to be used again.
type pool struct{ free [][]byte }

func (p *pool) get() []byte {
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return make([]byte, 0, packedBlock)
}

func (p *pool) put(blocks ...[]byte) {
	for _, b := range blocks {
		p.free = append(p.free, b[:0])
	}
}

// add appends an event.
func (p *packed) add(e *trace.Event, blocks *pool) {
	last := len(p.blocks) - 1
	if last < 0 || len(p.blocks[last])+packedMost > packedBlock {
		p.blocks = append(p.blocks, blocks.get())
		last++
	}
	b := binary.AppendVarint(p.blocks[last], int64(e.Wall-p.wall))
	b = binary.AppendVarint(b, int64(e.CPU-p.cpu))
	p.blocks[last] = binary.AppendUvarint(b, uint64(e.Method)<<2|uint64(e.Action))
	p.thread, p.wall, p.cpu = e.Thread, e.Wall, e.CPU
	p.n++
}

// drop empties p.
func (p *packed) drop(blocks *pool) {
	blocks.put(p.blocks...)
	*p = packed{}
}

// unpacker reads the events of a packed one after the other.
type unpacker struct {
	p     *packed
	block int
	at    int // in the block
	event trace.Event
}

func (p *packed) unpack() unpacker {
	return unpacker{p: p, event: trace.Event{Thread: p.thread}}
}

// next returns the next event, of which there has to be one.
func (u *unpacker) next() trace.Event {
	if u.at == len(u.p.blocks[u.block]) {
		u.block, u.at = u.block+1, 0
	}
	b := u.p.blocks[u.block][u.at:]
	wall, n := binary.Varint(b)
	cpu, k := binary.Varint(b[n:])
	word, m := binary.Uvarint(b[n+k:])
	u.at += n + k + m
	e := &u.event
	e.Wall, e.CPU = e.Wall+time.Duration(wall), e.CPU+time.Duration(cpu)
	e.Method, e.Action = trace.MethodID(word>>2), trace.Action(word&3)
	return *e
}
