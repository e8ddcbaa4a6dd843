package eventlog

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// An entry of a run is 12 bytes as a rule, since there its place is its wall time,
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
	cpuBits    = 29
)

// appendToRun encodes events behind b, as many as have room whatever their length, and
// returns how many that were; seq is the number in order of the first.
func (c *coder) appendToRun(b []byte, events []trace.Event, seq uint64) ([]byte, int) {
	for i := range events {
		if len(b)+longBytes > cap(b) {
			return b, i
		}
		e := &events[i]
		wall, cpu, skipped := uint64(e.Wall-c.wall), zigzag(e.CPU), seq-c.seq-1
		c.wall, c.seq = e.Wall, seq
		seq++
		if wall>>walkBits|cpu>>cpuBits|skipped>>skipBits|uint64(e.Method)>>methodBits|uint64(e.Action)>>2|uint64(e.Site) != 0 {
			b = appendLong(b, e, c.seq)
			continue
		}
		n := len(b)
		b = b[:n+briefBytes]
		p := (*[briefBytes]byte)(b[n:])
		binary.LittleEndian.PutUint64(p[:], 1|uint64(e.Action)<<1|uint64(e.Thread)<<3|uint64(e.Method)<<19|wall<<41)
		binary.LittleEndian.PutUint32(p[8:], uint32(skipped|cpu<<skipBits))
	}
	return b, len(events)
}

func appendLong(b []byte, e *trace.Event, seq uint64) []byte {
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.Wall))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.CPU))
	b = binary.LittleEndian.AppendUint64(b, seq)
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Method))
	b = binary.LittleEndian.AppendUint16(b, uint16(e.Thread))
	return append(b, byte(e.Action), byte(e.Site))
}

// run decodes entries of a run that come before until, as far as they are brief,
// and returns how many these are and how many bytes they have. c has the place and
// the number in order of the last one then.
func (c *coder) run(b []byte, p []trace.Event, until head) (n, used int) {
	wall, seq := c.wall, c.seq
	for n < len(p) && len(b) >= briefBytes && b[0] != 0 {
		entry := (*[briefBytes]byte)(b)
		word, more := binary.LittleEndian.Uint64(entry[:]), uint64(binary.LittleEndian.Uint32(entry[8:]))
		at, number := wall+time.Duration(word>>41), seq+more&(1<<skipBits-1)+1
		if (head{order(at), number}).before(until) == 0 {
			break
		}
		wall, seq = at, number
		p[n].Wall = wall
		unpack(&p[n], word, more)
		b = b[briefBytes:]
		n++
	}
	c.wall, c.at, c.seq = wall, wall, seq
	return n, n * briefBytes
}

// unpack sets all of e that the two parts of a brief entry have but its wall time.
func unpack(e *trace.Event, word, more uint64) {
	e.CPU = unzigzag(more >> skipBits)
	e.Method = trace.MethodID(word >> 19 & (1<<methodBits - 1))
	e.Thread, e.Action, e.Site = trace.ThreadID(word>>3), trace.Action(word>>1&3), 0
}

// runEntry decodes an entry of a run, whose place and number in order c has then,
// and returns how many bytes it has.
func (c *coder) runEntry(b []byte, e *trace.Event) int {
	if b[0] == 0 {
		return c.long(b, e)
	}
	word, more := binary.LittleEndian.Uint64(b), uint64(binary.LittleEndian.Uint32(b[8:]))
	c.wall += time.Duration(word >> 41)
	c.at = c.wall
	c.seq += more&(1<<skipBits-1) + 1
	e.Wall = c.wall
	unpack(e, word, more)
	return briefBytes
}

// long is runEntry for an entry that is not brief.
func (c *coder) long(b []byte, e *trace.Event) int {
	b = b[1:longBytes]
	c.wall = time.Duration(binary.LittleEndian.Uint64(b))
	c.at, c.seq = c.wall, binary.LittleEndian.Uint64(b[16:])
	*e = trace.Event{Wall: c.wall, CPU: time.Duration(binary.LittleEndian.Uint64(b[8:])),
		Method: trace.MethodID(binary.LittleEndian.Uint32(b[24:])), Thread: trace.ThreadID(binary.LittleEndian.Uint16(b[28:])),
		Action: trace.Action(b[30]), Site: trace.Site(b[31])}
	return longBytes
}
