package dmtrace

import (
	"encoding/binary"
	"fmt"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// encode appends a record for each event to d.buf. In a streaming file it also appends the
// necessary announcements.
func (d *writer) encode(p []trace.Event) error {
	fast := d.clock == trace.Dual && d.layout == dmformat.LayoutFor(3, trace.Dual)
	for i := 0; i < len(p); i++ {
		if fast {
			if i += d.encodeDual(p[i:]); i == len(p) {
				break
			}
		}
		if err := d.encodeOne(&p[i]); err != nil {
			return err
		}
	}
	return nil
}

// encodeDual is encode for the layout of nearly all files: both clocks and nothing else. It stops
// at special cases, which encodeOne handles: the first use of a symbol, and an event that cannot be
// written.
func (d *writer) encodeDual(p []trace.Event) (n int) {
	const size = 14
	buf := slices.Grow(d.buf, len(p)*size)
	at := len(buf)
	free := buf[at : at+len(p)*size]
	threads, methods, last, lastWall, finer := d.ids.threads, d.ids.methods, d.last, d.lastWall, d.finer
	for n = range p {
		e := &p[n]
		if int(e.Thread) >= len(threads) || int(e.Method) >= len(methods) || e.Wall|e.CPU < 0 || e.Action > dmformat.ActionMask {
			break
		}
		tid, method := threads[e.Thread], methods[e.Method]
		if tid == noTID || method == noMethod {
			break
		}
		b := (*[size]byte)(free)
		free = free[size:]
		wall, cpu := uint64(e.Wall)/1000, uint64(e.CPU)/1000
		binary.LittleEndian.PutUint16(b[:], uint16(tid))
		binary.LittleEndian.PutUint32(b[2:], uint32(method)|uint32(e.Action))
		binary.LittleEndian.PutUint32(b[6:], uint32(cpu))
		binary.LittleEndian.PutUint32(b[10:], uint32(wall))
		finer |= (uint64(e.Wall) - wall*1000) | (uint64(e.CPU) - cpu*1000)
		last, lastWall = max(last, e.Wall, e.CPU), max(lastWall, e.Wall)
	}
	n = len(p) - len(free)/size
	d.buf, d.last, d.lastWall, d.finer = buf[:at+n*size], last, lastWall, finer
	d.n += int64(n)
	return n
}

// encodeOne appends the record of one event, after the announcements that it requires.
func (d *writer) encodeOne(e *trace.Event) error {
	if int(e.Thread) >= len(d.ids.threads) || int(e.Method) >= len(d.ids.methods) ||
		e.Action > dmformat.ActionMask || e.Wall|e.CPU < 0 {
		return d.badEvent(e)
	}
	if d.ids.threads[e.Thread] == noTID || d.ids.methods[e.Method] == noMethod {
		if err := d.firstUse(e); err != nil {
			return err
		}
	}
	d.record(e, d.ids.threads[e.Thread], uint32(d.ids.methods[e.Method])|uint32(e.Action))
	d.n++
	return nil
}

// record appends one record.
func (d *writer) record(e *trace.Event, tid, word uint32) {
	n := len(d.buf)
	d.buf = slices.Grow(d.buf, d.layout.Size)[:n+d.layout.Size]
	b := d.buf[n:]
	if d.layout.Size > d.layout.FieldBytes() {
		clear(b)
		d.pad(b[d.layout.FieldBytes():])
	}
	if d.layout.TIDBytes == 1 {
		b[0] = byte(tid)
		b = b[1:]
	} else {
		binary.LittleEndian.PutUint16(b, uint16(tid))
		b = b[2:]
	}
	binary.LittleEndian.PutUint32(b, word)
	wall, cpu := uint64(e.Wall)/1000, uint64(e.CPU)/1000
	d.finer |= uint64(e.Wall) - wall*1000
	d.last, d.lastWall = max(d.last, e.Wall, e.CPU), max(d.lastWall, e.Wall)
	switch d.clock {
	case trace.Dual:
		d.finer |= uint64(e.CPU) - cpu*1000
		binary.LittleEndian.PutUint32(b[4:], uint32(cpu))
		binary.LittleEndian.PutUint32(b[8:], uint32(wall))
	case trace.Wall:
		binary.LittleEndian.PutUint32(b[4:], uint32(wall))
	default:
		d.finer |= uint64(e.CPU) - cpu*1000
		binary.LittleEndian.PutUint32(b[4:], uint32(cpu))
	}
}

// pad sets the padding of the next record to the padding in the Source.
func (d *writer) pad(b []byte) {
	if !d.follow {
		return
	}
	for kept := d.rec.Source.Padding; d.padded < len(kept) && kept[d.padded].Event <= d.n; d.padded++ {
		d.padding = kept[d.padded].Bytes
	}
	copy(b, d.padding[:])
}

func (d *writer) badEvent(e *trace.Event) error {
	switch {
	case int(e.Thread) >= len(d.ids.threads):
		return fmt.Errorf("event %d has thread index %d, but the trace has %d threads", d.n, e.Thread, len(d.ids.threads))
	case int(e.Method) >= len(d.ids.methods):
		return fmt.Errorf("event %d has method index %d, but the trace has %d methods", d.n, e.Method, len(d.ids.methods))
	case e.Action > dmformat.ActionMask:
		return fmt.Errorf("event %d has action %d, but a record has only two bits for it", d.n, e.Action)
	}
	return fmt.Errorf("event %d is before the start of the trace: wall %s, CPU %s", d.n, e.Wall, e.CPU)
}

// firstUse assigns ids to the thread and the method of e. It announces those that are new, the
// method first, as ART does.
func (d *writer) firstUse(e *trace.Event) error {
	if d.ids.methods[e.Method] == noMethod {
		if err := d.ids.method(e.Method); err != nil {
			return err
		}
		if m := d.rec.Symbols.Method(e.Method); d.announces() && !m.Unlisted {
			if err := d.announceMethod(m, d.ids.methods[e.Method]); err != nil {
				return err
			}
		}
	}
	if d.ids.threads[e.Thread] == noTID {
		if err := d.ids.thread(e.Thread); err != nil {
			return err
		}
		if t := d.rec.Symbols.Thread(e.Thread); d.announces() && !t.Unlisted {
			var err error
			d.buf, err = dmformat.AppendThreadItem(d.buf, uint16(d.ids.threads[e.Thread]), d.threadName(t))
			return err
		}
	}
	return nil
}

// announces reports whether symbols are announced at their first use.
func (d *writer) announces() bool { return d.variant.Streaming && !d.follow }

func (d *writer) announceMethod(m *trace.Method, id uint64) error {
	named := d.named(m)
	named.ID = id
	line := string(append(dmformat.AppendMethodLine(nil, d.variant, &named), '\n'))
	var err error
	d.buf, err = dmformat.AppendMethodItem(d.buf, line)
	return err
}

// announceSource writes the Source's announcements before the next event. It returns how many of
// the next n events precede a further announcement.
func (d *writer) announceSource(n int) int {
	list := d.rec.Source.Announced
	for d.announced < len(list) {
		a := &list[d.announced]
		if a.Before > d.n {
			return int(min(int64(n), a.Before-d.n))
		}
		if a.Method {
			d.buf, d.err = dmformat.AppendMethodItem(d.buf, a.Text)
		} else {
			d.buf, d.err = dmformat.AppendThreadItem(d.buf, uint16(a.TID), a.Text)
		}
		if d.err != nil {
			return 0
		}
		d.announced++
	}
	return n
}

// finishStream writes the end of the file after the last event.
func (d *writer) finishStream() error {
	if d.follow {
		d.announceSource(0)
		if d.err != nil {
			return d.err
		}
		if left := len(d.rec.Source.Announced) - d.announced; left > 0 {
			return fmt.Errorf("%d method or thread names of the source come after the last event, %d", left, d.n)
		}
		if !d.rec.Source.HasSummary {
			return d.flush()
		}
	}
	key, err := d.keySection()
	if err != nil {
		return err
	}
	if d.buf, err = dmformat.AppendSummaryHead(d.buf, len(key)); err != nil {
		return err
	}
	d.buf = append(d.buf, key...)
	return d.flush()
}
