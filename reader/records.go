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
// filled: all, or in a streaming file those up to what is no record.
func (r *records) decode(p []trace.Event, raw []byte) (n int, err error) {
	fast := r.clock == trace.Dual && r.layout == dmformat.LayoutFor(3, trace.Dual)
	for size := r.layout.Size; n < len(p); n++ {
		if fast {
			if n += r.decodeDual(p[n:], raw[n*size:]); n == len(p) {
				break
			}
		}
		if ok, err := r.decodeOne(&p[n], raw[n*size:][:size]); !ok {
			return n, err
		}
	}
	return n, nil
}

// decodeDual is decode for the records that nearly all files have: a thread id
// of 16 bits, both clocks, nothing else. It stops at whatever is not plain, for
// decodeOne: a thread or method not met before or not in the slice, an item.
func (r *records) decodeDual(p []trace.Event, raw []byte) int {
	threads, dense := r.threads, r.dense
	for i := range p {
		b := raw[14*i:][:14]
		head, times := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[6:])
		tid, word := int(uint16(head)), uint32(head>>16)
		index, action := int(word>>2), trace.Action(word&dmformat.ActionMask)
		if tid >= len(threads) || index >= len(dense) {
			return i
		}
		t, method := &threads[tid], dense[index]
		if t.place == 0 || method == 0 || tid == 0 || action > trace.Unwind {
			return i
		}
		cpu, wall := t.cpu.next(uint32(times)), t.wall.next(uint32(times>>32))
		t.cpu, t.wall = cpu, wall
		// Field by field: an event that is put together first is moved then, which
		// has to wait for its parts.
		e := &p[i]
		e.Wall, e.CPU = wall.time(), cpu.time()
		e.Method = trace.MethodID(method - 1)
		e.Thread, e.Action, e.Site = trace.ThreadID(t.place-1), action, 0
	}
	return len(p)
}

// decodeOne decodes one record of any layout. ok is false when it is none, or
// when there is an error.
func (r *records) decodeOne(e *trace.Event, b []byte) (ok bool, err error) {
	if r.layout.Size > r.layout.FieldBytes() {
		r.checkPadding(b[r.layout.FieldBytes():])
	}
	tid := uint32(b[0])
	if r.layout.TIDBytes == 2 {
		tid = uint32(binary.LittleEndian.Uint16(b))
	}
	if tid == 0 && r.streaming {
		return false, nil
	}
	if r.threadOf(tid) == 0 {
		if err := r.unlistedThread(tid); err != nil {
			return false, err
		}
	}
	word := binary.LittleEndian.Uint32(b[r.layout.TIDBytes:])
	method := r.lookup(word &^ dmformat.ActionMask)
	if method == 0 {
		method = r.unlistedMethod(word &^ dmformat.ActionMask)
	}
	*e = trace.Event{
		Method: trace.MethodID(method - 1),
		Thread: trace.ThreadID(r.threadOf(tid) - 1),
		Action: trace.Action(word & dmformat.ActionMask),
	}
	if e.Action > trace.Unwind {
		r.reserved++
	}
	r.times(e, tid, b[r.layout.TIDBytes+4:])
	return true, nil
}

// times sets e's times from the one or two that b begins with.
func (r *records) times(e *trace.Event, tid uint32, b []byte) {
	c := &r.threads[tid]
	first := binary.LittleEndian.Uint32(b)
	switch r.clock {
	case trace.Dual:
		c.cpu = c.cpu.next(first)
		c.wall = c.wall.next(binary.LittleEndian.Uint32(b[4:]))
	case trace.Wall:
		c.wall = c.wall.next(first)
	default:
		c.cpu = c.cpu.next(first)
	}
	e.Wall, e.CPU = c.wall.time(), c.cpu.time()
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
		r.f.warnf(trace.WarnPadding, "records have nonzero bytes past their fields; these have no meaning and are not kept")
	}
	if r.reserved > 0 {
		r.f.warnf(trace.WarnAction, "%d records have action 3, which is reserved", r.reserved)
	}
}

// checkSize refuses records that cannot hold what clock implies.
func checkSize(size int, l dmformat.Layout, c trace.Clock) error {
	if size < l.FieldBytes() {
		return fmt.Errorf("record size %d; clock=%s needs at least %d", size, c, l.FieldBytes())
	}
	return nil
}
