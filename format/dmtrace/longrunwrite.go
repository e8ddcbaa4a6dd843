package dmtrace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// longRunWriter writes a long-running-methods profile of ART. The profile contains the events in
// blocks of one thread, each thread's last block first. The threads follow, in generations that
// name them, and then the methods. If the recording is from package instrument or from a file in
// this format, its blocks are kept. Otherwise each run of events of a thread becomes a block.
//
// The profile has wall times only, and its exits have no method.
type longRunWriter struct {
	w     io.Writer
	rec   *trace.Recording
	gen   *dmformat.LongRun
	hz    uint64
	ids   *wireIDs
	spill *eventlog.DiskBuffer
	parts []writtenBlock
	start []int // by thread: number of frames of the start that are still to be entered

	open   bool
	thread trace.ThreadID
	n      int // number of records in the open block
	body   []byte
	time   uint64 // values of the last record
	method uint64

	notes []string
	err   error
	done  bool
}

// writtenBlock is a block stored in the spill.
type writtenBlock struct {
	tid       uint32
	off, size int64
}

func newLongRunWriter(w io.Writer, rec *trace.Recording, o Options) (*longRunWriter, error) {
	if !rec.Info.Clock.HasWall() {
		return nil, errors.New("a long-running-methods profile needs wall times, but the trace has only thread CPU time")
	}
	if o.CounterHz == 0 {
		o.CounterHz = dmformat.DefaultCounterHz
	}
	if o.CounterHz > 1e9 {
		return nil, fmt.Errorf("counter of %d Hz: only up to 1 GHz can be written exactly", o.CounterHz)
	}
	l := &longRunWriter{w: w, rec: rec, gen: dmformat.LongRunByName(o.Format), hz: o.CounterHz, spill: eventlog.NewDiskBuffer(o.TempDir)}
	variant, err := dmformat.ByName(dmformat.ARTV2of17) // it has the same rules for ids
	if err != nil {
		return nil, err
	}
	l.ids = newWireIDs(rec.Symbols, rules(variant, l.fromFile()), l)
	if rec.Info.Clock == trace.Dual {
		l.notes = append(l.notes, "thread CPU times are not written")
	}
	return l, nil
}

// notef implements noter.
func (l *longRunWriter) notef(format string, args ...any) {
	if !l.follow() { // the recording of an emulated tracer has no ids before it is written
		l.notes = append(l.notes, fmt.Sprintf(format, args...))
	}
}

// follow reports whether the blocks of the Source are used.
func (l *longRunWriter) follow() bool {
	return l.rec.Source != nil && l.rec.Source.Format == l.gen.Name && !l.rec.Source.Reordered
}

// fromFile reports whether the Source also contains the packets of symbols.
func (l *longRunWriter) fromFile() bool { return l.follow() && l.rec.Source.Announced != nil }

// Notes returns one sentence for each property of the recording that the file cannot represent.
func (l *longRunWriter) Notes() []string { return l.notes }

// WriteEvents implements [trace.Writer].
func (l *longRunWriter) WriteEvents(p []trace.Event) error {
	l.ids.grow()
	for i := len(l.start); i < len(l.rec.Symbols.Threads); i++ {
		l.start = append(l.start, l.rec.Symbols.Threads[i].Open)
	}
	for i := range p {
		if l.err == nil {
			l.err = l.event(&p[i])
		}
	}
	return l.err
}

func (l *longRunWriter) event(e *trace.Event) error {
	if int(e.Thread) >= len(l.ids.threads) || int(e.Method) >= len(l.ids.methods) || e.Wall < 0 || e.Action > trace.Unwind {
		return fmt.Errorf("event %+v cannot be written: its thread or method is not named, its time is before the start, or its action is reserved", *e)
	}
	if l.open && l.full(e) {
		if err := l.flush(); err != nil {
			return err
		}
	}
	if err := l.emptyBlocks(); err != nil {
		return err
	}
	if err := l.ids.thread(e.Thread); err != nil {
		return err
	}
	if !l.open {
		l.open, l.thread, l.n, l.body, l.time, l.method = true, e.Thread, 0, l.body[:0], 0, 0
	}
	l.n++
	time := l.wire(e)
	l.body = dmformat.AppendSLEB(l.body, int64(time-l.time))
	l.time = time
	if e.Action != trace.Enter {
		return nil
	}
	if err := l.ids.method(e.Method); err != nil {
		return err
	}
	id := l.ids.methods[e.Method]
	l.body = dmformat.AppendSLEB(l.body, int64(id-l.method))
	l.method = id
	return nil
}

