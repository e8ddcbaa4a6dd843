package eventlog

import (
	"encoding/binary"
	"math/bits"
	"time"

	"artifice/trace"
)

// Entry is an event with its place in an order.
type Entry struct {
	Event trace.Event
	At    time.Duration // when it has its place
	Seq   uint64        // of two at the same time the lower comes first
}

// coder encodes the events of one thread as differences to the one before: a head
// of two bytes, then the number in order, wall time, CPU time and method, each in as
// few bytes as it needs, then the call site and the place where the head says so.
//
//	bits 0-2    action
//	bit 3       a call site follows, one byte
//	bit 4       At follows, eight bytes: it is not the latest wall time
//	bits 5-13   bytes of the number in order, wall and CPU time, less one; three bits each
//	bits 14-15  bytes of the method, less one
//
// All lengths stand in the head, so that neither reading nor writing has a branch
// for each byte, as with varints.
type coder struct {
	wall, cpu, at time.Duration
	seq           uint64
	thread        trace.ThreadID
}

// MaxAction is the largest action that can be kept: more than package trace has,
// for what is to be sorted among events and is none.
const MaxAction = 7

// Bits of the head.
const (
	sited       = 1 << 3
	placed      = 1 << 4
	seqShift    = 5
	wallShift   = 8
	cpuShift    = 11
	methodShift = 14
)

// Most bytes of an encoded event and entry. As many can be read and written where
// one begins, whatever its length.
const (
	mostEventBytes = 2 + 1 + 8 + 8 + 4 + 1 // it has no number in order
	mostEntryBytes = mostEventBytes + 7 + 8
)

// width returns what the head has for a number: its bytes less one.
func width(x uint64) int { return (bits.Len64(x|1) - 1) >> 3 }

// numbers has by width which bits a number of it has.
var numbers = [8]uint64{1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1, 1<<64 - 1}

// appendEvent encodes e behind b, which has the capacity for the longest one.
func (c *coder) appendEvent(b []byte, e *trace.Event) []byte {
	return c.append(b, e, 0, 0)
}

// append encodes e with the difference of its number in order and with flags.
func (c *coder) append(b []byte, e *trace.Event, seq uint64, flags int) []byte {
	wall, cpu := zigzag(e.Wall-c.wall), zigzag(e.CPU-c.cpu)
	c.wall, c.cpu = e.Wall, e.CPU
	s, w, u, m := width(seq), width(wall), width(cpu), width(uint64(e.Method))
	flags |= int(e.Action) | s<<seqShift | w<<wallShift | u<<cpuShift | m<<methodShift
	n := len(b)
	p := b[:cap(b)]
	binary.LittleEndian.PutUint64(p[n+2:], seq)
	n += s + 1
	binary.LittleEndian.PutUint64(p[n+2:], wall)
	n += w + 1
	binary.LittleEndian.PutUint64(p[n+2:], cpu)
	n += u + 1
	binary.LittleEndian.PutUint32(p[n+2:], uint32(e.Method))
	n += 2 + m + 1
	if e.Site != 0 {
		flags |= sited
		p[n] = byte(e.Site)
		n++
	}
	binary.LittleEndian.PutUint16(p[len(b):], uint16(flags))
	return p[:n]
}

// event decodes an event but for its thread, and returns how many bytes it has,
// its head, and the difference of its number in order.
func (c *coder) event(b []byte, e *trace.Event) (n, head int, seq uint64) {
	b = b[:cap(b)]
	head = int(binary.LittleEndian.Uint16(b))
	s, w, u, m := head>>seqShift&7, head>>wallShift&7, head>>cpuShift&7, head>>methodShift&3
	seq = binary.LittleEndian.Uint64(b[2:]) & numbers[s]
	n = 2 + s + 1
	wall := binary.LittleEndian.Uint64(b[n:]) & numbers[w]
	n += w + 1
	cpu := binary.LittleEndian.Uint64(b[n:]) & numbers[u]
	n += u + 1
	method := binary.LittleEndian.Uint32(b[n:]) & uint32(numbers[m])
	n += m + 1
	c.wall += unzigzag(wall)
	c.cpu += unzigzag(cpu)
	e.Wall, e.CPU = c.wall, c.cpu
	e.Method, e.Action, e.Site = trace.MethodID(method), trace.Action(head&MaxAction), 0
	if head&sited != 0 {
		e.Site = trace.Site(b[n])
		n++
	}
	return n, head, seq
}

// appendEntry encodes e behind b, which has the capacity for the longest one.
func (c *coder) appendEntry(b []byte, e *Entry) []byte {
	usual, seq := max(c.at, e.Event.Wall), e.Seq-c.seq
	c.seq, c.at = e.Seq, e.At
	if e.At == usual {
		return c.append(b, &e.Event, seq, 0)
	}
	return binary.LittleEndian.AppendUint64(c.append(b, &e.Event, seq, placed), uint64(e.At))
}

