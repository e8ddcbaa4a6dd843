package view

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// stamp contains the times of an event.
type stamp struct {
	Main time.Duration // on the clock drawn by the page
	CPU  time.Duration // CPU time of the thread; 0 if unknown
}

// step is the begin or the end of a call.
type step struct {
	stamp
	Method trace.MethodID // for a begin
	End    bool
	Depth  int // open calls of the thread without this one
}

// stepList contains the starts and ends of a thread's calls in time order, packed: some 4 bytes
// each if times are in us. A step is its head, the method of a start shifted by three bits, and the
// time since the previous step on both clocks.
type stepList struct {
	blocks [][]byte // each contains whole steps
	bytes  int      // total size of the blocks
	begins int      // number of calls that begin in the list
	last   stamp    // stamp of the last step
}

// A block of steps has an eighth of the size of all previous blocks, between these bounds.
const (
	minBlock = 64
	maxBlock = 1 << 16
)

// maxStepBytes is the maximum size of a step in bytes.
const maxStepBytes = binary.MaxVarintLen64 * 3

// Bits of a head.
const (
	isEnd = 1 << iota
	mainInUS
	cpuInUS
	headBits = iota
)

// begin adds the begin of a call.
func (p *stepList) begin(now stamp, m trace.MethodID) {
	p.begins++
	p.add(now, uint64(m)<<headBits)
}

// shut adds the end of the innermost open call, or of a call that began before the trace.
func (p *stepList) shut(now stamp) { p.add(now, isEnd) }

func (p *stepList) add(now stamp, head uint64) {
	last := len(p.blocks) - 1
	if last < 0 || cap(p.blocks[last])-len(p.blocks[last]) < maxStepBytes {
		p.blocks = append(p.blocks, make([]byte, 0, min(max(minBlock, p.bytes/8), maxBlock)))
		last++
	}
	main, cpu := now.Main-p.last.Main, now.CPU-p.last.CPU
	p.last = now
	if main%time.Microsecond == 0 {
		main /= time.Microsecond
		head |= mainInUS
	}
	if cpu%time.Microsecond == 0 {
		cpu /= time.Microsecond
		head |= cpuInUS
	}
	b := p.blocks[last]
	before := len(b)
	b = binary.AppendUvarint(b, head)
	b = binary.AppendVarint(b, int64(main))
	b = binary.AppendVarint(b, int64(cpu))
	p.blocks[last], p.bytes = b, p.bytes+len(b)-before
}

// place is a position between two steps.
type place struct {
	blocks, bytes, begins int
	last                  stamp
}

// here returns the position after the last step.
func (p *stepList) here() place { return place{len(p.blocks), p.bytes, p.begins, p.last} }

// cut removes all steps after a position.
func (p *stepList) cut(at place) {
	for len(p.blocks) > at.blocks {
		last := len(p.blocks) - 1
		p.bytes -= len(p.blocks[last])
		p.blocks = p.blocks[:last]
	}
	if last := len(p.blocks) - 1; last >= 0 {
		b := p.blocks[last]
		p.blocks[last] = b[:len(b)-(p.bytes-at.bytes)]
	}
	p.bytes, p.begins, p.last = at.bytes, at.begins, at.last
}

// cursor iterates over steps.
type cursor struct {
	step   // the step returned by the last call of [cursor.Next]
	blocks [][]byte
	data   []byte // the rest of the current block
	open   int
}

// all returns a cursor before the first step.
func (p *stepList) all() cursor { return cursor{blocks: p.blocks} }

// next advances to the next step, and reports whether there is one.
func (c *cursor) next() bool {
	for len(c.data) == 0 {
		if len(c.blocks) == 0 {
			return false
		}
		c.data, c.blocks = c.blocks[0], c.blocks[1:]
	}
	head := c.number()
	c.Main += c.later(head & mainInUS)
	c.CPU += c.later(head & cpuInUS)
	if c.End = head&isEnd != 0; c.End {
		c.open = max(0, c.open-1) // a call that began before the trace has no begin
		c.Depth = c.open
		return true
	}
	c.Method, c.Depth = trace.MethodID(head>>headBits), c.open
	c.open++
	return true
}

// nextBegin advances to the next begin of a call, and reports whether there is one.
func (c *cursor) nextBegin() bool {
	for c.next() {
		if !c.End {
			return true
		}
	}
	return false
}

func (c *cursor) number() uint64 {
	if n := c.data[0]; n < 0x80 {
		c.data = c.data[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(c.data)
	c.data = c.data[size:]
	return n
}

// later decodes a time, which is in µs if that bit of the head is set.
func (c *cursor) later(inUS uint64) time.Duration {
	n := c.number()
	d := time.Duration(n>>1) ^ -time.Duration(n&1) // see binary.AppendVarint
	if inUS != 0 {
		d *= time.Microsecond
	}
	return d
}

// change rewrites every step.
func (p *stepList) change(of func(*step)) {
	var changed stepList
	for c := p.all(); c.next(); {
		s := c.step
		of(&s)
		changed.put(&s)
	}
	*p = changed
}

// put encodes a step.
func (p *stepList) put(s *step) {
	if s.End {
		p.shut(s.stamp)
	} else {
		p.begin(s.stamp, s.Method)
	}
}
