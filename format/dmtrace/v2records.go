package dmtrace

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// record is one decoded record.
type record struct {
	action    trace.Action
	method    uint64 // id; in V2of17 only in an enter
	wall, cpu uint64 // in the units of the generation
	numbers
}

// decode decodes the record at the beginning of r.rest and updates the block's last values.
func (v *v2) decode(r *record) {
	b := &v.block
	two := v.header.Clocks == 2
	if v.gen == dmformat.V2of17 {
		b.wall += r.Sleb()
		r.action, r.wall = trace.Action(b.wall&dmformat.ActionMask), b.wall>>2
		if two {
			b.cpu += r.Sleb()
		}
		if r.action == trace.Enter {
			b.method += r.Sleb()
		}
		r.method, r.cpu = b.method, b.cpu
		return
	}
	b.method += r.Sleb()
	wall, cpu := r.Uleb(), uint64(0)
	if two {
		cpu = r.Uleb()
	}
	if v.gen == dmformat.V2of15 && (wall|cpu)>>32 != 0 {
		r.Bad = "a difference of microseconds has more than 32 bits"
	}
	b.wall += wall
	b.cpu += cpu
	v.split(r)
}

// headRecord decodes the record in the head of a V2of15 block.
func (v *v2) headRecord() record {
	r := record{numbers: numbers{Shortest: true}}
	v.split(&r)
	return r
}

// split separates method and action.
func (v *v2) split(r *record) {
	r.method, r.action = v.block.method&^dmformat.ActionMask, trace.Action(v.block.method&dmformat.ActionMask)
	r.wall, r.cpu = v.block.wall, v.block.cpu
}

// maxRecord is the maximum length of an encoded record of any generation: three numbers.
const maxRecord = 3 * dmformat.MaxLEB128

// recordCut is the error of a truncated record.
const recordCut = "the record runs past the end of the block"

// numbers decodes the numbers of a record in format V2, which have variable length.
type numbers struct {
	Rest     []byte // bytes not decoded yet
	Shortest bool   // all numbers so far have the minimum length
	Bad      string // description of an invalid number
}

// Sleb decodes a signed number.
func (r *numbers) Sleb() uint64 {
	// Most differences fit into one byte.
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 {
		c := r.Rest[0]
		r.Rest = r.Rest[1:]
		return uint64(int64(c) << 57 >> 57)
	}
	x, n, short := dmformat.SLEB(r.Rest)
	r.pass(n, short)
	return uint64(x)
}

// Uleb decodes an unsigned number.
func (r *numbers) Uleb() uint64 {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 {
		c := r.Rest[0]
		r.Rest = r.Rest[1:]
		return uint64(c)
	}
	x, n, short := dmformat.ULEB(r.Rest)
	r.pass(n, short)
	return x
}

func (r *numbers) pass(n int, short bool) {
	switch {
	case n == 0:
		r.Bad = recordCut
	case n < 0:
		r.Bad = "a number does not end after 10 bytes"
	default:
		r.Rest = r.Rest[n:]
	}
	r.Shortest = r.Shortest && short
}

// plain decodes records of the block up to the first special case, and returns their number and
// their length in bytes. Special cases are left to decode and event: a number that is longer than
// necessary or than most numbers, a new method, an exit without an open call, and an impossible
// time or action. Records near the end of the bytes are also left, so that the end need not be
// checked before each record. The length of a number and the next action are unpredictable, so the
// code does not branch on them.
func (v *v2) plain(p []trace.Event, raw []byte) (n, used int) {
	p = p[:min(int64(len(p)), max(0, maxPiece-1-v.block.piece))]
	if v.gen == dmformat.V2of17 {
		n, used = v.plain17(p, raw)
	} else {
		n, used = v.plain16(p, raw)
	}
	v.toClock(p[:n])
	v.block.events += int64(n)
	v.block.piece += int64(n)
	return n, used
}

// plain16 is plain for a V2of15 or V2of16 record: method with its action, and times.
func (v *v2) plain16(p []trace.Event, raw []byte) (n, used int) {
	b, id, all, at := &v.block, v.block.thread.id, len(p), uint(0)
	two, slots, shift := v.header.Clocks == 2, v.methods.slots, v.methods.shift&63
	out := uint64(1 << 63) // bits that valid times do not have
	if v.gen == dmformat.V2of15 {
		// in a block times only increase: they wrap if they exceed 32 bits
		out = ^uint64(math.MaxUint32)
	}
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
		e.Wall, e.CPU = time.Duration(wall), time.Duration(cpu)
		e.Method, e.Thread, e.Action, e.Site = trace.MethodID(slot.index-1), id, action, 0
		p, at = p[1:], at+size
	}
	b.method, b.wall, b.cpu = word, wall, cpu
	return all - len(p), int(at)
}

