package bench

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// queue holds events of one thread, oldest first, in a few bytes each: what a
// tracer's thread buffer holds can be hundreds of thousands of them. Of an event
// it keeps wall time, method and action. The zero value is empty.
type queue struct {
	blocks [][]byte
	at     int // of the oldest event, in the first block
	n      int
	last   time.Duration // wall time of the latest event put in
	taken  time.Duration // wall time of the latest event taken
}

const (
	queueBlock = 4 << 10
	queueMost  = 2 * binary.MaxVarintLen64 // bytes of an event
)

// blockPool is blocks to be used again, by all queues.
type blockPool struct{ free [][]byte }

func (p *blockPool) get() []byte {
	n := len(p.free)
	if n == 0 {
		return make([]byte, 0, queueBlock)
	}
	b := p.free[n-1]
	p.free = p.free[:n-1]
	return b[:0]
}

// put adds an event at the end.
func (q *queue) put(e *trace.Event, blocks *blockPool) {
	last := len(q.blocks) - 1
	if last < 0 || len(q.blocks[last])+queueMost > queueBlock {
		q.blocks = append(q.blocks, blocks.get())
		last++
	}
	b := binary.AppendVarint(q.blocks[last], int64(e.Wall-q.last))
	q.blocks[last] = binary.AppendUvarint(b, uint64(e.Method)<<8|uint64(e.Action))
	q.last = e.Wall
	q.n++
}

// take removes the oldest event, of which there has to be one.
func (q *queue) take(blocks *blockPool) trace.Event {
	s := q.scan()
	e := s.next()
	q.n--
	q.at, q.taken = s.at, s.wall
	if q.at == len(q.blocks[0]) {
		blocks.free = append(blocks.free, q.blocks[0])
		q.blocks, q.at = q.blocks[1:], 0
	}
	return e
}

// find returns how many events are in front of the first one that does to the
// stack what e does.
func (q *queue) find(e *trace.Event) (n int, ok bool) {
	s := q.scan()
	for n := range q.n {
		if held := s.next(); held.Method == e.Method && (held.Action == trace.Enter) == (e.Action == trace.Enter) {
			return n, true
		}
	}
	return 0, false
}

// scan returns a reader of the events that are in q.
func (q *queue) scan() queueScan { return queueScan{q: q, at: q.at, wall: q.taken} }

// queueScan is a place in a queue.
type queueScan struct {
	q         *queue
	block, at int
	wall      time.Duration // of the event before
}

// next returns the next event, of which there has to be one.
func (s *queueScan) next() trace.Event {
	if s.at == len(s.q.blocks[s.block]) {
		s.block, s.at = s.block+1, 0
	}
	b := s.q.blocks[s.block][s.at:]
	wall, n := binary.Varint(b)
	word, k := binary.Uvarint(b[n:])
	s.at += n + k
	s.wall += time.Duration(wall)
	return trace.Event{Wall: s.wall, Method: trace.MethodID(word >> 8), Action: trace.Action(word)}
}
