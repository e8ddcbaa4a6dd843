package reader

import (
	"encoding/binary"
	"fmt"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// records decodes runs of records of one size.
type records struct {
	*tables
	layout    dmformat.Layout
	clock     trace.Clock
	streaming bool // a record of thread 0 is an item, where decoding stops
	junk      bool // bytes past the fields were seen that are not 0
	reserved  int64
}

// decode fills p from raw, which has a record for each, and returns how many it
// filled.
func (r *records) decode(p []trace.Event, raw []byte) (int, error) {
	for i := range p {
		b := raw[:r.layout.Size:r.layout.Size]
		raw = raw[r.layout.Size:]
		if r.layout.Size > r.layout.FieldBytes() {
			r.checkPadding(b[r.layout.FieldBytes():])
		}
		tid := uint32(b[0])
		if r.layout.TIDBytes == 2 {
			tid = uint32(binary.LittleEndian.Uint16(b))
		}
		if tid == 0 && r.streaming {
			return i, nil
		}
		thread := r.threadOf(tid)
		if thread == 0 {
			if err := r.unlistedThread(tid); err != nil {
				return i, err
			}
			thread = r.byTID[tid]
		}
		b = b[r.layout.TIDBytes:]
		word := binary.LittleEndian.Uint32(b)
		method := r.lookup(word &^ dmformat.ActionMask)
		if method == 0 {
			method = r.unlistedMethod(word &^ dmformat.ActionMask)
		}
		e := &p[i]
		*e = trace.Event{
			Method: trace.MethodID(method - 1),
			Thread: trace.ThreadID(thread - 1),
			Action: trace.Action(word & dmformat.ActionMask),
		}
		if e.Action > trace.Unwind {
			r.reserved++
		}
		r.times(e, b[4:])
	}
	return len(p), nil
}

// times sets e's times from the one or two that b begins with.
func (r *records) times(e *trace.Event, b []byte) {
	c := &r.clocks[e.Thread]
	first := binary.LittleEndian.Uint32(b)
	switch r.clock {
	case trace.Dual:
		e.CPU = c.cpu.next(first)
		e.Wall = c.wall.next(binary.LittleEndian.Uint32(b[4:]))
	case trace.Wall:
		e.Wall = c.wall.next(first)
	default:
		e.CPU = c.cpu.next(first)
	}
}

func (r *records) checkPadding(b []byte) {
	for _, c := range b {
		if c != 0 {
			r.junk = true
		}
	}
}

// warn says, at the end, what the records had that is not usual.
func (r *records) warn() {
	if r.junk {
		r.f.warnf("records have bytes past their fields that are not 0; they mean nothing and are not kept")
	}
	if r.reserved > 0 {
		r.f.warnf("%d records have the action 3, which is reserved", r.reserved)
	}
}

// checkSize refuses records that cannot hold what clock implies.
func checkSize(size int, l dmformat.Layout, c trace.Clock) error {
	if size < l.FieldBytes() {
		return fmt.Errorf("record size %d; clock=%s needs at least %d", size, c, l.FieldBytes())
	}
	return nil
}
