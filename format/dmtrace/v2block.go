package dmtrace

import (
	"errors"
	"io"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// openBlock reads the head of an entries packet.
func (v *v2) openBlock() error {
	start := v.in.Off
	size := dmformat.BlockHeadSize(v.gen, v.header.Clocks)
	b, err := v.in.Window(size, "an entries packet")
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
		v.f.Warnf(trace.WarnLayout, "a run of thread %d that ART split at 3 MiB is written back as two", v.block.TID)
		v.block.method, v.block.wall, v.block.cpu = v.previous.method, v.previous.wall, v.previous.cpu
		v.block.Count -= v.previous.Count
	}
	v.block.thread = v.threads[v.block.TID]
	v.in.Skip(size)
	if v.block.headed || v.in.Off < v.block.end {
		return nil
	}
	return v.closeBlock()
}

// begin15 begins a V2of15 block, which has its first record in the head.
func (b *block) begin15() {
	b.headed = true
	b.method, b.wall, b.cpu = b.First, uint64(b.Wall), uint64(b.CPU)
}

// blockEnd15 returns where the V2of15 block ends whose records begin at start.
func (v *v2) blockEnd15(start int64) (int64, error) {
	if w, ok := v.ahead.Work(); ok && len(v.in.Mem) > 0 {
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

// closeBlock ends the block: its count must be right.
func (v *v2) closeBlock() error {
	b := &v.block
	stated := int64(b.Count)
	if v.gen == dmformat.V2of15 {
		stated++
	}
	if b.events != stated && b.events&0xffff != stated&0xffff {
		w := trace.Warnf(trace.WarnBlockCount, v.f.Name, "a block of thread %d has %d records, but its header says %d", b.TID, b.events, stated)
		w.Offset = v.in.Off
		v.f.Warn(w)
	}
	v.keepPiece()
	v.previous, v.block = v.block, block{}
	return nil
}

// keepPiece adds the events since its last call to the layout.
func (v *v2) keepPiece() {
	src := v.f.Source
	if len(src.Blocks) == maxBlocks {
		v.f.Warnf(trace.WarnLayout, "the file has more than %d blocks; the layout of the others is not kept", maxBlocks)
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
	for n < len(p) && v.in.Off < b.end && err == nil {
		var k int
		k, err = v.window(p[n:])
		n += k
	}
	if err == nil && v.in.Off == b.end {
		err = v.closeBlock()
	}
	return n, err
}

// window reads the records that are in memory.
func (v *v2) window(p []trace.Event) (_ int, err error) {
	rest := v.block.end - v.in.Off
	raw, cut := v.in.Window(int(min(rest, MaxRecord)), "a block of entries")
	if cut != nil { // the last bytes may have whole records
		raw = v.in.Head(MaxRecord)
	}
	raw = raw[:min(rest, int64(len(raw)))]
	whole := cut != nil || int64(len(raw)) == rest
	n, used := v.plain(p, raw)
	r := record{Numbers: Numbers{Rest: raw[used:], Shortest: true}}
	for n < len(p) && len(r.Rest) > 0 && (whole || len(r.Rest) >= MaxRecord) {
		v.decode(&r)
		if r.Bad == RecordCut && cut != nil {
			break
		}
		if r.Bad != "" {
			v.in.Skip(used)
			return n, v.errorInBlock("%s", r.Bad)
		}
		if !v.event(&p[n], &r) {
			v.in.Skip(used)
			return n, v.outOfRange(&r)
		}
		used = len(raw) - len(r.Rest)
		n++
		k, more := v.plain(p[n:], r.Rest)
		n, used, r.Rest = n+k, used+more, r.Rest[more:]
	}
	v.notShortest = v.notShortest || !r.Shortest
	v.in.Skip(used)
	switch {
	case n == len(p):
		cut = nil // there may be more
	case cut == io.EOF, errors.Is(cut, io.ErrUnexpectedEOF): // say where the first record is that is not whole
		cut = v.in.Cut("the file ends within a block of entries", io.EOF)
	}
	return n, cut
}
