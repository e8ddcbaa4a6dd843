package eventlog

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// A packed event, in a queue or in a run, has 12 bytes:
//
//	u8  bits 0-2 action plus 1, 3-18 thread, 19-39 method, 40-63 wall time since the previous event
//	u4  CPU time since the previous event of the thread, in any run
//
// Both times are signed: up to 8 ms and 2 s forward or back. An event that exceeds the limits
// has 25 bytes: a zero byte, u8 wall time, u8 CPU time since the event before in the thread, u4
// method, u2 thread, action, site.
//
// Packing and unpacking takes half the time of [coder], which makes each number as short as
// possible.
const (
	briefBytes = 12
	longBytes  = 25

	actionBits = 3
	methodBits = 21
	wallBits   = 24
	cpuBits    = 32

	threadShift = actionBits
	methodShift = threadShift + 16
	wallShift   = methodShift + methodBits
)

// brief returns the first 8 bytes of an event of 12 bytes; wall and cpu are differences. It
// returns false if they exceed 8 bytes.
func brief(e *trace.Event, wall, cpu time.Duration) (word uint64, ok bool) {
	return uint64(e.Action) + 1 | uint64(e.Thread)<<threadShift | uint64(e.Method)<<methodShift | uint64(wall)<<wallShift,
		uint64(wall+1<<(wallBits-1))>>wallBits|uint64(cpu+1<<(cpuBits-1))>>cpuBits|uint64(e.Method)>>methodBits|uint64(e.Site) == 0
}

// appendPacked encodes any event with the given wall time, which may differ from the event's own.
// before is the wall time of the previous event; cpu is a difference.
func appendPacked(b []byte, e *trace.Event, before, wall, cpu time.Duration) []byte {
	if word, ok := brief(e, wall-before, cpu); ok {
		b = binary.LittleEndian.AppendUint64(b, word)
		return binary.LittleEndian.AppendUint32(b, uint32(cpu))
	}
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(wall))
	b = binary.LittleEndian.AppendUint64(b, uint64(cpu))
	b = binary.LittleEndian.AppendUint32(b, uint32(e.Method))
	b = binary.LittleEndian.AppendUint16(b, uint16(e.Thread))
	return append(b, byte(e.Action), byte(e.Site))
}

// unpack decodes events that are not later than until, as long as p has room and b has at least
// least bytes. wall is the time of the previous event. The CPU times of the results are
// differences. unpack returns the number of events and the number of their bytes.
func unpack(p []trace.Event, b []byte, least int, wall, until time.Duration) (n, used int) {
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
		at := wall + time.Duration(int64(word)>>wallShift)
		if at > until {
			break
		}
		wall = at
		used += briefBytes
		n++
		e.Wall, e.CPU = wall, time.Duration(int32(cpu))
		e.Method = trace.MethodID(word >> methodShift & (1<<methodBits - 1))
		e.Thread, e.Action, e.Site = trace.ThreadID(word>>threadShift), trace.Action(word&(1<<actionBits-1)-1), 0
	}
	return n, used
}

// unpackLong decodes an event of 25 bytes.
func unpackLong(e *trace.Event, b []byte) {
	b = b[1:longBytes]
	*e = trace.Event{Wall: time.Duration(binary.LittleEndian.Uint64(b)), CPU: time.Duration(binary.LittleEndian.Uint64(b[8:])),
		Method: trace.MethodID(binary.LittleEndian.Uint32(b[16:])), Thread: trace.ThreadID(binary.LittleEndian.Uint16(b[20:])),
		Action: trace.Action(b[22]), Site: trace.Site(b[23])}
}

// sumCPU replaces the CPU times of unpacked events, which are differences, by their sums;
// cpu has the latest of each thread.
func sumCPU(p []trace.Event, cpu []time.Duration) {
	for i := range p {
		latest := &cpu[p[i].Thread]
		*latest += p[i].CPU
		p[i].CPU = *latest
	}
}
