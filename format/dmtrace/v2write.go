package dmtrace

import (
	"errors"
	"strconv"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// maxBlockBytes is the maximum size of a block of Android 16 and later. After a block of more than
// 3 MiB, a reader would take the next block for the rest of a split run.
const maxBlockBytes = 1 << 20

// maxTimeV2 bounds times: the 17th generation shifts them by two bits.
const maxTimeV2 = 1 << 62

// v2Writer writes the packets of format V2. Each run of one thread's events becomes a block, so
// that the order of the events is kept. Methods known at the first event are written first, others
// before the block that uses them. Threads are announced at their first use.
type v2Writer struct {
	d      *writer
	gen    dmformat.Generation
	output Output
	whole  bool // runs are not split
	header dmformat.HeaderV2

	open   bool // a block is open
	thread trace.ThreadID
	head   dmformat.BlockHead
	events int64
	body   []byte // records of the open block
	method uint64 // last values, as in the reader
	wall   uint64
	cpu    uint64

	begun  bool               // the methods known at the start have been announced
	stacks [][]trace.MethodID // 17th generation: open calls by thread
	blocks int                // number of the Source's blocks written
}

func newV2Writer(d *writer, output Output, whole bool) (*v2Writer, error) {
	w := &v2Writer{d: d, gen: d.variant.V2, output: output, whole: whole && !d.follow}
	if output == EntriesLast && w.gen == dmformat.V2of15 && !d.follow {
		return nil, errors.New("art-v2-15 can only be streamed: without streaming, Android 15 writes files without threads and methods")
	}
	unit := time.Nanosecond
	if w.gen == dmformat.V2of15 {
		unit = time.Microsecond
	}
	w.header = dmformat.HeaderV2{Clocks: 1, Streaming: output == Streamed, Start: uint64(d.rec.Info.Start / unit)}
	if d.clock == trace.Dual {
		w.header.Clocks = 2
	}
	if d.follow && len(d.rec.Source.Header) == dmformat.HeaderSize {
		w.header = dmformat.ParseHeaderV2(d.rec.Source.Header)
	}
	return w, nil
}

// write appends events.
func (w *v2Writer) write(p []trace.Event) error {
	if err := w.begin(); err != nil {
		return err
	}
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(w.d.ids.threads) || int(e.Method) >= len(w.d.ids.methods) || e.Action > dmformat.ActionMask ||
			e.Wall|e.CPU < 0 || max(e.Wall, e.CPU) >= maxTimeV2 {
			return w.d.badEvent(e)
		}
		if w.open && w.full(e) {
			if err := w.flushBlock(); err != nil {
				return err
			}
		}
		if err := errors.Join(w.announceDue(), w.symbols(e)); err != nil {
			return err
		}
		w.record(e)
		w.d.n++
		w.d.last, w.d.lastWall = max(w.d.last, e.Wall, e.CPU), max(w.d.lastWall, e.Wall)
	}
	return nil
}

// full reports whether e belongs to another block than the open one.
func (w *v2Writer) full(e *trace.Event) bool {
	if w.d.follow {
		blocks := w.d.rec.Source.Blocks
		return w.blocks < len(blocks) && w.events == blocks[w.blocks].Events
	}
	if w.whole {
		return e.Thread != w.thread || w.gen != dmformat.V2of15 && len(w.body) > maxBlockBytes
	}
	most := maxBlockBytes
	if w.gen == dmformat.V2of15 {
		most = dmformat.MaxBlockBytes - dmformat.MaxRecordV2(trace.Dual)
	}
	return e.Thread != w.thread || w.events == dmformat.MaxBlockRecords || len(w.body) > most
}

// record appends one record to the block, and opens one if there is none.
func (w *v2Writer) record(e *trace.Event) {
	wall, cpu := w.times(e)
	method := w.d.ids.methods[e.Method] | uint64(e.Action)
	first := !w.open
	if first {
		w.open, w.thread, w.events = true, e.Thread, 0
		w.head = dmformat.BlockHead{TID: w.d.ids.threads[e.Thread]}
		w.body, w.method, w.wall, w.cpu = w.body[:0], 0, 0, 0
	}
	w.events++
	switch w.gen {
	case dmformat.V2of17:
		w.record17(e, wall, cpu)
	case dmformat.V2of15:
		if first {
			w.head.First, w.head.Wall, w.head.CPU = method, uint32(wall), uint32(cpu)
			break
		}
		w.body = dmformat.AppendSLEB(w.body, int64(method-w.method))
		w.body = dmformat.AppendULEB(w.body, uint64(uint32(wall)-uint32(w.wall)))
		if w.header.Clocks == 2 {
			w.body = dmformat.AppendULEB(w.body, uint64(uint32(cpu)-uint32(w.cpu)))
		}
	default:
		w.body = dmformat.AppendSLEB(w.body, int64(method-w.method))
		w.body = dmformat.AppendULEB(w.body, wall-w.wall)
		if w.header.Clocks == 2 {
			w.body = dmformat.AppendULEB(w.body, cpu-w.cpu)
		}
	}
	if w.gen != dmformat.V2of17 {
		w.method, w.wall, w.cpu = method, wall, cpu
	}
}

