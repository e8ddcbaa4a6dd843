package reader

import (
	"encoding/binary"
	"slices"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// plainBytes is how many bytes there have to be for a record to be plain: each of its
// three numbers is read as eight, whatever its length.
const plainBytes = 3 * 8

// plain reads records of the block as window does, as many as are plain, and returns
// how many these are and how many bytes they have. It stops at whatever is not, for
// decode and event: a number that has more than eight bytes or more than it needs, a
// method not met before, an exit without its call, a time or action that cannot be.
// How long a number is and which action comes next cannot be foretold, so that there is
// no branch on either.
func (v *v2) plain(p []trace.Event, raw []byte) (n, used int) {
	p = p[:min(int64(len(p)), max(0, maxPiece-1-v.block.piece))]
	if v.gen == dmformat.V2of17 {
		n, used = v.plain17(p, raw)
	} else {
		n, used = v.plain16(p, raw)
	}
	v.block.events += int64(n)
	v.block.piece += int64(n)
	return n, used
}

// plain16 is plain for a V2of15 or V2of16 record: method with its action, and times.
func (v *v2) plain16(p []trace.Event, raw []byte) (n, used int) {
	b, th := &v.block, v.block.thread
	two, wraps := v.header.Clocks == 2, v.gen == dmformat.V2of15
	for n < len(p) && len(raw)-used >= plainBytes {
		first, size := dmformat.ShortSLEB(binary.LittleEndian.Uint64(raw[used:]))
		wall, k := dmformat.ShortULEB(binary.LittleEndian.Uint64(raw[used+size:]))
		cpu, l := uint64(0), 0
		if two {
			if cpu, l = dmformat.ShortULEB(binary.LittleEndian.Uint64(raw[used+size+k:])); l == 0 {
				break
			}
		}
		if size == 0 || k == 0 || wraps && (wall|cpu)>>32 != 0 {
			break
		}
		method := b.method + uint64(first)
		wall, cpu = b.wall+wall, b.cpu+cpu
		id, known := v.methods.find(method &^ dmformat.ActionMask)
		e := &p[n]
		e.Method, e.Thread, e.Action, e.Site = id, th.id, trace.Action(method&dmformat.ActionMask), 0
		if !known || e.Action > trace.Unwind || int64(wall|cpu) < 0 {
			break
		}
		b.method, b.wall, b.cpu = method, wall, cpu
		if wraps {
			w, c := th.times.next(shown(uint32(wall), uint32(cpu)))
			wall, cpu = uint64(w), uint64(c)
		}
		v.setTimes(e, wall, cpu)
		used += size + k + l
		n++
	}
	return n, used
}

// plain17 is plain for a V2of17 record: wall time with the action, CPU time, and the
// method of an enter. The calls that are open are behind the end of the stack's slice,
// which is put right at the end.
func (v *v2) plain17(p []trace.Event, raw []byte) (n, used int) {
	b, th := &v.block, v.block.thread
	two, counter := v.header.Clocks == 2, v.header.Frequency != 0
	th.stack = slices.Grow(th.stack, 64) // room for enters before it has to grow again
	stack, depth := th.stack[:cap(th.stack)], len(th.stack)
	for n < len(p) && len(raw)-used >= plainBytes && uint(depth) < uint(len(stack)) {
		first, size := dmformat.ShortSLEB(binary.LittleEndian.Uint64(raw[used:]))
		more, l := int64(0), 0
		if two {
			if more, l = dmformat.ShortSLEB(binary.LittleEndian.Uint64(raw[used+size:])); l == 0 {
				break
			}
		}
		third, k := dmformat.ShortSLEB(binary.LittleEndian.Uint64(raw[used+size+l:]))
		word, cpu := b.wall+uint64(first), b.cpu+uint64(more)
		action := trace.Action(word & dmformat.ActionMask)
		enters := (int64(action) - 1) >> 63 // all bits of an enter, none of an exit
		method := b.method + uint64(third&enters)
		id, known := v.methods.find(method)
		open := stack[max(depth-1, 0)]
		exits := trace.MethodID(^enters)
		if size == 0 || action > trace.Unwind || int64(cpu) < 0 || enters == 0 && depth == 0 || enters != 0 && (k == 0 || !known) {
			break
		}
		wall := word >> 2
		if counter {
			t, ok := v.nanoseconds(wall)
			if !ok {
				break
			}
			wall = uint64(t)
		}
		b.method, b.wall, b.cpu = method, word, cpu
		stack[depth] = id
		depth += 1 + 2*int(^enters) // one more, or one fewer
		e := &p[n]
		e.Method, e.Thread, e.Action, e.Site = id&^exits|open&exits, th.id, action, 0
		v.setTimes(e, wall, cpu)
		used += size + l + k&int(enters)
		n++
	}
	th.stack = stack[:depth]
	return n, used
}

// setTimes sets e's times from those of a record in ns: wall is the one clock's where
// there is one.
func (v *v2) setTimes(e *trace.Event, wall, cpu uint64) {
	if e.Wall, e.CPU = time.Duration(wall), 0; v.clock == trace.Dual {
		e.CPU = time.Duration(cpu)
	} else if v.clock == trace.ThreadCPU {
		e.Wall, e.CPU = 0, time.Duration(wall)
	}
}
