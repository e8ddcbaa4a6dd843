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
	At    time.Duration // time of its place
	Seq   uint64        // orders entries of the same time
}

// MaxAction is the largest action that can be stored. Package trace has fewer: the others
// are for entries that are sorted among events.
const MaxAction = 6

// coder encodes the entries of one thread as differences from the previous one: a head of two
// bytes, then sequence number, wall time, CPU time and method, each in the minimum number of
// bytes, then the call site and the place if the head has their bits set.
//
//	bits 0-2    action
//	bit 3       a call site follows, one byte
//	bit 4       At follows, eight bytes: it is not the latest wall time
//	bits 5-13   bytes of the sequence number, wall and CPU time, less one; three bits each
//	bits 14-15  bytes of the method, less one
//
// The head contains all lengths, so that neither reading nor writing has a branch for each
// byte, as varints do.
type coder struct {
	wall, cpu, at time.Duration
	seq           uint64
	thread        trace.ThreadID
}

// Bits of the head.
const (
	siteFlag    = 1 << 3
	placeFlag   = 1 << 4
	seqWidth    = 5
	wallWidth   = 8
	cpuWidth    = 11
	methodWidth = 14
)

// maxEntryBytes is the maximum size of an encoded entry. Every read and write of an entry
// accesses this number of bytes.
const maxEntryBytes = 2 + 8 + 8 + 8 + 4 + 1 + 8

// width returns the number of bytes of x, less one.
func width(x uint64) int { return (bits.Len64(x|1) - 1) >> 3 }

// masks contains the bits of a number, by width.
var masks = [8]uint64{1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1, 1<<64 - 1}

// append encodes an entry after b, which has the capacity for the longest one.
func (c *coder) append(b []byte, entry *Entry) []byte {
	e := &entry.Event
	seq, wall, cpu := entry.Seq-c.seq, zigzag(e.Wall-c.wall), zigzag(e.CPU-c.cpu)
	usual := max(c.at, e.Wall)
	c.seq, c.wall, c.cpu, c.at = entry.Seq, e.Wall, e.CPU, entry.At
	s, w, u, m := width(seq), width(wall), width(cpu), width(uint64(e.Method))
	head := int(e.Action) | s<<seqWidth | w<<wallWidth | u<<cpuWidth | m<<methodWidth
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
		head |= siteFlag
		p[n] = byte(e.Site)
		n++
	}
	if entry.At != usual {
		head |= placeFlag
		binary.LittleEndian.PutUint64(p[n:], uint64(entry.At))
		n += 8
	}
	binary.LittleEndian.PutUint16(p[len(b):], uint16(head))
	return p[:n]
}

// decode decodes an entry's event, sets c to its place, and returns the number of its bytes.
func (c *coder) decode(b []byte, e *trace.Event) (n int) {
	b = b[:cap(b)]
	head := int(binary.LittleEndian.Uint16(b))
	s, w, u, m := head>>seqWidth&7, head>>wallWidth&7, head>>cpuWidth&7, head>>methodWidth&3
	c.seq += binary.LittleEndian.Uint64(b[2:]) & masks[s]
	n = 2 + s + 1
	wall := binary.LittleEndian.Uint64(b[n:]) & masks[w]
	n += w + 1
	cpu := binary.LittleEndian.Uint64(b[n:]) & masks[u]
	n += u + 1
	method := binary.LittleEndian.Uint32(b[n:]) & uint32(masks[m])
	n += m + 1
	c.wall += unzigzag(wall)
	c.cpu += unzigzag(cpu)
	*e = trace.Event{Wall: c.wall, CPU: c.cpu, Method: trace.MethodID(method), Thread: c.thread, Action: trace.Action(head & 7)}
	if head&siteFlag != 0 {
		e.Site = trace.Site(b[n])
		n++
	}
	c.at = max(c.at, c.wall)
	if head&placeFlag != 0 {
		c.at = time.Duration(binary.LittleEndian.Uint64(b[n:]))
		n += 8
	}
	return n
}

// zigzag maps signed to unsigned numbers so that small absolute values remain small.
func zigzag(d time.Duration) uint64 { return uint64(d<<1 ^ d>>63) }

func unzigzag(x uint64) time.Duration { return time.Duration(x>>1) ^ -time.Duration(x&1) }
