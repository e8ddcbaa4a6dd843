package dmtrace

import (
	"errors"
	"io"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// openBlock reads the head of an entries packet.
func (v *v2) openBlock() error {
	start := v.in.off
	size := dmformat.BlockHeadSize(v.gen, v.header.Clocks)
	b, err := v.in.window(size, "an entries packet")
	if err != nil {
		return err
	}
	v.block = block{BlockHead: dmformat.ParseBlockHead(b, v.gen, v.header.Clocks)}
	if v.threads[v.block.TID] == nil {
		if err := v.addThread(trace.Thread{TID: v.block.TID, Unlisted: true}, start); err != nil {
			return err
		}
	}
	v.block.end = start + int64(size) + int64(v.block.Bytes)
	if v.gen == dmformat.V2of15 {
		v.block.begin15()
		if v.block.end, err = v.blockEnd15(start + int64(size)); err != nil {
			return err
		}
	}
	if v.continues(start) {
		v.f.warnf(warnLayout, "ART split a block of events of thread %d at 3 MiB; convert writes it as two blocks", v.block.TID)
		v.block.method, v.block.wall, v.block.cpu = v.previous.method, v.previous.wall, v.previous.cpu
		v.block.Count -= v.previous.Count
	}
	v.block.thread = v.threads[v.block.TID]
	v.in.skip(size)
	if v.block.headed || v.in.off < v.block.end {
		return nil
	}
	return v.closeBlock()
}

// begin15 begins a V2of15 block. Its first record is in the head.
func (b *block) begin15() {
	b.headed = true
	b.method, b.wall, b.cpu = b.First, uint64(b.Wall), uint64(b.CPU)
}

// blockEnd15 returns the end of a V2of15 block with records that begin at start.
func (v *v2) blockEnd15(start int64) (int64, error) {
	if w, ok := v.ahead.work(); ok && len(v.in.mem) > 0 {
		for _, s := range w.ends {
			if s.start == start {
				return s.end, nil
			}
		}
	}
	return blockEnd15(v.f, v.block.BlockHead, start, v.header.Clocks)
}

// continues reports whether the block at start is the second part of a run that
// ART of Android 16 split: its buffer had no room for another record.
func (v *v2) continues(start int64) bool {
	p := &v.previous
	used := int64(p.Bytes) + int64(dmformat.BlockHeadSize(v.gen, v.header.Clocks))
	return v.gen == dmformat.V2of16 && p.thread != nil && p.end == start && p.TID == v.block.TID &&
		used <= dmformat.SplitSize && used > dmformat.SplitSize-int64(dmformat.MaxRecordV2(v.f.Info.Clock))
}

// closeBlock ends the block and checks its count.
func (v *v2) closeBlock() error {
	b := &v.block
	stated := int64(b.Count)
	if v.gen == dmformat.V2of15 {
		stated++
	}
	if b.events != stated && b.events&0xffff != stated&0xffff {
		w := trace.Warnf(warnBlockCount, v.f.name, "a block of thread %d has %d records, but its header states %d", b.TID, b.events, stated)
		w.Offset = v.in.off
		v.f.warn(w)
	}
	v.keepPiece()
	v.previous, v.block = v.block, block{}
	return nil
}

// keepPiece adds the events since its last call to the layout of the file.
func (v *v2) keepPiece() {
	src := v.f.Source
	if len(src.Blocks) == maxBlocks {
		v.f.warnf(warnLayout, "the file has more than %d blocks; convert does not preserve the layout of further blocks", maxBlocks)
	}
	if len(src.Blocks) <= maxBlocks {
		src.Blocks = append(src.Blocks, trace.Block{TID: v.block.TID, Events: v.block.piece, Count: v.block.Count, Announced: len(src.Announced)})
	}
	v.block.piece = 0
}

// entries reads records of the block into p.
func (v *v2) entries(p []trace.Event) (n int, err error) {
	b := &v.block
	if b.events == 0 && v.run == nil {
		v.run = v.take()
	}
	if v.run != nil {
		return v.ready(p)
	}
	if b.headed {
		b.headed = false
		r := v.headRecord()
		if !v.event(&p[0], &r) {
			return 0, v.outOfRange(&r)
		}
		n = 1
	}
	for n < len(p) && v.in.off < b.end && err == nil {
		var k int
		k, err = v.window(p[n:])
		n += k
	}
	if err == nil && v.in.off == b.end {
		err = v.closeBlock()
	}
	return n, err
}

// window decodes the records that are in memory.
func (v *v2) window(p []trace.Event) (_ int, err error) {
	rest := v.block.end - v.in.off
	raw, cut := v.in.window(int(min(rest, maxRecord)), "a block of entries")
	if cut != nil { // the last bytes may contain whole records
		raw = v.in.head(maxRecord)
	}
	raw = raw[:min(rest, int64(len(raw)))]
	whole := cut != nil || int64(len(raw)) == rest
	n, used := v.plain(p, raw)
	r := record{numbers: numbers{Rest: raw[used:], Shortest: true}}
	for n < len(p) && len(r.Rest) > 0 && (whole || len(r.Rest) >= maxRecord) {
		v.decode(&r)
		if r.Bad == recordCut && cut != nil {
			break
		}
		if r.Bad != "" {
			v.in.skip(used)
			return n, v.errorInBlock("%s", r.Bad)
		}
		if !v.event(&p[n], &r) {
			v.in.skip(used)
			return n, v.outOfRange(&r)
		}
		used = len(raw) - len(r.Rest)
		n++
		k, more := v.plain(p[n:], r.Rest)
		n, used, r.Rest = n+k, used+more, r.Rest[more:]
	}
	v.notShortest = v.notShortest || !r.Shortest
	v.in.skip(used)
	switch {
	case n == len(p):
		cut = nil // more bytes may follow
	// report the position of the first incomplete record
	case cut == io.EOF, errors.Is(cut, io.ErrUnexpectedEOF):
		cut = v.in.cut(blockCut, io.EOF)
	}
	return n, cut
}

// event converts a record of the block to an event; it returns false if a time is out of range.
func (v *v2) event(e *trace.Event, r *record) bool {
	if !v.fill(e, r) {
		return false
	}
	v.block.events++
	if v.block.piece++; v.block.piece == maxPiece && v.in.off < v.block.end {
		v.f.warnf(warnLayout, "a block of thread %d has more than %d records; convert splits the block", v.block.TID, maxPiece)
		v.keepPiece()
	}
	return true
}

// outOfRange is the error of the record at the position of the input.
func (v *v2) outOfRange(r *record) error {
	return v.errorInBlock("a time is out of range: wall %d, CPU %d", r.wall, r.cpu)
}

// fill sets e to the event of a record; it returns false if a time is out of range.
func (v *v2) fill(e *trace.Event, r *record) bool {
	th := v.block.thread
	wall, ok := v.nanoseconds(r.wall)
	cpu, cpuOK := time.Duration(r.cpu), int64(r.cpu) >= 0
	if v.gen == dmformat.V2of15 {
		// ART adds in 32 bits, so sums beyond that have wrapped.
		wall, cpu = th.times.Next(clockWord(uint32(r.wall), uint32(r.cpu)))
		ok, cpuOK = true, true
	}
	if !ok || !cpuOK {
		return false
	}
	v.setTimes(e, uint64(wall), uint64(cpu))
	// The fields are set individually. Copying an event that was just built has to wait for its
	// parts.
	e.Thread, e.Action, e.Site = th.id, r.action, 0
	if r.action > trace.Unwind {
		v.reserved++
	}
	if v.gen == dmformat.V2of17 {
		e.Method = v.call(th, r)
	} else {
		e.Method = v.lookup(r.method)
	}
	return true
}

// call returns the method of a V2of17 record. Only an enter contains the method; any other action
// closes the innermost call. The method of a call that began before the trace is unknown.
func (v *v2) call(th *v2Thread, r *record) trace.MethodID {
	if r.action == trace.Enter {
		id := v.lookup(r.method)
		th.stack = append(th.stack, id)
		return id
	}
	return v.innermost(th)
}

// innermost closes the innermost call and returns its method.
func (v *v2) innermost(th *v2Thread) trace.MethodID {
	if n := len(th.stack); n > 0 {
		id := th.stack[n-1]
		th.stack = th.stack[:n-1]
		return id
	}
	if v.worker != nil {
		return v.worker.add(lateOpen, 0)
	}
	return v.noCall()
}

// noCall returns the method of a record that closes no call.
func (v *v2) noCall() trace.MethodID {
	if v.worker != nil {
		return v.worker.add(lateOrphan, 0)
	}
	if v.orphan == 0 {
		v.orphan = uint32(v.f.Symbols.AddMethod(trace.Method{Unlisted: true})) + 1
	}
	return trace.MethodID(v.orphan - 1)
}

// setTimes sets the times of e from those of a record, in ns. If the trace has one clock, wall is
// its time.
func (v *v2) setTimes(e *trace.Event, wall, cpu uint64) {
	if e.Wall, e.CPU = time.Duration(wall), 0; v.clock == trace.Dual {
		e.CPU = time.Duration(cpu)
	} else if v.clock == trace.ThreadCPU {
		e.Wall, e.CPU = 0, time.Duration(wall)
	}
}
