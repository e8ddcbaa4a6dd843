package reader

import (
	"artifice/internal/dmformat"
	"artifice/trace"
)

// maxRecord bounds an encoded record of any generation: three numbers.
const maxRecord = 3 * dmformat.MaxLEB128

// recordCut is the fault of a record whose last bytes are missing.
const recordCut = "the block's bytes end within it"

// record is one decoded record.
type record struct {
	action    trace.Action
	method    uint64 // id; V2of17: of an enter
	wall, cpu uint64 // in the units of the generation
	rest      []byte
	shortest  bool
	bad       string // what is wrong with it
}

func (r *record) sleb() uint64 {
	// Most differences fit one byte.
	if len(r.rest) > 0 && r.rest[0] < 0x80 {
		c := r.rest[0]
		r.rest = r.rest[1:]
		return uint64(int64(c) << 57 >> 57)
	}
	x, n, short := dmformat.SLEB(r.rest)
	r.pass(n, short)
	return uint64(x)
}

func (r *record) uleb() uint64 {
	if len(r.rest) > 0 && r.rest[0] < 0x80 {
		c := r.rest[0]
		r.rest = r.rest[1:]
		return uint64(c)
	}
	x, n, short := dmformat.ULEB(r.rest)
	r.pass(n, short)
	return x
}

func (r *record) pass(n int, short bool) {
	switch {
	case n == 0:
		r.bad = recordCut
	case n < 0:
		r.bad = "a number does not end after 10 bytes"
	default:
		r.rest = r.rest[n:]
	}
	r.shortest = r.shortest && short
}

// decode reads the record that r.rest begins with and takes the block's last
// values on.
func (v *v2) decode(r *record) {
	b := &v.block
	two := v.header.Clocks == 2
	if v.gen == dmformat.V2of17 {
		b.wall += r.sleb()
		r.action, r.wall = trace.Action(b.wall&dmformat.ActionMask), b.wall>>2
		if two {
			b.cpu += r.sleb()
		}
		if r.action == trace.Enter {
			b.method += r.sleb()
		}
		r.method, r.cpu = b.method, b.cpu
		return
	}
	b.method += r.sleb()
	wall, cpu := r.uleb(), uint64(0)
	if two {
		cpu = r.uleb()
	}
	if v.gen == dmformat.V2of15 && (wall|cpu)>>32 != 0 {
		r.bad = "a difference of microseconds has more than 32 bits"
	}
	b.wall += wall
	b.cpu += cpu
	v.split(r)
}

// headRecord is the record in the head of a V2of15 block.
func (v *v2) headRecord() record {
	r := record{shortest: true}
	v.split(&r)
	return r
}

// split takes method and action apart.
func (v *v2) split(r *record) {
	r.method, r.action = v.block.method&^dmformat.ActionMask, trace.Action(v.block.method&dmformat.ActionMask)
	r.wall, r.cpu = v.block.wall, v.block.cpu
}