// entry decodes an entry, whose place and number in order c has then, and returns how
// many bytes it has.
func (c *coder) entry(b []byte, e *trace.Event) int {
	n, head, seq := c.event(b, e)
	e.Thread = c.thread
	c.seq += seq
	c.at = max(c.at, c.wall)
	if head&placed != 0 {
		c.at = time.Duration(binary.LittleEndian.Uint64(b[n:]))
		n += 8
	}
	return n
}

// zigzag returns a number that is small where d is, whatever its sign.
func zigzag(d time.Duration) uint64 { return uint64(d<<1 ^ d>>63) }

func unzigzag(x uint64) time.Duration { return time.Duration(x>>1) ^ -time.Duration(x&1) }

// An entry of a run is 12 bytes as a rule, since there its place is its wall time,
// which never goes back, and its CPU time is how much more that is than in the event
// before of the same thread, wherever that went:
//
//	u8  bit 0 is 1, 1-2 action, 3-18 thread, 19-40 method, 41-63 ns since the entry before
//	u4  CPU time
//
// Packing and unpacking that takes half the time of what [coder] does, which makes each
// number as short as it can be. What does not fit is an entry of 25 bytes: a byte 0,
// u8 wall time, u8 CPU time, u4 method, u2 thread, action, site.
const (
	briefBytes = 12
	longBytes  = 25

	methodBits = 22
	walkBits   = 23
	cpuBits    = 32
)

// brief encodes e for a brief entry, where the entry before is that much earlier. It
// reports false where e does not fit.
func brief(e *trace.Event, walk time.Duration, cpu uint64) (word uint64, ok bool) {
	return 1 | uint64(e.Action)<<1 | uint64(e.Thread)<<3 | uint64(e.Method)<<19 | uint64(walk)<<41,
		uint64(walk)>>walkBits|cpu>>cpuBits|uint64(e.Method)>>methodBits|uint64(e.Action)>>2|uint64(e.Site) == 0
}

// appendToRun encodes e, whatever it is, behind b, at a wall time that may not be its own.
func appendToRun(b []byte, e *trace.Event, before, wall time.Duration, cpu uint64) []byte {
	if word, ok := brief(e, wall-before, cpu); ok {
		b = binary.LittleEndian.AppendUint64(b, word)
		return binary.LittleEndian.AppendUint32(b, uint32(cpu))
	}
	return appendLong(b, e, wall, unzigzag(cpu))
}

// appendLong encodes any event behind b, with other times.
func appendLong(b []byte, e *trace.Event, wall, cpu time.Duration) []byte {
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(wall))
	b = binary.LittleEndian.AppendUint64(b, uint64(cpu))
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Method))
	b = binary.LittleEndian.AppendUint16(b, uint16(e.Thread))
	return append(b, byte(e.Action), byte(e.Site))
}

// unpackRun decodes entries of a run that are no later than until, as many as b has and p
// has room for, as long as b has at least so many bytes; wall is when the entry before is. It
// returns how many entries these are, and how many bytes they have.
func unpackRun(p []trace.Event, b []byte, least int, wall, until time.Duration) (n, used int) {
	for n < len(p) && len(b)-used >= least {
		e := &p[n]
		if b[used] == 0 {
			if unpackLong(e, b[used:]); e.Wall > until {
				break
			}
			wall = e.Wall
			used += longBytes
			n++
			continue
		}
		entry := (*[briefBytes]byte)(b[used:])
		word, cpu := binary.LittleEndian.Uint64(entry[:]), binary.LittleEndian.Uint32(entry[8:])
		at := wall + time.Duration(word>>41)
		if at > until {
			break
		}
		wall = at
		used += briefBytes
		n++
		e.Wall, e.CPU = wall, unzigzag(uint64(cpu))
		e.Method = trace.MethodID(word >> 19 & (1<<methodBits - 1))
		e.Thread, e.Action, e.Site = trace.ThreadID(word>>3), trace.Action(word>>1&3), 0
	}
	return n, used
}

// unpackLong decodes what appendLong encoded.
func unpackLong(e *trace.Event, b []byte) {
	b = b[1:longBytes]
	*e = trace.Event{Wall: time.Duration(binary.LittleEndian.Uint64(b)), CPU: time.Duration(binary.LittleEndian.Uint64(b[8:])),
		Method: trace.MethodID(binary.LittleEndian.Uint32(b[16:])), Thread: trace.ThreadID(binary.LittleEndian.Uint16(b[20:])),
		Action: trace.Action(b[22]), Site: trace.Site(b[23])}
}
