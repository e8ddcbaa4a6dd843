package eventlog

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// quickCoder encodes the entries of a [Sorter]: a difference has four bytes, or
// else the entry is written in full.
//
// A thread that is late has each of its events go through a Sorter, mostly without
// getting to the file. Variable lengths would save half the memory, and cost 25 to
// 50 ns more of the 100 to 220 that recording an event takes (BenchmarkRecord of
// package instrument).
type quickCoder coder

// Bytes of an entry: action and wide, site, method, and four differences, or what
// they are differences of.
const (
	quickHead  = 1 + 1 + 4
	quickBytes = quickHead + 4*4
	wideBytes  = quickHead + 4*8
	wide       = 1 << 3
)

// append adds an entry to b, which has the capacity.
func (c *quickCoder) append(b []byte, e *Entry) []byte {
	v := &e.Event
	wall, cpu, at, seq := v.Wall-c.wall, v.CPU-c.cpu, e.At-c.at, e.Seq-c.seq
	*c = quickCoder{v.Wall, v.CPU, e.At, e.Seq}
	n := len(b)
	if !fits(wall) || !fits(cpu) || !fits(at) || seq>>32 != 0 {
		p := b[n : n+wideBytes]
		p[0], p[1] = byte(v.Action)|wide, byte(v.Site)
		binary.LittleEndian.PutUint32(p[2:], uint32(v.Method))
		binary.LittleEndian.PutUint64(p[6:], uint64(v.Wall))
		binary.LittleEndian.PutUint64(p[14:], uint64(v.CPU))
		binary.LittleEndian.PutUint64(p[22:], uint64(e.At))
		binary.LittleEndian.PutUint64(p[30:], e.Seq)
		return b[:n+wideBytes]
	}
	p := b[n : n+quickBytes]
	p[0], p[1] = byte(v.Action), byte(v.Site)
	binary.LittleEndian.PutUint32(p[2:], uint32(v.Method))
	binary.LittleEndian.PutUint32(p[6:], uint32(wall))
	binary.LittleEndian.PutUint32(p[10:], uint32(cpu))
	binary.LittleEndian.PutUint32(p[14:], uint32(at))
	binary.LittleEndian.PutUint32(p[18:], uint32(seq))
	return b[:n+quickBytes]
}

func fits(d time.Duration) bool { return d == time.Duration(int32(d)) }

// entry decodes an entry but for its event's thread, and returns how many bytes
// it has.
func (c *quickCoder) entry(b []byte, e *Entry) (n int) {
	v := &e.Event
	v.Action, v.Site = trace.Action(b[0]&MaxAction), trace.Site(b[1])
	v.Method = trace.MethodID(binary.LittleEndian.Uint32(b[2:]))
	if b[0]&wide != 0 {
		p := b[:wideBytes]
		c.wall = time.Duration(binary.LittleEndian.Uint64(p[6:]))
		c.cpu = time.Duration(binary.LittleEndian.Uint64(p[14:]))
		c.at = time.Duration(binary.LittleEndian.Uint64(p[22:]))
		c.seq = binary.LittleEndian.Uint64(p[30:])
		n = wideBytes
	} else {
		p := b[:quickBytes]
		c.wall += time.Duration(int32(binary.LittleEndian.Uint32(p[6:])))
		c.cpu += time.Duration(int32(binary.LittleEndian.Uint32(p[10:])))
		c.at += time.Duration(int32(binary.LittleEndian.Uint32(p[14:])))
		c.seq += uint64(binary.LittleEndian.Uint32(p[18:]))
		n = quickBytes
	}
	v.Wall, v.CPU, e.At, e.Seq = c.wall, c.cpu, c.at, c.seq
	return n
}
