package profile

import (
	"encoding/binary"
	"errors"
	"time"
)

// MarshalBinary implements [encoding.BinaryMarshaler], for sending trees between workers. It never
// fails.
func (t *Tree) MarshalBinary() ([]byte, error) {
	var b []byte
	number := func(v int64) { b = binary.AppendVarint(b, v) }
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	for _, v := range []int64{t.Traces, int64(t.Duration), int64(t.Period), t.Begun, t.having[calls], t.having[samples], t.having[wall], t.having[cpu], int64(len(t.frames)), int64(len(t.labels)), int64(len(t.nodes))} {
		number(v)
	}
	for _, f := range t.frames {
		text(f.Name)
		text(f.System)
		text(f.File)
		number(f.Line)
	}
	for _, list := range t.labels {
		number(int64(len(list)))
		for _, l := range list {
			text(l.Key)
			text(l.Text)
			number(l.Number)
		}
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		number(int64(i) - int64(n.parent)) // small: a callee usually follows its caller directly
		number(int64(n.frame))
		for _, v := range n.values {
			number(v)
		}
	}
	return b, nil
}

// errTree is the error of bytes that are not an encoded tree, as from a worker of another version.
var errTree = errors.New("this is not a profile of this version of artifice-fleet: do all workers run the same program?")

// UnmarshalBinary implements [encoding.BinaryUnmarshaler].
func (t *Tree) UnmarshalBinary(b []byte) error {
	d := decoder{rest: b}
	*t = Tree{Traces: d.number(), Duration: time.Duration(d.number()), Period: time.Duration(d.number()), Begun: d.number(), having: [columns]int64{d.number(), d.number(), d.number(), d.number()}}
	frames, labels, nodes := d.length(), d.length(), d.length()
	for range frames {
		t.frame(Frame{d.text(), d.text(), d.text(), d.number()})
	}
	lists := make([][]Label, 0, labels)
	for range labels {
		var list []Label
		for range d.length() {
			list = append(list, Label{d.text(), d.text(), d.number()})
		}
		lists = append(lists, list)
	}
	t.nodes = make([]node, 0, nodes)
	for i := range int64(nodes) {
		parent, frame := i-d.number(), d.number()
		isRoot := parent == i
		if d.bad || parent < 0 || parent > i || frame < 0 || isRoot && frame >= int64(len(lists)) || !isRoot && frame >= int64(len(t.frames)) {
			return errTree
		}
		id := uint32(0)
		if isRoot {
			id = t.root(lists[frame])
		} else {
			id = t.child(uint32(parent), uint32(frame))
		}
		if int64(id) != i {
			return errTree
		}
		for c := range t.nodes[i].values {
			t.nodes[i].values[c] = d.number()
		}
	}
	if d.bad || len(d.rest) > 0 {
		return errTree
	}
	return nil
}

// decoder reads numbers and texts; after an error all are 0.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) number() int64 {
	v, n := binary.Varint(d.rest)
	return take(d, v, n)
}

func take[T any](d *decoder, v T, n int) (none T) {
	if d.bad = d.bad || n <= 0; d.bad {
		return none
	}
	d.rest = d.rest[n:]
	return v
}

// length reads a number of elements, limited by the number of remaining bytes.
func (d *decoder) length() int {
	n := d.number()
	if d.bad = d.bad || n < 0 || n > int64(len(d.rest)); d.bad {
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	size, n := binary.Uvarint(d.rest)
	size = take(d, size, n)
	if d.bad = d.bad || size > uint64(len(d.rest)); d.bad {
		return ""
	}
	s := string(d.rest[:size])
	d.rest = d.rest[size:]
	return s
}
