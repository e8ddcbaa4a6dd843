package dmformat

import (
	"artifice/trace"
	"fmt"
)

// ActionMask selects the bits of a method word that contain the action; the others are the
// method's id.
const ActionMask = 3

// Layout describes the positions of the fields in a record.
//
//	version 1: u1 tid, u4 method|action, u4 time
//	version 2: u2 tid, u4 method|action, u4 time
//	version 3: u2 tid, u4 method|action, u4 thread CPU time, u4 wall time
//
// A version 3 file with a single clock has one time. Bytes after the fields, up to the record
// size, have no meaning.
type Layout struct {
	Size      int // of a record
	TIDBytes  int // 1 or 2
	TwoClocks bool
}

// LayoutFor returns the layout of records of the given version with clock c, without bytes after
// the fields.
func LayoutFor(version uint16, c trace.Clock) Layout {
	l := Layout{TIDBytes: 2, TwoClocks: c == trace.Dual}
	if version == 1 {
		l.TIDBytes = 1
	}
	l.Size = l.FieldBytes()
	return l
}

// FieldBytes returns the number of meaningful bytes of a record.
func (l Layout) FieldBytes() int {
	n := l.TIDBytes + 4 + 4
	if l.TwoClocks {
		n += 4
	}
	return n
}

// CheckSize returns an error if records of the given size are too small for the fields that clock
// c implies.
func (l Layout) CheckSize(size int, c trace.Clock) error {
	if size < l.FieldBytes() {
		return fmt.Errorf("record size %d; clock=%s needs at least %d", size, c, l.FieldBytes())
	}
	return nil
}
