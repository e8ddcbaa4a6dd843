package dmtrace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// longRunReader reads a long-running-methods profile. A thread's last block precedes its others,
// and the symbols follow all blocks. The reader therefore finds the positions in a first pass and
// then reads the blocks in time order.
type longRunReader struct {
	f       *File
	gen     *dmformat.LongRun
	hz      uint64
	threads map[uint32]*longRunThread
	methods map[uint64]trace.MethodID
	blocks  []*indexedBlock // in file order, then in time order
	end     error           // the error, or io.EOF, after the blocks

	in     *input // the bytes of the block being read
	walk   longRunWalk
	at     int // index of the block being read
	inside bool
	mixed  bool // some blocks come after symbols
	orphan trace.MethodID
	err    error
}

type longRunThread struct {
	id     trace.ThreadID
	stack  []trace.MethodID
	blocks []*indexedBlock
}

// openLongRun finds the blocks and reads the symbols.
func openLongRun(f *File, in *input) error {
	in, err := f.seekable(in)
	if err != nil {
		return err
	}
	l := &longRunReader{f: f, hz: f.options.CounterHz, threads: map[uint32]*longRunThread{}, methods: map[uint64]trace.MethodID{}, end: io.EOF}
	f.Source = &trace.Source{HasSummary: true, Announced: []trace.Announcement{}}
	f.Info.Events, f.Info.VM, f.Info.Clock, f.Info.Technique = -1, "art", trace.Wall, trace.Instrumented
	if err := l.index(in); err != nil {
		var broken *trace.FormatError
		switch {
		case !errors.As(err, &broken):
			return err
		case len(l.blocks) == 0 && f.options.Format == "":
			return &trace.FormatError{Name: f.name, Msg: "the file is not a method trace: it begins with byte 2, but is not a long-running-methods profile", Err: err}
		}
		l.end = err
	}
	l.chooseGeneration()
	if l.hz > 1e9 {
		return fmt.Errorf("%s: the counter runs at %d Hz; convert preserves only frequencies up to 1 GHz exactly", f.name, l.hz)
	}
	if l.hz == 0 && !l.gen.Nanoseconds {
		l.hz = dmformat.DefaultCounterHz
		f.warnf(warnCounter, "the file does not state the frequency of its timestamp counter; 24.576 MHz is assumed")
	}
	if err := l.arrange(); err != nil {
		return err
	}
	l.in = newInput(nil, f.name, 0)
	f.Events = l
	return nil
}

// chooseGeneration determines the generation of the file: the requested one; otherwise the presence
// of packets that define threads decides.
func (l *longRunReader) chooseGeneration() {
	l.gen = dmformat.LongRunByName(l.f.options.Format)
	if l.gen == nil {
		l.gen = dmformat.LongRunByName(dmformat.LongRun16)
		switch named := len(l.threads) > 0; {
		case named:
			l.gen = dmformat.LongRunByName(dmformat.LongRun2025)
		case l.end != io.EOF && len(l.methods) == 0:
			l.f.warnf(warnLayout, "the file ends before its format is certain; artifice reads the file as %s", l.gen.Name)
		}
	}
	l.f.Source.Format = l.gen.Name
}

// ReadEvents implements [trace.Reader].
func (l *longRunReader) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && l.err == nil {
		switch {
		case l.inside && l.walk.rest > 0:
			if l.err = l.event(&p[n]); l.err == nil {
				n++
			}
		case l.inside:
			l.inside = false
			l.at++
		case l.at < len(l.blocks):
			l.openBlock(l.blocks[l.at])
		default:
			l.err = l.end
		}
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, l.err
}

func (l *longRunReader) openBlock(b *indexedBlock) {
	l.in.r.Reset(io.NewSectionReader(l.f.plain, b.off-l.f.base, b.size))
	l.in.off = b.off
	l.walk = longRunWalk{in: l.in, rest: b.size}
	l.inside = true
	l.f.Source.Blocks = append(l.f.Source.Blocks, trace.Block{TID: b.tid, Events: b.records, Count: uint32(b.records)})
}

// event reads the next record of the block.
func (l *longRunReader) event(e *trace.Event) error {
	b := l.blocks[l.at]
	th := l.threads[b.tid]
	exit, err := l.walk.step()
	if err != nil {
		return err
	}
	at, ok := l.time(l.walk.time)
	if b.inNS && l.walk.n <= int64(b.enters) {
		at, ok = time.Duration(l.walk.time), l.walk.time <= math.MaxInt64
	}
	if !ok {
		return l.in.errorf(counterRange)
	}
	*e = trace.Event{Wall: at - l.f.Info.Start, Thread: th.id}
	if !exit {
		e.Method = l.method(l.walk.method)
		th.stack = append(th.stack, e.Method)
		return nil
	}
	e.Action = trace.Exit
	if n := len(th.stack); n > 0 {
		e.Method, th.stack = th.stack[n-1], th.stack[:n-1]
		return nil
	}
	if l.orphan == 0 {
		l.orphan = l.f.Symbols.AddMethod(trace.Method{Unlisted: true}) + 1
	}
	e.Method = l.orphan - 1
	return nil
}

