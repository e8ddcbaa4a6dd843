package dmformat

import (
	"artifice/trace"
	"fmt"
)

// ActionMask are the bits of a method word that hold the action; the rest is
// the method's id.
const ActionMask = 3

// Layout says where the fields of a record are.
//
//	version 1: u1 tid, u4 method|action, u4 time
//	version 2: u2 tid, u4 method|action, u4 time
//	version 3: u2 tid, u4 method|action, u4 thread CPU time, u4 wall time
//
// A version 3 file with a single clock has one time. Bytes past the fields, up
// to the record size, mean nothing.
type Layout struct {
	Size      int // of a record
	TIDBytes  int // 1 or 2
	TwoClocks bool
}

// LayoutFor returns the layout of version's records with clock c, without any
// bytes past the fields.
func LayoutFor(version uint16, c trace.Clock) Layout {
	l := Layout{TIDBytes: 2, TwoClocks: c == trace.Dual}
	if version == 1 {
		l.TIDBytes = 1
	}
	l.Size = l.FieldBytes()
	return l
}

// FieldBytes returns how many bytes of a record have a meaning.
func (l Layout) FieldBytes() int {
	n := l.TIDBytes + 4 + 4
	if l.TwoClocks {
		n += 4
	}
	return n
}

// CheckSize returns an error when records of that size cannot hold the fields, which clock c implies.
func (l Layout) CheckSize(size int, c trace.Clock) error {
	if size < l.FieldBytes() {
		return fmt.Errorf("record size %d; clock=%s needs at least %d", size, c, l.FieldBytes())
	}
	return nil
}
