package reader

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

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
	b, id, all, at := &v.block, v.block.thread.id, len(p), uint(0)
	two, oneCPU := v.header.Clocks == 2, v.clock == trace.ThreadCPU
	slots, shift := v.methods.slots, v.methods.shift&63
	unit, out, zero := v.units()
	word, wall, cpu := b.method, b.wall, b.cpu
	for len(p) > 1 && at+maxRecord < uint(len(raw)) {
		next := (*[24]byte)(raw[at : at+24 : at+24])
		first := binary.LittleEndian.Uint64(next[:])
		sizes := dmformat.LengthsOf(first, binary.LittleEndian.Uint32(next[8:]))
		difference, ok := dmformat.SLEB8(first, sizes.First())
		later, laterOK := dmformat.ULEB4(binary.LittleEndian.Uint32(next[sizes.First():]), sizes.Second())
		if !ok || !laterOK {
			break
		}
		size, ran := sizes.Two(), uint64(0)
		if two {
			if ran, ok = dmformat.ULEB4(binary.LittleEndian.Uint32(next[size:]), sizes.Third()); !ok {
				break
			}
			size += sizes.Third()
		}
		later, ran, difference = later+wall, ran+cpu, difference+int64(word)
		action, method := trace.Action(difference&dmformat.ActionMask), uint64(difference)&^dmformat.ActionMask
		i := hash(method) >> shift
		if action > trace.Unwind || (later|ran)&out != 0 || i >= uint64(len(slots)) {
			break
		}
		slot := &slots[i]
		if slot.id != method {
			slot = v.methods.slot(method)
		}
		if slot.index == 0 {
			break
		}
		word, wall, cpu = uint64(difference), later, ran
		e := &p[0]
		e.Wall, e.CPU = zero.wall+time.Duration(wall)*unit, zero.cpu+time.Duration(cpu)*unit
		if oneCPU {
			e.Wall, e.CPU = 0, e.Wall
		}
		e.Method, e.Thread, e.Action, e.Site = trace.MethodID(slot.index-1), id, action, 0
		p, at = p[1:], at+size
	}
	b.method, b.wall, b.cpu = word, wall, cpu
	if n = all - len(p); n > 0 {
		b.thread.times.shown = shown(uint32(wall), uint32(cpu))
	}
	return n, int(at)
}

// units returns what the times of a V2of15 or V2of16 block count, the bits that they do
// not have, and when they are 0. In the first a block's times only grow, so that they wrap
// where they have more than 32 bits.
func (v *v2) units() (unit time.Duration, out uint64, zero clocks) {
	if v.gen == dmformat.V2of15 {
		return time.Microsecond, ^uint64(math.MaxUint32), v.block.thread.times
	}
	return 1, 1 << 63, clocks{}
}

// plain17 is plain for a V2of17 record: wall time with the action, CPU time, and the
// method of an enter. The calls that are open are behind the end of the stack's slice,
// which is put right at the end.
func (v *v2) plain17(p []trace.Event, raw []byte) (n, used int) {
	b, th, all, at := &v.block, v.block.thread, len(p), uint(0)
	two, oneCPU, counter := v.header.Clocks == 2, v.clock == trace.ThreadCPU, v.header.Frequency != 0
	slots, shift := v.methods.slots, v.methods.shift&63
	th.stack = slices.Grow(th.stack, 64) // room for enters before it has to grow again
	stack, depth := th.stack[:cap(th.stack)], len(th.stack)
	method, word, cpu := b.method, b.wall, b.cpu
	for len(p) > 1 && at+maxRecord < uint(len(raw)) && uint(depth) < uint(len(stack)) {
		next := (*[24]byte)(raw[at : at+24 : at+24])
		first := binary.LittleEndian.Uint64(next[:])
		sizes := dmformat.LengthsOf(first, binary.LittleEndian.Uint32(next[8:]))
		later, ok := dmformat.SLEB4(uint32(first), sizes.First())
		if !ok {
			break
		}
		size, more, ran := sizes.First(), sizes.Second(), int64(0)
		if two {
			if ran, ok = dmformat.SLEB4(binary.LittleEndian.Uint32(next[size:]), more); !ok {
				break
			}
			size, more = sizes.Two(), sizes.Third()
		}
		difference, ok := dmformat.SLEB8(binary.LittleEndian.Uint64(next[size:]), more)
		later, ran = later+int64(word), ran+int64(cpu)
		action := trace.Action(later & dmformat.ActionMask)
		enters := (int64(action) - 1) >> 63 // all bits of an enter, none of an exit
		id := method + uint64(difference&enters)
		i := hash(id) >> shift
		if action > trace.Unwind || ran < 0 || i >= uint64(len(slots)) {
			break
		}
		slot := &slots[i]
		if slot.id != id {
			slot = v.methods.slot(id)
		}
		if enters == 0 && depth == 0 || enters != 0 && (!ok || slot.index == 0) {
			break
		}
		wall := time.Duration(uint64(later) >> 2)
		if counter {
			if wall, ok = v.nanoseconds(uint64(wall)); !ok {
				break
			}
		}
		method, word, cpu = id, uint64(later), uint64(ran)
		exits := ^uint32(enters)
		m := trace.MethodID((slot.index-1)&^exits | uint32(stack[max(depth-1, 0)])&exits)
		stack[depth] = m
		depth += 1 + 2*int(^enters) // one more, or one fewer
		e := &p[0]
		e.Wall, e.CPU = wall, time.Duration(cpu)
		if oneCPU {
			e.Wall, e.CPU = 0, e.Wall
		}
		e.Method, e.Thread, e.Action, e.Site = m, th.id, action, 0
		p, at = p[1:], at+size+more&uint(enters)
	}
	b.method, b.wall, b.cpu = method, word, cpu
	th.stack = stack[:depth]
	return all - len(p), int(at)
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
