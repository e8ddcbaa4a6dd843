package dmtrace

import (
	"artifice/internal/dmformat"
	"artifice/trace"
)

// record is one decoded record.
type record struct {
	action    trace.Action
	method    uint64 // id; V2of17: of an enter
	wall, cpu uint64 // in the units of the generation
	Numbers
}

// decode reads the record that r.rest begins with and takes the block's last
// values on.
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

// headRecord is the record in the head of a V2of15 block.
func (v *v2) headRecord() record {
	r := record{Numbers: Numbers{Shortest: true}}
	v.split(&r)
	return r
}

// split takes method and action apart.
func (v *v2) split(r *record) {
	r.method, r.action = v.block.method&^dmformat.ActionMask, trace.Action(v.block.method&dmformat.ActionMask)
	r.wall, r.cpu = v.block.wall, v.block.cpu
}
