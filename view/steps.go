// Package steps keeps the begins and ends of a thread's calls in little memory: some 4 bytes
// each where times are in us.
package view

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// Stamp is the times of an event.
type Stamp struct {
	Main time.Duration // on the clock that the page draws
	CPU  time.Duration // of the thread; 0 where it is not known
}

// Step is the begin or the end of a call.
type Step struct {
	Stamp
	Method trace.MethodID // of a begin
	End    bool
	Depth  int // open calls of the thread without this one
}

// List are the begins and the ends of a thread's calls in the order in which they
// happened, packed: some 4 bytes each where times are in us. A step is its head, the method
// of a begin behind three bits, and how much later than the step before it is on both clocks.
type List struct {
	blocks [][]byte // with whole steps each
	bytes  int      // in all blocks
	Begins int      // calls that begin in it
	Last   Stamp    // of the last step
}

// Blocks of steps have an eighth of what was there before, between these bounds.
const (
	leastBlock = 64
	mostBlock  = 1 << 16
)

// mostStepBytes is how many bytes a step has at most.
const mostStepBytes = binary.MaxVarintLen64 * 3

// The bits of a head.
const (
	isEnd = 1 << iota
	mainInUS
	cpuInUS
	headBits = iota
)

// Cap returns how many bytes of memory the steps take.
func (p *List) Cap() (sum int) {
	for _, b := range p.blocks {
		sum += cap(b)
	}
	return sum
}

// Begin adds the begin of a call.
func (p *List) Begin(now Stamp, m trace.MethodID) {
	p.Begins++
	p.add(now, uint64(m)<<headBits)
}

// Shut adds the end of the innermost open call, or of one that began before the trace.
func (p *List) Shut(now Stamp) { p.add(now, isEnd) }

func (p *List) add(now Stamp, head uint64) {
	last := len(p.blocks) - 1
	if last < 0 || cap(p.blocks[last])-len(p.blocks[last]) < mostStepBytes {
		p.blocks = append(p.blocks, make([]byte, 0, min(max(leastBlock, p.bytes/8), mostBlock)))
		last++
	}
	main, cpu := now.Main-p.Last.Main, now.CPU-p.Last.CPU
	p.Last = now
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

// Place is a place between two steps.
type Place struct {
	blocks, bytes, begins int
	last                  Stamp
}

// Here returns the place behind the last step.
func (p *List) Here() Place { return Place{len(p.blocks), p.bytes, p.Begins, p.Last} }

// Cut removes all steps behind a place.
func (p *List) Cut(at Place) {
	for len(p.blocks) > at.blocks {
		last := len(p.blocks) - 1
		p.bytes -= len(p.blocks[last])
		p.blocks = p.blocks[:last]
	}
	if last := len(p.blocks) - 1; last >= 0 {
		b := p.blocks[last]
		p.blocks[last] = b[:len(b)-(p.bytes-at.bytes)]
	}
	p.bytes, p.Begins, p.Last = at.bytes, at.begins, at.last
}

// Cursor goes through steps.
type Cursor struct {
	Step   // the last one that [Cursor.Next] came to
	blocks [][]byte
	data   []byte // what is left of the block before them
	open   int
}

// All returns a cursor before the first step.
func (p *List) All() Cursor { return Cursor{blocks: p.blocks} }

// Next goes to the next step, and reports whether there is one.
func (c *Cursor) Next() bool {
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
		c.open = max(0, c.open-1) // of a call that began before the trace there is no begin
		c.Depth = c.open
		return true
	}
	c.Method, c.Depth = trace.MethodID(head>>headBits), c.open
	c.open++
	return true
}

// NextBegin goes to the next begin of a call, and reports whether there is one.
func (c *Cursor) NextBegin() bool {
	for c.Next() {
		if !c.End {
			return true
		}
	}
	return false
}

func (c *Cursor) number() uint64 {
	if n := c.data[0]; n < 0x80 {
		c.data = c.data[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(c.data)
	c.data = c.data[size:]
	return n
}

// later reads a time, which is in us if that bit of the head is set.
func (c *Cursor) later(inUS uint64) time.Duration {
	n := c.number()
	d := time.Duration(n>>1) ^ -time.Duration(n&1) // see binary.AppendVarint
	if inUS != 0 {
		d *= time.Microsecond
	}
	return d
}

// Change rewrites every step.
func (p *List) Change(of func(*Step)) {
	var changed List
	for c := p.All(); c.Next(); {
		s := c.Step
		of(&s)
		changed.Put(&s)
	}
	*p = changed
}

// Put adds a step.
func (p *List) Put(s *Step) {
	if s.End {
		p.Shut(s.Stamp)
	} else {
		p.Begin(s.Stamp, s.Method)
	}
}
