package dmtrace

import (
	"encoding/binary"
	"errors"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// records decodes runs of records of one size.
type records struct {
	*tables
	layout dmformat.Layout
	clock  trace.Clock
	seen
	wall wallClock
	// the worker that decodes ahead with this decoder; nil if all preceding items are known
	run *recordWorker

	padding *padding // nil unless padding is kept
}

// padding keeps the padding of records for the writer.
type padding struct {
	of     *trace.Source
	events int64 // number of events so far
	last   [4]byte
}

// maxPadding is the maximum number of changes of the padding that are kept. ART's padding is 0 or a
// part of an address on the stack, and rarely changes.
const maxPadding = 1 << 20

// add adds the padding of the next record and reports whether it is kept.
func (p *padding) add(b []byte) bool {
	if now := [4]byte(b); now != p.last {
		if len(p.of.Padding) == maxPadding {
			return false
		}
		p.of.Padding = append(p.of.Padding, trace.Padding{Event: p.events, Bytes: now})
		p.last = now
	}
	p.events++
	return true
}

// seen counts the unusual records.
type seen struct {
	junk     bool // some bytes after the fields are not 0
	reserved int64
}

// decode decodes the records in raw into p, which has room for all of them, and returns the number
// of events. It stops at an item that is not a record, at an error, and at an enter that exceeds
// the limit of open frames.
func (r *records) decode(p []trace.Event, raw []byte) (n int, err error) {
	fast := r.clock == trace.Dual && r.layout == dmformat.LayoutFor(3, trace.Dual) && r.wall.plain(raw[:len(p)*r.layout.Size])
	for size := r.layout.Size; n < len(p); n++ {
		if fast {
			from := n
			n += r.decodeDual(p[n:], raw[n*size:])
			if n > from {
				r.wall.last = binary.LittleEndian.Uint64(raw[n*size-8:])
			}
			if n == len(p) {
				break
			}
		}
		if ok, err := r.decodeOne(&p[n], raw[n*size:][:size]); !ok {
			return n, err
		}
	}
	return n, nil
}

// decodeDual is decode for the records of nearly all files: a thread id of 16 bits, both clocks,
// nothing else. It stops at special cases, which decodeOne handles: a thread or method that is new
// or not in the slice, an item, a clock that may have wrapped, too many open frames, or an exit
// without an open frame. It does not decode the last record, so that it needs no check of the
// slice's end before each record.
func (r *records) decodeDual(p []trace.Event, raw []byte) int {
	const size = 14
	dense, threads, all := r.dense, r.threads, len(p)
	for len(p) > 1 && len(raw) > size {
		head, shown := binary.LittleEndian.Uint64(raw), binary.LittleEndian.Uint64(raw[size-8:])
		tid, word := uint16(head), uint32(head>>16)
		index, action := uint(word>>2), word&dmformat.ActionMask
		if int(tid) >= len(threads) || index >= uint(len(dense)) || threads[tid] == nil {
			break
		}
		t, method := threads[tid], dense[index]-1
		frames := t.frames + changes[action]
		// Every special case sets one of these bits: an overflow of frames (see there); a clock
		// with a top bit that changes from 1 to 0, as in a wrap; and a missing method, which is -1.
		// Separate tests would take 20 % more instructions.
		if (uint64(frames)|t.Shown&^shown|uint64(method))&tops != 0 {
			break
		}
		t.frames, t.Shown = frames, shown
		// The fields are set individually. An event that is built first and then copied has to wait
		// for its parts.
		e := &p[0]
		e.Wall, e.CPU = t.Times()
		e.Method, e.Thread = trace.MethodID(method), trace.ThreadID(t.place-1)
		e.Action, e.Site = trace.Action(action), 0
		p, raw = p[1:], raw[size:]
	}
	return all - len(p)
}

// decodeOne decodes one record of any layout. ok is false if it is not a record, or if there is an
// error.
func (r *records) decodeOne(e *trace.Event, b []byte) (ok bool, err error) {
	if r.layout.Size > r.layout.FieldBytes() && r.padding == nil {
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
		if err := r.newThread(tid, b); err != nil {
			return false, err
		}
	}
	word := binary.LittleEndian.Uint32(b[r.layout.TIDBytes:])
	method := r.lookup(word &^ dmformat.ActionMask)
	if method == 0 {
		method = r.newMethod(word &^ dmformat.ActionMask)
	}
	*e = trace.Event{
		Method: trace.MethodID(method - 1),
		Thread: trace.ThreadID(r.threadOf(tid) - 1),
		Action: trace.Action(word & dmformat.ActionMask),
	}
	r.times(e, tid, b[r.layout.TIDBytes+4:])
	if err := r.count(tid, e.Action); err != nil {
		return false, err
	}
	if e.Action > trace.Unwind {
		r.reserved++
	}
	if r.padding != nil && !r.padding.add(b[r.layout.FieldBytes():]) {
		r.junk = true
	}
	return true, nil
}

// newThread adds the thread of record b, which is not known yet.
func (r *records) newThread(tid uint32, b []byte) error {
	if r.run != nil {
		return r.run.begin(tid, b)
	}
	return r.unlistedThread(tid)
}

// newMethod returns 1 + the index of the method with that id, which is not in the table yet.
func (r *records) newMethod(id uint32) uint32 {
	if r.run != nil {
		return uint32(r.run.late.Add(uint64(id))) + 1
	}
	return r.unlistedMethod(id)
}

// count counts the open frames of a thread.
func (r *records) count(tid uint32, a trace.Action) error {
	t := r.threads[tid]
	if r.run != nil {
		t.widen(a)
		return nil
	}
	open := trace.OpenAfter(t.frames.open(), a)
	if open > r.deepest {
		return errTooDeep
	}
	t.frames = framesOf(open, r.deepest-open)
	return nil
}

// errTooDeep is the error of a record that exceeds the limit of open frames.
var errTooDeep = errors.New("too deep")

// fail adds the position to err, an error of decode. in is at the record of event e, the n-th.
func (r *records) fail(err error, in *input, e *trace.Event, n int64) error {
	if err == errTooDeep {
		return r.f.tooDeep(e, n, in.off)
	}
	return in.errorf("%v", err)
}

// times sets the times of e from the one or two times at the beginning of b.
func (r *records) times(e *trace.Event, tid uint32, b []byte) {
	e.Wall, e.CPU = r.wall.next(r, r.threads[tid], r.shown(b))
}

// shown returns the clock values of a record with times at the beginning of b; an absent clock has
// 0.
func (r *records) shown(b []byte) uint64 {
	switch r.clock {
	case trace.Dual:
		return binary.LittleEndian.Uint64(b)
	case trace.Wall:
		return uint64(binary.LittleEndian.Uint32(b)) << 32
	}
	return uint64(binary.LittleEndian.Uint32(b))
}

func (r *records) checkPadding(b []byte) {
	for _, c := range b {
		if c != 0 {
			r.junk = true
		}
	}
}

// warn adds warnings about unusual properties of the records, after the last record.
func (r *records) warn() {
	if r.junk {
		r.f.warnf(warnPadding, "records have nonzero bytes past their fields; these bytes have no meaning, and convert does not keep the bytes")
	}
	r.f.warnReserved(r.reserved)
	r.wall.warn(r)
}
