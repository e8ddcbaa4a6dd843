package eventlog

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// An entry of a lane is 12 bytes as a rule, since there its place is its wall time,
// which never goes back, and its CPU time is how much more that is than in the event
// before of the same thread, wherever that went:
//
//	u8  bit 0 is 1, 1-2 action, 3-18 thread, 19-40 method, 41-63 ns since the entry before
//	u4  bits 0-2 how many numbers in order are left out, 3-31 CPU time
//
// Packing and unpacking that takes half the time of what [coder] does, which makes each
// number as short as it can be. What does not fit is an entry of 33 bytes: a byte 0,
// u8 wall time, u8 CPU time, u8 number in order, u4 method, u2 thread, action, site.
const (
	briefBytes = 12
	longBytes  = 33

	methodBits = 22
	walkBits   = 23
	skipBits   = 3
	laneCPU    = 29
)

// appendLane encodes e behind b, which has the capacity for the longest one.
func (c *coder) appendLane(b []byte, e *trace.Event, seq uint64) []byte {
	wall, cpu, skipped := uint64(e.Wall-c.wall), zigzag(e.CPU), seq-c.seq-1
	c.wall, c.seq = e.Wall, seq
	n := len(b)
	if wall>>walkBits|cpu>>laneCPU|skipped>>skipBits|uint64(e.Method)>>methodBits|uint64(e.Action)>>2|uint64(e.Site) == 0 {
		b = b[:n+briefBytes]
		binary.LittleEndian.PutUint64(b[n:], 1|uint64(e.Action)<<1|uint64(e.Thread)<<3|uint64(e.Method)<<19|wall<<41)
		binary.LittleEndian.PutUint32(b[n+8:], uint32(skipped|cpu<<skipBits))
		return b
	}
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.Wall))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.CPU))
	b = binary.LittleEndian.AppendUint64(b, seq)
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Method))
	b = binary.LittleEndian.AppendUint16(b, uint16(e.Thread))
	return append(b, byte(e.Action), byte(e.Site))
}

// laneEntry decodes an entry of a lane, whose place and number in order c has then,
// and returns how many bytes it has.
func (c *coder) laneEntry(b []byte, e *trace.Event) int {
	if b[0] == 0 {
		b = b[1:longBytes]
		c.wall = time.Duration(binary.LittleEndian.Uint64(b))
		c.at, c.seq = c.wall, binary.LittleEndian.Uint64(b[16:])
		*e = trace.Event{Wall: c.wall, CPU: time.Duration(binary.LittleEndian.Uint64(b[8:])),
			Method: trace.MethodID(binary.LittleEndian.Uint32(b[24:])), Thread: trace.ThreadID(binary.LittleEndian.Uint16(b[28:])),
			Action: trace.Action(b[30]), Site: trace.Site(b[31])}
		return longBytes
	}
	b = b[:briefBytes]
	head, more := binary.LittleEndian.Uint64(b), uint64(binary.LittleEndian.Uint32(b[8:]))
	c.wall += time.Duration(head >> 41)
	c.at = c.wall
	c.seq += more&(1<<skipBits-1) + 1
	e.Wall, e.CPU = c.wall, unzigzag(more>>skipBits)
	e.Method = trace.MethodID(head >> 19 & (1<<methodBits - 1))
	e.Thread, e.Action, e.Site = trace.ThreadID(head>>3), trace.Action(head>>1&3), 0
	return briefBytes
}
