package eventlog

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// Entry is an event with its place in an order.
type Entry struct {
	Event trace.Event
	At    time.Duration // when it has its place
	Seq   uint64        // of two at the same time the lower comes first
}

// coder encodes the events of one thread as differences to the one before: wall
// and CPU time (varints), method, action and flags (uvarint), and the call site
// where there is one. In front of an entry's event stands its Seq (uvarint), and
// behind it its At (varint) where that is not the latest wall time.
type coder struct {
	wall, cpu, at time.Duration
	seq           uint64
}

// MaxAction is the largest action that can be kept: more than package trace has,
// for what is to be sorted among events and is none.
const MaxAction = 7

// Bits of the number with the method.
const (
	sited     = 1 << 3
	placed    = 1 << 4
	wordShift = 5
)

// Most bytes of an encoded event and entry.
const (
	mostEventBytes = 2*binary.MaxVarintLen64 + 6 + 1
	mostEntryBytes = mostEventBytes + 2*binary.MaxVarintLen64
)

func (c *coder) appendEvent(b []byte, e *trace.Event, flags uint64) []byte {
	b = binary.AppendVarint(b, int64(e.Wall-c.wall))
	b = binary.AppendVarint(b, int64(e.CPU-c.cpu))
	c.wall, c.cpu = e.Wall, e.CPU
	flags |= uint64(e.Method)<<wordShift | uint64(e.Action)
	if e.Site == 0 {
		return binary.AppendUvarint(b, flags)
	}
	return append(binary.AppendUvarint(b, flags|sited), byte(e.Site))
}

// event decodes an event but for its thread, and returns how many bytes it has
// and its flags.
func (c *coder) event(b []byte, e *trace.Event) (n int, flags uint64) {
	wall, n := binary.Uvarint(b)
	cpu, k := binary.Uvarint(b[n:])
	n += k
	word, k := binary.Uvarint(b[n:])
	n += k
	e.Wall, e.CPU = c.wall+unzigzag(wall), c.cpu+unzigzag(cpu)
	c.wall, c.cpu = e.Wall, e.CPU
	e.Method, e.Action, e.Site = trace.MethodID(word>>wordShift), trace.Action(word&MaxAction), 0
	if word&sited != 0 {
		e.Site = trace.Site(b[n])
		n++
	}
	return n, word
}

func (c *coder) appendEntry(b []byte, e *Entry) []byte {
	b = binary.AppendUvarint(b, e.Seq-c.seq)
	usual := max(c.at, e.Event.Wall)
	c.seq, c.at = e.Seq, e.At
	if e.At == usual {
		return c.appendEvent(b, &e.Event, 0)
	}
	return binary.AppendVarint(c.appendEvent(b, &e.Event, placed), int64(e.At-usual))
}

// entry decodes an entry but for its event's thread.
func (c *coder) entry(b []byte, e *Entry) (n int) {
	seq, n := uint64(b[0]), 1
	if seq >= 0x80 {
		seq, n = binary.Uvarint(b)
	}
	k, flags := c.event(b[n:], &e.Event)
	n += k
	c.seq, c.at = c.seq+seq, max(c.at, c.wall)
	if flags&placed != 0 {
		more, k := binary.Varint(b[n:])
		n += k
		c.at += time.Duration(more)
	}
	e.Seq, e.At = c.seq, c.at
	return n
}

// unzigzag returns the number that binary.AppendVarint writes as x.
func unzigzag(x uint64) time.Duration { return time.Duration(x>>1) ^ -time.Duration(x&1) }
