package dmtrace

import (
	"errors"
	"fmt"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// begin announces the known methods, after the threads that precede them. ART announces the methods
// of all loaded classes at the start (RecordMethodInfoClassVisitor).
func (w *v2Writer) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	if w.d.follow {
		return nil
	}
	for n := 0; w.fromRuntime() && n < len(w.d.rec.Source.Announced) && w.d.rec.Source.Announced[n].Ahead; n++ {
		if err := w.announceSource(n + 1); err != nil {
			return err
		}
	}
	for i := range w.d.ids.methods {
		id := trace.MethodID(i)
		if err := errors.Join(w.d.ids.method(id), w.announceMethod(id)); err != nil {
			return err
		}
	}
	return nil
}

// symbols announces the symbols that e is the first to use: the method before the thread, because
// ART announces a method when its class is loaded.
func (w *v2Writer) symbols(e *trace.Event) error {
	ids := w.d.ids
	// exits of the 17th generation contain no method
	named := w.gen != dmformat.V2of17 || e.Action == trace.Enter
	if named && ids.methods[e.Method] == noMethod {
		if err := ids.method(e.Method); err != nil {
			return err
		}
		if err := w.announceMethod(e.Method); err != nil {
			return err
		}
	}
	if ids.threads[e.Thread] != noTID {
		return nil
	}
	if err := ids.thread(e.Thread); err != nil || w.named(ids.threads[e.Thread]) {
		return err
	}
	return w.announceThread(e.Thread)
}

// announceDue writes the packets of the threads that a runtime announced before the
// next event: at their first event, which can be long before their first block (LogMethodTraceEvent
// calls RecordThreadInfo).
func (w *v2Writer) announceDue() (err error) {
	src := w.d.rec.Source
	for w.fromRuntime() && w.d.announced < len(src.Announced) && src.Announced[w.d.announced].Before <= w.d.n && err == nil {
		if w.open {
			if err := w.flushBlock(); err != nil {
				return err
			}
		}
		err = w.announceSource(w.d.announced + 1)
	}
	return err
}

// fromRuntime reports whether the Source, without a file, determines when threads are announced and
// which blocks are empty.
func (w *v2Writer) fromRuntime() bool {
	src := w.d.rec.Source
	return !w.d.follow && src != nil && src.Format == w.d.variant.Name && len(src.Header) == 0 && !src.Reordered
}

// named reports whether a thread's packet was written at the place where a runtime announced it.
func (w *v2Writer) named(tid uint32) bool {
	return w.fromRuntime() && slices.ContainsFunc(w.d.rec.Source.Announced[:w.d.announced],
		func(a trace.Announcement) bool { return !a.Method && a.TID == tid })
}

// announceThread writes a thread's packet. A thread that its source does not name
// gets one too, with no name, because Perfetto refuses entries of a thread
// without a packet.
func (w *v2Writer) announceThread(i trace.ThreadID) (err error) {
	t := w.d.rec.Symbols.Thread(i)
	if w.d.follow {
		return nil
	}
	w.d.buf, err = dmformat.AppendThreadPacket(w.d.buf, w.d.ids.threads[i], w.d.threadName(t))
	return err
}

// announceMethod writes a method's packet. A method that its source does not name
// gets one too, because ART's own reader aborts at an id without a packet.
func (w *v2Writer) announceMethod(i trace.MethodID) (err error) {
	if w.d.follow {
		return nil
	}
	m := w.d.rec.Symbols.Method(i)
	if m.Unlisted {
		m = &trace.Method{Class: "unknown", Name: fmt.Sprintf("method_0x%x", m.ID)}
	}
	named := w.d.named(m)
	line := string(dmformat.AppendMethodText(nil, &named)) + "\n"
	w.d.buf, err = dmformat.AppendMethodPacket(w.d.buf, w.d.ids.methods[i], line)
	return err
}

// followBlock writes the packets that precede the block in the Source, and sets the block's count
// to the one in the Source.
func (w *v2Writer) followBlock() error {
	src := w.d.rec.Source
	if w.blocks >= len(src.Blocks) { // the Source contains no further blocks
		return w.announceSource(len(src.Announced))
	}
	b := &src.Blocks[w.blocks]
	if b.Events != w.events || b.TID != w.head.TID {
		return fmt.Errorf("block %d of the source has %d events of thread %d, but the recording has %d of thread %d",
			w.blocks, b.Events, b.TID, w.events, w.head.TID)
	}
	w.blocks++
	if w.gen != dmformat.V2of15 {
		w.head.Count = b.Count
	}
	return w.announceSource(b.Announced)
}

// announceSource writes the Source's announcements up to the n-th.
func (w *v2Writer) announceSource(n int) (err error) {
	d := w.d
	for ; d.announced < min(n, len(d.rec.Source.Announced)) && err == nil; d.announced++ {
		if a := &d.rec.Source.Announced[d.announced]; a.Method {
			d.buf, err = dmformat.AppendMethodPacket(d.buf, a.ID, a.Text)
		} else {
			d.buf, err = dmformat.AppendThreadPacket(d.buf, a.TID, a.Text)
		}
	}
	return err
}

// finishSource writes the remaining empty blocks and announcements.
func (w *v2Writer) finishSource() error {
	src := w.d.rec.Source
	for w.blocks < len(src.Blocks) {
		w.head, w.events, w.body = dmformat.BlockHead{TID: src.Blocks[w.blocks].TID}, 0, nil
		if err := w.flushBlock(); err != nil {
			return err
		}
		if !w.d.follow { // if it follows the Source, it counts them itself
			w.blocks++
		}
	}
	return w.announceSource(len(src.Announced))
}

// announceRest announces the symbols of a file in another format that no event
// used, so that they are not lost.
func (w *v2Writer) announceRest() error {
	d := w.d
	if d.rec.Source == nil {
		return nil
	}
	for i := range d.ids.threads {
		if id := trace.ThreadID(i); d.ids.threads[i] == noTID && !d.rec.Symbols.Thread(id).Unlisted {
			if err := errors.Join(d.ids.thread(id), w.announceThread(id)); err != nil {
				return err
			}
		}
	}
	for i := range d.ids.methods {
		id := trace.MethodID(i)
		if d.ids.methods[i] != noMethod || d.rec.Symbols.Method(id).Unlisted {
			continue
		}
		if err := d.ids.method(id); err != nil {
			return err
		}
		if err := w.announceMethod(id); err != nil {
			return err
		}
	}
	return nil
}