// time computes the time from a record's time and action fields.
func (l *longRunReader) time(raw uint64) (at time.Duration, ok bool) {
	if l.gen.Nanoseconds {
		return time.Duration(raw >> 1), true
	}
	return dmformat.TicksToTime(raw&^1, l.hz)
}

func (l *longRunReader) method(id uint64) trace.MethodID {
	m, ok := l.methods[id]
	if !ok {
		m = l.f.Symbols.AddMethod(trace.Method{ID: id, Unlisted: true})
		l.methods[id] = m
	}
	return m
}

// Position returns the position of the reader.
func (l *longRunReader) Position() int64 { return l.in.off }

// arrange sorts the blocks by time. A thread's first block in the file is its last one if it ends
// after the others.
func (l *longRunReader) arrange() error {
	for _, b := range l.blocks {
		if l.threads[b.tid] == nil {
			if err := l.addThread(trace.Thread{TID: b.tid, Unlisted: true}, b.off); err != nil {
				return err
			}
		}
		th := l.threads[b.tid]
		th.blocks = append(th.blocks, b)
	}
	var early, last []*indexedBlock
	for _, b := range l.blocks {
		all := l.threads[b.tid].blocks
		if b == all[0] && (len(all) == 1 || b.records == 0 || b.last >= all[1].last) {
			last = append(last, b)
		} else {
			early = append(early, b)
		}
	}
	inTime := append(early, last...)
	if !slices.Equal(lastFirst(inTime), l.blocks) {
		l.f.warnf(warnLayout, "the blocks are not in the order in which ART writes them; convert writes each thread's last block first")
	}
	l.blocks = inTime
	return l.findStart()
}

// lastFirst returns blocks in the order of a file.
func lastFirst(blocks []*indexedBlock) []*indexedBlock {
	last := map[uint32]*indexedBlock{}
	for _, b := range blocks {
		last[b.tid] = b
	}
	var first, rest []*indexedBlock
	for _, b := range blocks {
		if last[b.tid] == b {
			first = append(first, b)
		} else {
			rest = append(rest, b)
		}
	}
	return append(first, rest...)
}

// findStart finds the frames that were open at the start, and determines the start of the trace
// from all times. The time of these frames is in ns and far above the counter's values, unless the
// counter also counts ns.
func (l *longRunReader) findStart() error {
	latest := uint64(0) // latest time that is certainly a counter value
	for _, b := range l.blocks {
		if b.next != 0 {
			latest = max(latest, b.last)
		}
	}
	begin := time.Duration(math.MaxInt64)
	seen := map[uint32]bool{}
	for _, b := range l.blocks {
		if b.records == 0 {
			continue
		}
		if !l.gen.Nanoseconds && !seen[b.tid] && b.enters > 0 && (b.next != 0 && b.first > b.next || b.next == 0 && latest != 0 && b.first > latest) {
			b.inNS = true
			l.f.Symbols.Threads[l.threads[b.tid].id].Open = b.enters
			begin = min(begin, time.Duration(b.first))
		}
		seen[b.tid] = true
		if b.inNS && b.next == 0 {
			continue
		}
		at, ok := l.time(b.least)
		if _, fits := l.time(b.last); !ok || !fits {
			return &trace.FormatError{Name: l.f.name, Offset: b.off, Msg: counterRange}
		}
		begin = min(begin, at)
	}
	if begin != math.MaxInt64 {
		l.f.Info.Start = begin
	}
	return nil
}

// indexedBlock is a block of the file.
type indexedBlock struct {
	off, size int64 // of its records
	tid       uint32
	records   int64
	first     uint64 // raw times of the first record,
	last      uint64 // of the last record,
	least     uint64 // and the earliest raw time
	enters    int    // number of enters at the beginning of the block, all at its first time
	next      uint64 // the raw time after these enters; 0 if there is none
	inNS      bool   // these enters are frames of the start, with a time in ns
}

// longRunWalk iterates over the records of a block.
type longRunWalk struct {
	in           *input
	rest         int64
	n            int64
	time, method uint64
	shortest     bool
}

// index reads all packets and records their positions.
func (l *longRunReader) index(in *input) error {
	for {
		b, err := in.window(1, "a packet")
		if err == io.EOF {
			if l.mixed {
				l.f.warnf(warnLayout, "blocks of entries follow packets of threads or methods; convert writes the blocks first")
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
			err = in.errorf("unknown packet code %d (known: 0 thread, 1 method, 2 entries)", b[0])
		}
		if err != nil {
			return err
		}
	}
}

// indexBlock reads one block. It accepts the block only if its number of bytes and its number of
// records are consistent.
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
		l.f.warnNotShortest()
	}
	l.blocks = append(l.blocks, b)
	return nil
}

// take processes a record.
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
			err = w.in.cut(blockCut, err)
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

// summary skips the packet that later releases write between the last blocks and the flushed
// blocks.
func (l *longRunReader) summary(in *input) error {
	if _, err := in.window(dmformat.LongRunSummary, "a packet with the end of the trace"); err != nil {
		return err
	}
	in.skip(dmformat.LongRunSummary)
	l.f.warnf(warnLayout, "the file states when the trace ended, as with ART after Android 16; convert does not preserve this time")
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
