package dmtrace

import (
	"io"
	"math"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// longRunBlock is a block of the file.
type indexedBlock struct {
	off, size int64 // of its records
	tid       uint32
	records   int64
	first     uint64 // raw times: of the first record,
	last      uint64 // the last,
	least     uint64 // and the earliest one
	enters    int    // that it begins with, all at its first time
	next      uint64 // the raw time after these; 0 for none
	inNS      bool   // these are frames of the start, whose time is in ns
}

// longRunWalk goes over the records of a block.
type longRunWalk struct {
	in           *input
	rest         int64
	n            int64
	time, method uint64
	shortest     bool
}

// index goes over all packets.
func (l *longRunReader) index(in *input) error {
	for {
		b, err := in.window(1, "a packet")
		if err == io.EOF {
			if l.mixed {
				l.f.warnf(warnLayout, "blocks of entries follow threads or methods; written back, they come first")
			}
			return nil
		} else if err != nil {
			return err
		}
		switch b[0] {
		case dmformat.PacketEntries:
			err = l.indexBlock(in)
		case dmformat.PacketThread, dmformat.PacketMethod:
			err = l.symbol(in, b[0])
		case dmformat.PacketSummary:
			err = l.summary(in)
		default:
			err = in.errorf("unknown packet code %d (a long-running-methods profile has 0 thread, 1 method, 2 entries)", b[0])
		}
		if err != nil {
			return err
		}
	}
}

// indexBlock goes over one block, which it believes only when its bytes and its
// count fit together.
func (l *longRunReader) indexBlock(in *input) error {
	start := in.off
	l.mixed = l.mixed || len(l.f.Source.Announced) > 0
	size := dmformat.BlockHeadSize(dmformat.V2of17, 1)
	raw, err := in.window(size, "a block of entries")
	if err != nil {
		return err
	}
	h := dmformat.ParseBlockHead(raw, dmformat.V2of17, 1)
	in.skip(size)
	b := &indexedBlock{off: in.off, size: int64(h.Bytes), tid: h.TID, least: math.MaxUint64}
	w := longRunWalk{in: in, rest: b.size, shortest: true}
	for w.rest > 0 {
		exit, err := w.step()
		if err != nil {
			return err
		}
		b.take(w.time, exit)
	}
	if uint32(w.n)&0xffffff != h.Count {
		return &trace.FormatError{Name: in.name, Offset: start, Msg: "a block's number of records does not match its bytes"}
	}
	if !w.shortest {
		l.f.warnf(warnLayout, "some numbers have more bytes than they need; written back, they are shorter")
	}
	l.blocks = append(l.blocks, b)
	return nil
}

// take counts a record.
func (b *indexedBlock) take(time uint64, exit bool) {
	if b.records == 0 {
		b.first = time
	}
	switch leading := int64(b.enters) == b.records; {
	case leading && !exit && time == b.first:
		b.enters++
	case leading:
		b.next = time
	}
	b.last, b.least = time, min(b.least, time&^1)
	b.records++
}

// step reads the next record.
func (w *longRunWalk) step() (exit bool, err error) {
	const most = 2 * dmformat.MaxLEB128
	raw, err := w.in.window(int(min(w.rest, most)), "a block of entries")
	if err != nil {
		if err == io.EOF {
			err = w.in.cut("the file ends within a block of entries", err)
		}
		return false, err
	}
	raw = raw[:min(w.rest, most, int64(len(raw)))]
	r := numbers{Rest: raw, Shortest: true}
	w.time += r.Sleb()
	if exit = w.time&1 != 0; !exit && r.Bad == "" {
		w.method += r.Sleb()
	}
	if r.Bad != "" {
		return false, w.in.errorf("record %d of a block: %s", w.n, r.Bad)
	}
	used := len(raw) - len(r.Rest)
	w.in.skip(used)
	w.rest -= int64(used)
	w.n++
	w.shortest = w.shortest && r.Shortest
	return exit, nil
}

// summary skips the packet that later sources write between the last and the
// flushed blocks.
func (l *longRunReader) summary(in *input) error {
	if _, err := in.window(dmformat.LongRunSummary, "a packet with the end of the trace"); err != nil {
		return err
	}
	in.skip(dmformat.LongRunSummary)
	l.f.warnf(warnLayout, "the file says when the trace ended, as ART after Android 16 does; written back it does not")
	return nil
}

// symbol reads a thread or method packet.
func (l *longRunReader) symbol(in *input, code byte) error {
	start := in.off
	if code == dmformat.PacketThread {
		tid, name, err := l.f.threadPacket(in, 0)
		if err != nil {
			return err
		}
		return l.addThread(trace.Thread{TID: tid, Name: name}, start)
	}
	id, line, err := l.f.methodPacket(in, 0)
	if err != nil {
		return err
	}
	m, note := dmformat.ParseMethodText(id, line)
	if note != "" {
		l.f.warnf(trace.WarnTableLine, "%s", note)
	}
	l.methods[id] = l.f.Symbols.AddMethod(m)
	return l.f.checkMethods(in)
}

func (l *longRunReader) addThread(t trace.Thread, offset int64) error {
	id, err := l.f.Symbols.AddThread(t)
	if err != nil {
		return &trace.FormatError{Name: l.f.name, Offset: offset, Msg: err.Error()}
	}
	l.threads[t.TID] = &longRunThread{id: id}
	return nil
}
