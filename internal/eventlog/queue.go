package eventlog

import (
	"io"
	"math"
	"time"

	"artifice/trace"
)

// Queue is a sequence of events, first in, first out, in the encoding of packed.go.
//
// [Pool.Queue] returns a queue in memory. It is meant for one thread: the CPU time of an
// event is encoded as the difference to the event before. [NewQueue] returns a queue of
// events of all threads that continues in a temporary file.
type Queue struct {
	pool   *Pool
	blocks [][]byte // in memory; with a file one block, for events that are not in the file
	n      int
	front  position // of the oldest event, in the first block
	last   position // after the latest event
	file   *queueFile
}

// position is a place in a block, with the times of the event before it.
type position struct {
	at        int // bytes
	wall, cpu time.Duration
}

// queueFile is the part of a Queue that continues in a file.
type queueFile struct {
	buffer *DiskBuffer
	cpu    []time.Duration // by thread: of its latest event
}

// fileBuffer is the number of bytes that are added to a file or read from it at a time.
const fileBuffer = 64 << 10

// Queue returns an empty queue that takes its blocks from the pool.
func (p *Pool) Queue() Queue { return Queue{pool: p} }

// NewQueue returns an empty queue that keeps as much in memory as a [DiskBuffer] and the
// rest in a file in dir; "" is os.TempDir.
func NewQueue(dir string) *Queue {
	return &Queue{blocks: [][]byte{make([]byte, 0, fileBuffer)}, file: &queueFile{buffer: NewDiskBuffer(dir)}}
}

// Len returns the number of events.
func (q *Queue) Len() int { return q.n }

// Add appends an event. It fails only if the file cannot be written.
func (q *Queue) Add(e *trace.Event) error {
	last := len(q.blocks) - 1
	if last < 0 || len(q.blocks[last])+longBytes > cap(q.blocks[last]) {
		if err := q.grow(); err != nil {
			return err
		}
		last = len(q.blocks) - 1
	}
	cpu := &q.last.cpu
	if q.file != nil {
		cpu = q.file.latest(e.Thread)
	}
	q.blocks[last] = appendPacked(q.blocks[last], e, q.last.wall, e.Wall, e.CPU-*cpu)
	q.last.wall, *cpu = e.Wall, e.CPU
	q.n++
	return nil
}

// grow makes the last block an empty one.
func (q *Queue) grow() error {
	if q.file != nil {
		return q.flush()
	}
	q.blocks = append(q.blocks, q.pool.get())
	return nil
}

// flush moves the block to the file.
func (q *Queue) flush() error {
	_, err := q.file.buffer.Write(q.blocks[0])
	q.blocks[0] = q.blocks[0][:0]
	return err
}

// latest returns the CPU time of a thread's latest event.
func (f *queueFile) latest(id trace.ThreadID) *time.Duration {
	for int(id) >= len(f.cpu) {
		f.cpu = append(f.cpu, 0)
	}
	return &f.cpu[id]
}

// Take moves the oldest events of a queue in memory to dst, up to its length, and returns
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

// unpack decodes events of a block of a queue in memory and returns their number.
func (p *position) unpack(dst []trace.Event, block []byte) int {
	n, used := unpack(dst, block[p.at:], 1, p.wall, math.MaxInt64)
	p.at += used
	for i := range dst[:n] {
		p.cpu += dst[i].CPU
		p.wall, dst[i].CPU = dst[i].Wall, p.cpu
	}
	return n
}

// Drop removes all events of a queue in memory.
func (q *Queue) Drop() {
	q.pool.put(q.blocks...)
	*q = Queue{pool: q.pool}
}

// Cursor reads the events of a queue in memory without removing them. It is valid until
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

// Reader returns a reader of all events of a queue with a file, which ends with the error
// end. Nothing can be added any more; another Reader begins with the first event again.
func (q *Queue) Reader(end error) (trace.Reader, error) {
	if err := q.flush(); err != nil {
		return nil, err
	}
	f := q.file
	return &queueReader{in: f.buffer.Reader(), window: make([]byte, fileBuffer), cpu: make([]time.Duration, len(f.cpu)), end: end}, nil
}

// Close removes the file.
func (q *Queue) Close() error {
	q.blocks = nil
	return q.file.buffer.Close()
}

// queueReader reads a queue with a file.
type queueReader struct {
	in     io.Reader
	window []byte
	data   []byte // part of window: not decoded yet
	wall   time.Duration
	cpu    []time.Duration // by thread: of its latest event
	err    error           // of in
	end    error
}

// ReadEvents implements [trace.Reader].
func (r *queueReader) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) {
		if len(r.data) < longBytes && r.err == nil {
			r.fill()
		}
		least, next := longBytes, p[n:] // data may end within an event
		if len(r.data) < longBytes {
			if len(r.data) < packedBytes(r.data) {
				break
			}
			least, next = 1, p[n:n+1]
		}
		k, used := unpack(next, r.data, least, r.wall, math.MaxInt64)
		n, r.data, r.wall = n+k, r.data[used:], p[n+k-1].Wall
	}
	sumCPU(p[:n], r.cpu)
	switch {
	case n > 0 || len(p) == 0:
		return n, nil
	case r.err != io.EOF:
		return 0, r.err
	case len(r.data) > 0: // the file is truncated
		return 0, io.ErrUnexpectedEOF
	}
	return 0, r.end
}

// fill reads on after the data that are not decoded yet.
func (r *queueReader) fill() {
	n := copy(r.window, r.data)
	var more int
	more, r.err = io.ReadFull(r.in, r.window[n:])
	if r.err == io.ErrUnexpectedEOF {
		r.err = io.EOF
	}
	r.data = r.window[:n+more]
}
