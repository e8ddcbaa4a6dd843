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
