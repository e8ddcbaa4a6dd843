package dmtrace

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// v2 reads the packets of a file in format V2.
type v2 struct {
	in     *input
	f      *File
	gen    dmformat.Generation
	header dmformat.HeaderV2
	clock  trace.Clock
	ahead  *ahead[*blockWorker]
	// the worker that decodes ahead with this reader; nil if all preceding packets are known
	worker *blockWorker

	threads  map[uint32]*v2Thread
	methods  methodTable
	renamed  int // number of redefinitions of a method id
	block    block
	run      *blockRun // the events of the block if they were decoded ahead, else nil
	previous block     // the previous packet, if it was a block, too

	n           int64 // number of events so far
	orphan      uint32
	notShortest bool
	reserved    int64
	err         error
}

// v2Thread is the state of a thread between blocks.
type v2Thread struct {
	id    trace.ThreadID
	times clocks           // V2of15 has 32 bits of µs in the head of each block
	stack []trace.MethodID // V2of17: the open calls
}

// block is an entries packet while it is read.
type block struct {
	dmformat.BlockHead
	thread *v2Thread
	end    int64 // offset
	events int64 // events read so far
	piece  int64 // events not yet in Source.Blocks
	headed bool  // V2of15: the record in the head has not been read yet

	// last values; V2of15 and V2of16: method with its action; V2of17: wall with its action
	method, wall, cpu uint64
}

// maxPiece is the maximum number of events of a block that stay together when the file is written
// back: four times the capacity of ART's buffers.
const maxPiece = 1 << 20

// maxBlocks limits the memory for a file's layout.
const maxBlocks = 1 << 20

// openV2 reads the header, and searches ahead for properties that are stated only later: the
// generation and, if the file has one clock, the kind of that clock. A pipe is copied to a
// temporary file for this search.
func openV2(f *File, in *input) error {
	in, err := f.seekable(in)
	if err != nil {
		return err
	}
	raw, err := in.window(dmformat.HeaderSize, "the header")
	if err != nil {
		return err
	}
	h := dmformat.ParseHeaderV2(raw)
	f.Source = &trace.Source{Header: append([]byte(nil), raw[:dmformat.HeaderSize]...)}
	options, err := summaryOptions(f.plain, f.size, dmformat.SummaryHead)
	if err != nil {
		return in.cut("looking for the summary", err)
	}
	gen, err := generation(f, h, options)
	if err != nil {
		return err
	}
	f.Source.Format = dmformat.OfGeneration(gen).Name
	f.Info.Events, f.Info.VM, f.Info.Clock = -1, "art", trace.Dual
	if h.Clocks == 1 {
		f.Info.Clock = f.singleClock(options)
	}
	startV2(f, h, gen)
	in.skip(dmformat.HeaderSize)
	v := &v2{in: in, f: f, gen: gen, header: h, clock: f.Info.Clock, threads: map[uint32]*v2Thread{}}
	v.ahead = newAhead(f, v)
	f.Events = v
	return nil
}

// startV2 sets the start time, and warns about parts of the header that are lost.
func startV2(f *File, h dmformat.HeaderV2, gen dmformat.Generation) {
	unit := time.Nanosecond
	if gen == dmformat.V2of15 {
		unit = time.Microsecond
	}
	if h.Start <= uint64(math.MaxInt64/unit) {
		f.Info.Start = time.Duration(h.Start) * unit
	} else {
		f.warnf(warnStartTime, "the start time %d is too large to represent; 0 is used instead", h.Start)
	}
	if gen == dmformat.V2of17 && h.Frequency > uint64(time.Second) {
		f.warnf(warnCounter, "the timestamp counter runs at %d Hz; its times are truncated to ns", h.Frequency)
	}
}