// plain17 is plain for a V2of17 record: wall time with the action, CPU time, and the method of an
// enter. Open calls are stored beyond the end of the stack's slice. The slice's length is corrected
// at the end.
func (v *v2) plain17(p []trace.Event, raw []byte) (n, used int) {
	b, th, all, at := &v.block, v.block.thread, len(p), uint(0)
	two, slots, shift, latest := v.header.Clocks == 2, v.methods.slots, v.methods.shift&63, v.latest()
	th.stack = slices.Grow(th.stack, 64) // room for this many enters before the stack has to grow
	stack, depth := th.stack[:cap(th.stack)], len(th.stack)
	method, word, cpu, action := b.method, b.wall, b.cpu, b.wall
	for len(p) > 1 && at+maxRecord < uint(len(raw)) {
		next := (*[24]byte)(raw[at : at+24 : at+24])
		first := binary.LittleEndian.Uint64(next[:])
		// same as in the sum, but available earlier: the position of the next record depends on it
		action = (action + first) & dmformat.ActionMask
		sizes := dmformat.LengthsOf(first, binary.LittleEndian.Uint32(next[8:]))
		later, ok := dmformat.SLEB4(uint32(first), sizes.First())
		if !ok {
			break
		}
		size, more, rest, ran := sizes.First(), sizes.Second(), binary.LittleEndian.Uint64(next[sizes.First():]), int64(0)
		if two {
			if ran, ok = dmformat.SLEB4(uint32(rest), more); !ok {
				break
			}
			size, more, rest = sizes.Two(), sizes.Third(), binary.LittleEndian.Uint64(next[sizes.Two():])
		}
		later, ran = later+int64(word), ran+int64(cpu)
		// all bits set for an enter, none for an exit, which has no method
		enters := (int64(action) - 1) >> 63
		difference, ok := dmformat.SLEB8(rest, more&uint(enters)|dmformat.NoNumber&^uint(enters))
		id := method + uint64(difference)
		// index in the stack of the call that begins or ends
		i, top := hash(id)>>shift, depth+int(^enters)
		if !ok || action > uint64(trace.Unwind) || ran < 0 || uint64(later)>>2 > latest || i >= uint64(len(slots)) || uint(top) >= uint(len(stack)) {
			break
		}
		slot := &slots[i]
		if slot.id != id {
			slot = v.methods.slot(id)
		}
		if slot.index == 0 {
			break
		}
		method, word, cpu = id, uint64(later), uint64(ran)
		m := trace.MethodID(slot.index-1)&trace.MethodID(enters) | stack[top]&^trace.MethodID(enters)
		stack[top], depth = m, top-int(enters)
		e := &p[0]
		e.Wall, e.CPU = time.Duration(word>>2), time.Duration(cpu)
		e.Method, e.Thread, e.Action, e.Site = m, th.id, trace.Action(action), 0
		p, at = p[1:], at+size+more&uint(enters)
	}
	b.method, b.wall, b.cpu = method, word, cpu
	th.stack = stack[:depth]
	return all - len(p), int(at)
}

// latest is the maximum wall value of a V2of17 record that is a valid time.
func (v *v2) latest() uint64 {
	if !v.counts() {
		return math.MaxInt64
	}
	// The time in ns fits into 63 bits if value*1e9 is below this number.
	hi, lo := bits.Mul64(v.header.Frequency, 1<<63)
	if hi >= uint64(time.Second) {
		return math.MaxUint64
	}
	latest, rest := bits.Div64(hi, lo, uint64(time.Second))
	if rest == 0 {
		latest--
	}
	return latest
}

// toClock converts the values in p to times of the trace's clock.
func (v *v2) toClock(p []trace.Event) {
	if v.gen == dmformat.V2of15 && len(p) > 0 {
		times := &v.block.thread.times
		times.Shown = clockWord(uint32(v.block.wall), uint32(v.block.cpu))
		for i := range p {
			p[i].Wall, p[i].CPU = times.Wall+p[i].Wall*time.Microsecond, times.CPU+p[i].CPU*time.Microsecond
		}
	}
	if v.counts() {
		for i := range p {
			p[i].Wall, _ = v.nanoseconds(uint64(p[i].Wall))
		}
	}
	if v.clock != trace.Dual {
		for i := range p {
			v.setTimes(&p[i], uint64(p[i].Wall), 0)
		}
	}
}