func (w *v2Writer) record17(e *trace.Event, wall, cpu uint64) {
	wall = wall<<2 | uint64(e.Action)
	w.body = dmformat.AppendSLEB(w.body, int64(wall-w.wall))
	if w.header.Clocks == 2 {
		w.body = dmformat.AppendSLEB(w.body, int64(cpu-w.cpu))
	}
	if e.Action == trace.Enter {
		method := w.d.ids.methods[e.Method]
		w.body = dmformat.AppendSLEB(w.body, int64(method-w.method))
		w.method = method
	}
	w.wall, w.cpu = wall, cpu
	if !w.d.follow {
		w.checkCall(e)
	}
}

// checkCall counts the exits that a reader of the 17th generation misinterprets, because it assumes
// that an exit leaves the innermost call.
func (w *v2Writer) checkCall(e *trace.Event) {
	for int(e.Thread) >= len(w.stacks) {
		w.stacks = append(w.stacks, nil)
	}
	stack := w.stacks[e.Thread]
	switch n := len(stack); {
	case e.Action == trace.Enter:
		w.stacks[e.Thread] = append(stack, e.Method)
	case n == 0:
		w.d.notef("exits of calls that began before the trace lose their method, such as %s", w.d.rec.Symbols.Method(e.Method))
	default:
		if stack[n-1] != e.Method {
			w.d.notef("an exit of %s, which is not the innermost method, becomes an exit of the innermost method", w.d.rec.Symbols.Method(e.Method))
		}
		w.stacks[e.Thread] = stack[:n-1]
	}
}

// times returns the times of e in units of the generation. If the trace has one clock, wall is its
// time.
func (w *v2Writer) times(e *trace.Event) (wall, cpu uint64) {
	wall, cpu = uint64(e.Time(w.d.clock)), uint64(e.CPU)
	switch {
	case w.gen == dmformat.V2of15:
		w.d.finer |= wall % 1000
		if w.header.Clocks == 2 {
			w.d.finer |= cpu % 1000
		}
		return wall / 1000, cpu / 1000
	case w.gen == dmformat.V2of17 && w.header.Frequency != 0 && w.d.clock.HasWall():
		return min(dmformat.TimeToTicks(time.Duration(wall), w.header.Frequency), maxTimeV2-1), cpu
	}
	return wall, cpu
}

// flushBlock ends the open block.
func (w *v2Writer) flushBlock() error {
	w.open = false
	w.head.Count, w.head.Bytes = uint32(w.events), uint32(len(w.body))
	if w.gen == dmformat.V2of15 {
		w.head.Count--
	}
	if w.whole {
		w.head.Count &= dmformat.MaxBlockRecords
	}
	if w.d.follow {
		if err := w.followBlock(); err != nil {
			return err
		}
	}
	out := w.head.Append(w.d.buf, w.gen, w.header.Clocks)
	if w.d.spill == nil {
		w.d.buf = append(out, w.body...)
	} else {
		head := out[len(w.d.buf):]
		if _, err := w.d.spill.Write(head); err != nil {
			return err
		}
		if _, err := w.d.spill.Write(w.body); err != nil {
			return err
		}
	}
	if len(w.d.buf) >= flushSize {
		return w.d.flush()
	}
	return nil
}

// finish writes the end of the file after the last event.
func (w *v2Writer) finish() error {
	d := w.d
	if err := w.begin(); err != nil {
		return err
	}
	if w.open {
		if err := w.flushBlock(); err != nil {
			return err
		}
	}
	d.noteTimesV2()
	if d.follow || w.fromRuntime() {
		if err := w.finishSource(); err != nil || d.follow && !d.rec.Source.HasSummary {
			return errors.Join(err, d.flush())
		}
	} else if err := w.announceRest(); err != nil {
		return err
	}
	if err := d.flush(); err != nil {
		return err
	}
	if d.spill != nil {
		if err := d.spill.CopyTo(d.w); err != nil {
			return err
		}
	}
	text := dmformat.SectionVersion + "\n" + strconv.Itoa(int(w.header.Version())) + "\n"
	for _, option := range d.options() {
		text += option + "\n"
	}
	var err error
	if d.buf, err = dmformat.AppendSummaryPacket(d.buf, []byte(text+dmformat.SectionEnd+"\n")); err != nil {
		return err
	}
	return d.flush()
}

// noteTimesV2 adds a note about times that microseconds cannot represent.
func (d *writer) noteTimesV2() {
	if d.variant.V2 == dmformat.V2of15 {
		d.noteTimes()
	}
}
