package dmtrace

import (
	"errors"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// recordWorker decodes records of one size ahead. For each uninterrupted run of records, it
// computes the state of the run's threads at its end, assuming no open frame and clocks at 0 at its
// beginning.
type recordWorker struct {
	recs    records // with tables of its own
	of      *tables // the file's tables; not accessed while decoding
	renamed int     // the value of the file's tables.renamed when they were learned

	places  []int32 // 1 + the index of the thread with a record's tid; 0 for none
	methods int     // number of the file's methods that are in the tables
	tids    int     // number of the file's threads that are in places

	events []trace.Event
	runs   []recordRun // runs not taken yet, in order
	all    []recordRun
	met    []metThread
	late   late
}

// recordRun is an uninterrupted sequence of records of a file.
type recordRun struct {
	off        int64 // position of the first record
	from, to   int   // range of their events
	met, metTo int   // range of their threads
	late       bool  // some of their methods were unknown
	seen
	taken bool // the file's tables include its effects
}

func (r recordRun) offset() int64 { return r.off }

// metThread is a thread with records in a run.
type metThread struct {
	tid   uint32
	first clocks // at its first record
	last  thread // after its last record; its open frames do not count those open at the first
}

// deepest returns the maximum number of open frames, given the number at the beginning.
func (m *metThread) deepest(open int32) int32 {
	return max(open+m.last.low, 0) + m.last.open() + m.last.left()
}

// newAhead returns the decoder of the file's records on several cores, or nil if the file is too
// small.
//
// A file is decoded in place if a clock can wrap, because times then depend on the order of the
// file, or if padding must be kept.
func (r *records) newAhead() *ahead[*recordWorker] {
	if !r.wall.steady || r.padding != nil {
		return nil
	}
	return newAhead(r.f, r)
}

// newWorker implements chunker.
func (r *records) newWorker() *recordWorker {
	w := &recordWorker{of: r.tables, recs: records{layout: r.layout, clock: r.clock, wall: r.wall,
		tables: &tables{tidMask: r.tidMask, streaming: r.streaming, sparse: map[uint32]uint32{}}}}
	w.recs.run = w
	return w
}

// learn implements worker.
func (w *recordWorker) learn(s *trace.Symbols) {
	for ; w.methods < len(s.Methods); w.methods++ {
		w.recs.define(s.Methods[w.methods].ID, trace.MethodID(w.methods))
	}
	for ; w.tids < len(s.Threads); w.tids++ {
		tid := int(s.Threads[w.tids].TID & w.recs.tidMask)
		if more := tid + 1 - len(w.places); more > 0 {
			w.places = append(w.places, make([]int32, more)...)
		}
		w.places[tid] = int32(w.tids) + 1
	}
	w.renamed = w.of.renamed
}

// decodeChunk implements worker.
func (w *recordWorker) decodeChunk(raw []byte, off int64) {
	size := w.recs.layout.Size
	if most := len(raw) / size; most > len(w.events) {
		w.events = make([]trace.Event, most)
	}
	w.all, w.met = w.all[:0], w.met[:0]
	w.late.IDs = w.late.IDs[:0]
	events := 0
	for at := 0; at < len(raw); {
		if w.recs.streaming && raw[at]|raw[at+1] == 0 {
			at += itemLength(raw[at:])
			continue
		}
		run := recordRun{off: off + int64(at), from: events, met: len(w.met)}
		unknown := len(w.late.IDs)
		w.recs.seen = seen{}
		// The consumer meets the same error when it decodes the rest of the run.
		n, err := w.recs.decode(w.events[events:][:(len(raw)-at)/size], raw[at:])
		w.end(run.met)
		events += n
		at += n * size
		run.to, run.metTo, run.seen, run.late = events, len(w.met), w.recs.seen, len(w.late.IDs) > unknown
		w.all = append(w.all, run)
		if err != nil {
			at += w.recs.span(raw[at:])
		}
	}
	w.runs = w.all
}

// begin adds a thread to the run, at its first record.
func (w *recordWorker) begin(tid uint32, b []byte) error {
	if int(tid) >= len(w.places) || w.places[tid] == 0 {
		return errNotKnown
	}
	first := clocks{Shown: w.recs.shown(b[w.recs.layout.TIDBytes+4:])}
	*w.recs.thread(tid) = thread{place: w.places[tid], clocks: first}
	w.met = append(w.met, metThread{tid: tid, first: first})
	return nil
}

// errNotKnown is the error of a record with a thread that was unknown when its chunk was cut.
var errNotKnown = errors.New("not known yet")

// end ends the run with threads from index met on.
func (w *recordWorker) end(met int) {
	for i := range w.met[met:] {
		m := &w.met[met+i]
		t := w.recs.thread(m.tid)
		m.last, *t = *t, thread{}
	}
}

// ready fills p with events that were decoded ahead from the position of in on. It returns their
// number, or 0 if there are none.
func (r *records) ready(a *ahead[*recordWorker], in *input, p []trace.Event) int {
	w, ok := a.work()
	if !ok {
		return 0
	}
	run := runAt(&w.runs, in.off)
	if run == nil || !run.taken && !r.take(w, run) {
		return 0
	}
	n := copy(p, w.events[run.from:run.to])
	if run.late {
		for i := range p[:n] {
			if id, ok := w.late.Of(p[i].Method); ok {
				p[i].Method = r.methodOf(uint32(id))
			}
		}
	}
	run.from += n
	run.off += int64(n * r.layout.Size)
	in.skip(n * r.layout.Size)
	return n
}

// methodOf returns the method that id denotes now.
func (r *records) methodOf(id uint32) trace.MethodID {
	method := r.lookup(id)
	if method == 0 {
		method = r.newMethod(id)
	}
	return trace.MethodID(method - 1)
}

// take advances the threads of a run to its end, and sets the times of its events according to the
// clocks of the threads before it. It changes nothing and returns false if a thread might exceed
// the limit of open frames, or if the run's tids and ids now have another meaning.
func (r *records) take(w *recordWorker, run *recordRun) bool {
	met := w.met[run.met:run.metTo]
	if w.renamed != r.renamed {
		return false
	}
	for i := range met {
		if m := &met[i]; m.deepest(r.thread(m.tid).open()) > r.deepest {
			return false
		}
	}
	var turns []clocks // by thread: the wraps of its clocks before the run
	for i := range met {
		m := &met[i]
		t := r.thread(m.tid)
		t.clocks.Next(m.first.Shown)
		before := clocks{Wall: t.Wall, CPU: t.CPU}
		// If n frames are open at the beginning of a run, n + last.open are open at its end, except
		// for frames that the run closes and that were not open.
		open := max(t.open()+m.last.low, 0) + m.last.open()
		t.frames = framesOf(open, r.deepest-open)
		t.clocks = clocks{Shown: m.last.Shown, Wall: m.last.Wall + before.Wall, CPU: m.last.CPU + before.CPU}
		if before != (clocks{}) {
			if turns == nil {
				turns = make([]clocks, len(r.f.Symbols.Threads))
			}
			turns[t.place-1] = before
		}
	}
	if turns != nil {
		for i := range w.events[run.from:run.to] {
			e := &w.events[run.from+i]
			e.Wall += turns[e.Thread].Wall
			e.CPU += turns[e.Thread].CPU
		}
	}
	r.junk = r.junk || run.junk
	r.reserved += run.reserved
	run.taken = true
	return true
}

// cut implements chunker: it appends the following records, and the announcements among them, to a
// chunk.
func (r *records) cut(src *input, c *chunk[*recordWorker]) {
	for len(c.raw) < c.room {
		raw, err := src.window(r.layout.Size, "a record")
		if err != nil {
			return
		}
		n := r.span(raw[:min(len(raw), max(c.room-len(c.raw), r.layout.Size))])
		if n == 0 {
			if n = itemLength(raw); n < 0 || raw[2] == dmformat.ItemSummary {
				return
			}
			if raw, err = src.window(n, "an item"); err != nil {
				return
			}
		}
		c.raw = append(c.raw, raw[:n]...)
		src.skip(n)
	}
}

// span returns the number of bytes of the records at the beginning of raw, up to an item that is
// not a record.
func (r *records) span(raw []byte) int {
	size := r.layout.Size
	if !r.streaming {
		return len(raw) / size * size
	}
	at := 0
	for at+size <= len(raw) && raw[at]|raw[at+1] != 0 {
		at += size
	}
	return at
}