// wire returns an event's time and action as written to the file. A tracer reads the counter. If
// the file has ns, the tracer converts the counter's value, without its lowest bit, when the buffer
// is written (TimestampCounter::GetNanoTime). Times read from a file keep the file's precision.
func (l *longRunWriter) wire(e *trace.Event) uint64 {
	at := l.rec.Info.Start + e.Wall
	exit := uint64(min(e.Action, trace.Exit))
	ticks := dmformat.TimeToTicks(at, l.hz) &^ 1
	atStart := exit == 0 && l.start[e.Thread] > 0
	if atStart {
		l.start[e.Thread]--
	}
	switch {
	case l.gen.Nanoseconds:
		if l.follow() && !l.fromFile() {
			at, _ = dmformat.TicksToTime(ticks, l.hz)
		}
		return uint64(at)<<1 | exit
	case atStart: // this generation has this bug
		return uint64(at) &^ 1
	}
	return ticks | exit
}

// full reports whether e belongs to another block than the open one.
func (l *longRunWriter) full(e *trace.Event) bool {
	if l.follow() {
		blocks := l.rec.Source.Blocks
		return len(l.parts) < len(blocks) && int64(l.n) == blocks[len(l.parts)].Events
	}
	return e.Thread != l.thread || l.n == dmformat.MaxBlockRecords
}

// flush ends the open block.
func (l *longRunWriter) flush() error {
	l.open = false
	return l.block(l.ids.threads[l.thread])
}

// block writes the gathered records to the spill, as a block of tid.
func (l *longRunWriter) block(tid uint32) error {
	b := append(dmformat.AppendLongRunHead(nil, tid, l.n, len(l.body)), l.body...)
	l.parts = append(l.parts, writtenBlock{tid, l.spill.Size(), int64(len(b))})
	l.n, l.body = 0, l.body[:0]
	_, err := l.spill.Write(b)
	return err
}

// emptyBlocks writes the following blocks of the Source that contain no events.
func (l *longRunWriter) emptyBlocks() error {
	if !l.follow() || l.open {
		return nil
	}
	for n := len(l.parts); n < len(l.rec.Source.Blocks) && l.rec.Source.Blocks[n].Events == 0; n++ {
		if err := l.block(l.rec.Source.Blocks[n].TID); err != nil {
			return err
		}
	}
	return nil
}

// Close completes the file. It does not close the underlying writer.
func (l *longRunWriter) Close() error {
	if !l.done {
		l.done = true
		if l.err == nil {
			l.err = l.finish()
		}
		l.err = errors.Join(l.err, l.spill.Close())
	}
	return l.err
}

func (l *longRunWriter) finish() error {
	l.ids.grow()
	if l.open {
		if err := l.flush(); err != nil {
			return err
		}
	}
	if err := l.emptyBlocks(); err != nil {
		return err
	}
	last := map[uint32]int{}
	for i, p := range l.parts {
		last[p.tid] = i
	}
	first := func(i int) bool { return last[l.parts[i].tid] == i }
	for _, wanted := range []bool{true, false} {
		for i, p := range l.parts {
			if first(i) != wanted {
				continue
			}
			if err := l.spill.CopySection(l.w, p.off, p.size); err != nil {
				return err
			}
		}
	}
	packets, err := l.packets()
	if err == nil {
		_, err = l.w.Write(packets)
	}
	return err
}

// packets returns the packets of threads and methods: the Source's announcements, or packets for
// the symbols that the blocks use, with methods in the order of their ids.
func (l *longRunWriter) packets() (b []byte, err error) {
	if l.fromFile() {
		for _, a := range l.rec.Source.Announced {
			if a.Method {
				b, err = dmformat.AppendMethodPacket(b, a.ID, a.Text)
			} else {
				b, err = dmformat.AppendThreadPacket(b, a.TID, a.Text)
			}
			if err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	blocks := map[uint32]bool{} // includes threads without kept calls
	for _, p := range l.parts {
		blocks[p.tid] = true
	}
	for i, tid := range l.ids.threads {
		t := l.rec.Symbols.Thread(trace.ThreadID(i))
		if tid == noTID {
			tid = t.TID
		}
		if blocks[tid] && l.gen.Threads {
			if b, err = dmformat.AppendThreadPacket(b, tid, t.Name); err != nil {
				return nil, err
			}
		}
	}
	var used []trace.MethodID
	for i, id := range l.ids.methods {
		if id != noMethod && !l.rec.Symbols.Methods[i].Unlisted {
			used = append(used, trace.MethodID(i))
		}
	}
	slices.SortFunc(used, func(a, b trace.MethodID) int { return cmp.Compare(l.ids.methods[a], l.ids.methods[b]) })
	for _, i := range used {
		line := string(dmformat.AppendMethodText(nil, l.rec.Symbols.Method(i))) + "\n"
		if b, err = dmformat.AppendMethodPacket(b, l.ids.methods[i], line); err != nil {
			return nil, err
		}
	}
	return b, nil
}
