package dmtrace

import (
	"encoding/binary"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// blockWorker decodes blocks of format V2 ahead. For each it computes the state of the block's
// thread at its end, assuming no open call and clocks at 0 at its beginning.
type blockWorker struct {
	v  v2  // with its own methods
	of *v2 // the reader of the file; not accessed while decoding

	renamed int // number of redefinitions in the file's methods when they were learned
	methods int // number of known methods of the file
	tids    int // number of known threads of the file
	threads map[uint32]trace.ThreadID
	ends    []span // the V2of15 blocks of the chunk, because such blocks do not state their length

	thread v2Thread // thread of the block
	events []trace.Event
	runs   []blockRun // runs not taken yet, in order
	all    []blockRun
	stack  []trace.MethodID // calls that are open after the runs
	late   []lateCall
}

// span is the range of the records of a block, as offsets.
type span struct{ start, end int64 }

// blockRun is a sequence of records from the beginning of a block to its end, or to an invalid
// record.
type blockRun struct {
	off            int64 // position of the first record
	from, to       int   // range of their events
	bytes          int   // of the records
	thread         trace.ThreadID
	stack, stackTo int    // range in stack of the calls open after the run
	first, last    clocks // V2of15: at the first record, and after the last
	end            block  // the values of the last record
	late           bool   // some of the methods were unknown
	notShortest    bool
	reserved       int64
}

func (r blockRun) offset() int64 { return r.off }

// lateCall is a call of a method that was unknown when its block was decoded. Its events have
// lateMethod plus its index until they are delivered.
type lateCall struct {
	kind   lateKind
	id     uint64         // id of the method
	method trace.MethodID // the method, once it is known
}

type lateKind uint8

const (
	lateNamed  lateKind = iota // the id has not been defined yet
	lateOpen                   // the call began before the block
	lateOrphan                 // the record closes no call
	lateKnown
)

// maxAheadEvents is the maximum number of events of a block that are decoded ahead, and
// maxAheadBlock the maximum size of a block that is decoded ahead. ART's blocks have up to 262144
// records.
const (
	maxAheadEvents = 1 << 18
	maxAheadBlock  = 4 << 20 // bytes
)

// newWorker implements chunker.
func (v *v2) newWorker() *blockWorker {
	w := &blockWorker{of: v, threads: map[uint32]trace.ThreadID{}}
	w.v = v2{gen: v.gen, header: v.header, clock: v.clock, worker: w}
	return w
}

// learn implements worker.
func (w *blockWorker) learn(s *trace.Symbols) {
	for ; w.methods < len(s.Methods); w.methods++ {
		if uint32(w.methods)+1 != w.of.orphan {
			w.v.methods.set(s.Methods[w.methods].ID, trace.MethodID(w.methods))
		}
	}
	for ; w.tids < len(s.Threads); w.tids++ {
		w.threads[s.Threads[w.tids].TID] = trace.ThreadID(w.tids)
	}
	w.renamed = w.of.renamed
}

// decodeChunk implements worker.
func (w *blockWorker) decodeChunk(raw []byte, off int64) {
	w.events, w.all, w.stack, w.late = w.events[:0], w.all[:0], w.stack[:0], w.late[:0]
	blocks := 0
	for at := 0; at < len(raw); {
		head, n := w.v.packetSize(raw[at:])
		if raw[at] == dmformat.PacketEntries {
			if w.v.gen == dmformat.V2of15 {
				n = int(w.ends[blocks].end - w.ends[blocks].start)
			}
			blocks++
			h := dmformat.ParseBlockHead(raw[at:], w.v.gen, w.v.header.Clocks)
			w.block(h, raw[at+head:][:n], off+int64(at+head))
		}
		at += head + n
	}
	w.runs = w.all
}

// block decodes the records of a block. raw contains them.
func (w *blockWorker) block(h dmformat.BlockHead, raw []byte, off int64) {
	v := &w.v
	run := blockRun{off: off, from: len(w.events), stack: len(w.stack), thread: w.threads[h.TID]}
	unknown := len(w.late)
	w.thread = v2Thread{id: run.thread, stack: w.thread.stack[:0]}
	v.block = block{BlockHead: h, thread: &w.thread}
	v.notShortest, v.reserved = false, 0
	w.events = slices.Grow(w.events, 1+min(len(raw)/6, maxAheadEvents))
	if v.gen == dmformat.V2of15 {
		v.block.begin15()
		run.first = clocks{Shown: clockWord(h.Wall, h.CPU)}
		w.thread.times = run.first
		r, e := v.headRecord(), trace.Event{}
		v.fill(&e, &r) // 32 bits of microseconds are always in range
		w.events = append(w.events, e)
	}
	run.bytes = len(raw) - len(w.records(raw, run.from+maxAheadEvents))
	run.to, run.last, run.end = len(w.events), w.thread.times, v.block
	run.notShortest, run.reserved, run.late = v.notShortest, v.reserved, len(w.late) > unknown
	w.stack = append(w.stack, w.thread.stack...)
	run.stackTo = len(w.stack)
	w.all = append(w.all, run)
}

// records decodes up to most records, and returns the remaining bytes. It stops before an invalid
// record, at which the consumer returns the error.
func (w *blockWorker) records(raw []byte, most int) []byte {
	v := &w.v
	for len(raw) > 0 && len(w.events) < most {
		if len(w.events) == cap(w.events) {
			w.events = slices.Grow(w.events, 1024)
		}
		p := w.events[len(w.events):cap(w.events)]
		n, used := v.plain(p, raw)
		raw, w.events = raw[used:], w.events[:len(w.events)+n]
		if len(raw) == 0 || n == len(p) {
			continue
		}
		before, r := v.block, record{numbers: numbers{Rest: raw, Shortest: true}}
		if v.decode(&r); r.Bad != "" || !v.fill(&p[n], &r) {
			v.block = before
			break
		}
		v.notShortest = v.notShortest || !r.Shortest
		raw, w.events = r.Rest, w.events[:len(w.events)+1]
	}
	return raw
}

// add returns a placeholder for a method that is not known yet.
func (w *blockWorker) add(kind lateKind, id uint64) trace.MethodID {
	w.late = append(w.late, lateCall{kind: kind, id: id})
	return lateMethod + trace.MethodID(len(w.late)-1)
}

// cut implements chunker: it appends the next packets to a chunk.
func (v *v2) cut(src *input, c *chunk[*blockWorker]) {
	c.work.ends = c.work.ends[:0]
	for len(c.raw) < c.room {
		b, err := src.window(dmformat.ThreadHead, "a packet")
		if err != nil {
			return
		}
		if b[0] == dmformat.PacketMethod || b[0] == dmformat.PacketEntries {
			if b, err = src.window(dmformat.BlockHeadSize(dmformat.V2of15, 2), "a packet"); err != nil {
				return
			}
		}
		head, n := v.packetSize(b)
		records := span{src.off + int64(head), src.off + int64(head+n)}
		if b[0] == dmformat.PacketEntries && v.gen == dmformat.V2of15 {
			if records.end, err = blockEnd15(v.f, dmformat.ParseBlockHead(b, v.gen, v.header.Clocks), records.start, v.header.Clocks); err != nil {
				return
			}
			n = int(records.end - records.start)
		}
		if head == 0 || n > maxAheadBlock || records.end > v.f.base+v.f.size || len(c.raw) > 0 && len(c.raw)+n > maxAheadBlock {
			return
		}
		if b[0] == dmformat.PacketEntries {
			c.work.ends = append(c.work.ends, records)
		}
		if !v.pass(src, c, head+n) {
			return
		}
	}
}

// pass appends n bytes to a chunk. If they cannot be read, it appends nothing, and the reading ends
// there.
func (v *v2) pass(src *input, c *chunk[*blockWorker], n int) bool {
	whole := len(c.raw)
	for n > 0 {
		raw, err := src.window(1, "a packet")
		if err != nil {
			c.raw, v.in.broken = c.raw[:whole], err
			return false
		}
		raw = raw[:min(n, len(raw))]
		c.raw = append(c.raw, raw...)
		src.skip(len(raw))
		n -= len(raw)
	}
	return true
}

// packetSize returns the sizes of the fixed part and of the rest of the packet at the beginning of
// b. A block of V2of15 does not state the size of the rest. b contains the fixed part. head is 0
// for a summary, and for data that is not a packet.
func (v *v2) packetSize(b []byte) (head, n int) {
	switch b[0] {
	case dmformat.PacketThread:
		return dmformat.ThreadHead, int(binary.LittleEndian.Uint16(b[dmformat.ThreadHead-2:]))
	case dmformat.PacketMethod:
		return dmformat.MethodHead, int(binary.LittleEndian.Uint16(b[dmformat.MethodHead-2:]))
	case dmformat.PacketEntries:
		return dmformat.BlockHeadSize(v.gen, v.header.Clocks), lengthOf(dmformat.ParseBlockHead(b, v.gen, v.header.Clocks).Bytes)
	}
	return 0, 0
}

// take returns the events of the block that begins here, if they were decoded ahead and are usable.
// They are usable if the block begins as expected and ids still have the same meaning. The clocks
// of the events continue from those of the thread.
func (v *v2) take() *blockRun {
	w, ok := v.ahead.work()
	if !ok {
		return nil
	}
	run, b := runAt(&w.runs, v.in.off), &v.block
	if run == nil || run.from == run.to || w.renamed != v.renamed || v.gen == dmformat.V2of16 && b.method|b.wall|b.cpu != 0 {
		return nil
	}
	if t := &b.thread.times; v.gen == dmformat.V2of15 {
		t.Next(run.first.Shown)
		before := clocks{Wall: t.Wall, CPU: t.CPU}
		*t = clocks{Shown: run.last.Shown, Wall: run.last.Wall + before.Wall, CPU: run.last.CPU + before.CPU}
		if before != (clocks{}) {
			for i := range w.events[run.from:run.to] {
				e := &w.events[run.from+i]
				wall, cpu := e.Wall, e.CPU
				if v.clock == trace.ThreadCPU {
					wall = cpu
				}
				v.setTimes(e, uint64(wall+before.Wall), uint64(cpu+before.CPU))
			}
		}
	}
	v.notShortest = v.notShortest || run.notShortest
	v.reserved += run.reserved
	b.headed = false
	return run
}

// ready fills p with events of v.run. At the end of the run it sets the block's state to that after
// the run.
func (v *v2) ready(p []trace.Event) (n int, err error) {
	w, run, b := v.ahead.now.work, v.run, &v.block
	n = copy(p, w.events[run.from:run.to])
	if run.late {
		for i := range p[:n] {
			p[i].Method = v.settle(w, p[i].Method)
		}
	}
	if run.thread != b.thread.id {
		for i := range p[:n] {
			p[i].Thread = b.thread.id
		}
	}
	run.from += n
	b.events += int64(n)
	b.piece += int64(n)
	if run.from < run.to {
		return n, nil
	}
	for _, m := range w.stack[run.stack:run.stackTo] {
		b.thread.stack = append(b.thread.stack, v.settle(w, m))
	}
	b.method, b.wall, b.cpu = run.end.method, run.end.wall, run.end.cpu
	v.in.skip(run.bytes)
	v.run = nil
	if v.in.off == b.end {
		err = v.closeBlock()
	}
	return n, err
}

// settle returns the method that m denotes in a run.
func (v *v2) settle(w *blockWorker, m trace.MethodID) trace.MethodID {
	if m < lateMethod {
		return m
	}
	late := &w.late[m-lateMethod]
	switch late.kind {
	case lateNamed:
		late.method = v.lookup(late.id)
	case lateOpen:
		late.method = v.innermost(v.block.thread)
	case lateOrphan:
		late.method = v.noCall()
	}
	late.kind = lateKnown
	return late.method
}