// ReadEvents implements [trace.Reader].
func (v *v2) ReadEvents(p []trace.Event) (n int, err error) {
	if len(p) == 0 {
		return 0, v.err
	}
	for n == 0 && v.err == nil {
		if v.block.thread != nil {
			n, v.err = v.entries(p)
			v.n += int64(n)
		} else {
			v.ahead.turn(v.in, v.f.Symbols)
			v.err = v.packet()
		}
		if v.err == nil {
			v.err = v.f.checkMethods(v.in)
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, v.err
}

// packet reads a packet other than a block, or the head of a block.
func (v *v2) packet() error {
	b, err := v.in.window(1, "a packet")
	if err != nil {
		if err == io.EOF {
			v.f.warnNoSummary()
			v.warn()
		}
		return err
	}
	switch b[0] {
	case dmformat.PacketThread:
		return v.thread()
	case dmformat.PacketMethod:
		return v.method()
	case dmformat.PacketEntries:
		return v.openBlock()
	case dmformat.PacketSummary:
		return v.summary()
	}
	return v.in.errorf("unknown packet code %d (known: 0 thread, 1 method, 2 entries, 3 summary)", b[0])
}

// warn adds warnings about unusual properties of the blocks, after the last block.
func (v *v2) warn() {
	if v.notShortest {
		v.f.warnNotShortest()
	}
	v.f.warnReserved(v.reserved)
}

func (v *v2) thread() error {
	start := v.in.off
	tid, name, err := v.f.threadPacket(v.in, v.n)
	if err != nil {
		return err
	}
	v.previous = block{}
	// A packet without a name comes from a writer other than ART: all threads of ART have a name.
	return v.addThread(trace.Thread{TID: tid, Name: name, Unlisted: name == ""}, start)
}

func (v *v2) addThread(t trace.Thread, offset int64) error {
	id, err := v.f.Symbols.AddThread(t)
	if err != nil {
		return &trace.FormatError{Name: v.in.name, Offset: offset, Msg: err.Error()}
	}
	fresh := &v2Thread{id: id}
	if old := v.threads[t.TID]; old != nil {
		fresh.times = old.times.Begun()
	}
	v.threads[t.TID] = fresh
	return nil
}

func (v *v2) method() error {
	id, line, err := v.f.methodPacket(v.in, v.n)
	if err != nil {
		return err
	}
	v.previous = block{}
	if id&dmformat.ActionMask != 0 && v.gen != dmformat.V2of17 {
		v.f.warnf(trace.WarnMethodID, "method id %#x is not a multiple of 4, so no record can refer to it", id)
		return nil
	}
	m, note := dmformat.ParseMethodText(id, line)
	if note != "" {
		v.f.warnf(trace.WarnTableLine, "%s", note)
	}
	if old, ok := v.methods.find(id); !ok || v.f.Symbols.Methods[old] != m {
		v.addMethod(m)
	}
	return nil
}

func (v *v2) addMethod(m trace.Method) trace.MethodID {
	if _, known := v.methods.find(m.ID); known {
		v.renamed++
	}
	id := v.f.Symbols.AddMethod(m)
	v.methods.set(m.ID, id)
	return id
}

// lookup returns the method that id denotes now.
func (v *v2) lookup(id uint64) trace.MethodID {
	index, ok := v.methods.find(id)
	switch {
	case ok:
	case v.worker != nil:
		index = v.worker.add(lateNamed, id)
	default:
		index = v.addMethod(trace.Method{ID: id, Unlisted: true})
	}
	return index
}

// summary reads the last packet.
func (v *v2) summary() error {
	b, err := v.in.window(dmformat.SummaryHead, "the summary")
	if err != nil {
		return err
	}
	v.in.skip(dmformat.SummaryHead)
	k, err := v.f.readSummary(v.in, int64(binary.LittleEndian.Uint16(b[1:])), v2Key, v.header.Version())
	if err != nil {
		return err
	}
	if k.Records >= 0 && k.Records != v.n {
		v.f.warnf(trace.WarnEventCount, "%s", dmformat.RecordCount(v.n, k.Records))
	}
	v.f.Source.HasSummary = true
	v.f.setMainAtStop()
	v.warn()
	return k.end(v.f, v.in)
}

// errorInBlock returns an error at the current record.
func (v *v2) errorInBlock(format string, args ...any) error {
	return inPart("block", v.in.errorf("block of thread %d, record %d: %s", v.block.TID, v.block.events, fmt.Sprintf(format, args...)))
}

// counts reports whether wall values are values of a timestamp counter.
func (v *v2) counts() bool {
	return v.gen == dmformat.V2of17 && v.header.Frequency != 0 && v.clock.HasWall()
}

// nanoseconds returns the time of a wall value of the entries.
func (v *v2) nanoseconds(value uint64) (time.Duration, bool) {
	if v.counts() {
		return dmformat.TicksToTime(value, v.header.Frequency)
	}
	return time.Duration(value), value <= math.MaxInt64
}

// Position returns the end of the block with the records that are being read, or else the position
// of the reader.
func (v *v2) Position() int64 {
	if v.block.thread != nil {
		return v.block.end
	}
	return v.in.off
}

// methodTable maps the ids of format V2 to methods. An id is an arbitrary number of 64 bits,
// usually an address. The table is a hash table with a load of 25 to 50 %, so the first probe
// nearly always finds the method. A Go map takes four times as long.
type methodTable struct {
	slots []methodSlot // the number of slots is a power of two
	shift uint8        // number of bits by which a hash is shifted to get a slot
	used  int
}

type methodSlot struct {
	id    uint64
	index uint32 // 1 + index; 0 for none
}

// find returns the method with that id.
func (t *methodTable) find(id uint64) (trace.MethodID, bool) {
	if t.used == 0 {
		return 0, false
	}
	s := t.slot(id)
	return trace.MethodID(s.index - 1), s.index != 0
}

// hash mixes ids, which are addresses with a stride.
func hash(id uint64) uint64 { return id * 0x9e3779b97f4a7c15 }

// slot returns the slot that contains the method with that id, or the free slot in which it would
// be stored. The search begins at the slot of the id's hash.
func (t *methodTable) slot(id uint64) *methodSlot {
	i := hash(id) >> t.shift
	for {
		s := &t.slots[i]
		if s.id == id || s.index == 0 {
			return s
		}
		i = (i + 1) & uint64(len(t.slots)-1)
	}
}

// set stores index as the method of id.
func (t *methodTable) set(id uint64, index trace.MethodID) {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	s := t.slot(id)
	if s.index == 0 {
		t.used++
	}
	s.id, s.index = id, uint32(index)+1
}

func (t *methodTable) grow() {
	old := t.slots
	t.slots, t.shift = make([]methodSlot, 1<<10), 64-10
	for len(t.slots) < 4*t.used {
		t.slots, t.shift = make([]methodSlot, 2*len(t.slots)), t.shift-1
	}
	for _, s := range old {
		if s.index != 0 {
			*t.slot(s.id) = s
		}
	}
}
