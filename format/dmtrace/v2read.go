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
	worker *blockWorker // that this decodes ahead for; nil when all that came before is known

	threads  map[uint32]*v2Thread
	methods  methodTable
	renamed  int // number of redefinitions of a method id
	block    block
	run      *blockRun // of the block, its events decoded ahead; nil for none
	previous block     // the packet before, if that was one too

	n           int64 // events so far
	orphan      uint32
	notShortest bool
	reserved    int64
	err         error
}

// v2Thread is the state of a thread between blocks.
type v2Thread struct {
	id    trace.ThreadID
	times clocks           // V2of15 has 32 bits of us in each block's head
	stack []trace.MethodID // V2of17: the open calls
}

// block is an entries packet while it is read.
type block struct {
	dmformat.BlockHead
	thread *v2Thread
	end    int64 // offset
	events int64 // read so far
	piece  int64 // of these, not yet in Source.Blocks
	headed bool  // V2of15: the record in the head is still to come

	method, wall, cpu uint64 // last values; method with its action, V2of17: wall with its action
}

// maxPiece is how many events of a block stay together when it is written back:
// four times what ART's buffers hold.
const maxPiece = 1 << 20

// maxBlocks bounds what is kept of a file's layout.
const maxBlocks = 1 << 20

// openV2 reads the header, and looks ahead for properties that only later parts state: the
// generation and, of a single clock, which it is. For that a pipe is copied to a temporary file.
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

// startV2 sets the start time, and warns of parts of the header that are lost.
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

// packet reads a packet that is no entries, or the head of one that is.
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

// warn adds, at the end, warnings of unusual properties of the blocks.
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
	// A packet without a name is of a thread without a name for its writer; ART's threads all have
	// one.
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

// lookup returns the method that id names now.
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

// counts reports whether wall values are those of a timestamp counter.
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

// methodTable contains the methods of a file in format V2 by id, an arbitrary number of 64 bits:
// usually an address. It is a hash table with a load of a quarter to a half, so the first probe
// nearly always finds the method; a Go map takes four times as long.
type methodTable struct {
	slots []methodSlot // their number is a power of two
	shift uint8        // of a hash, to be a place
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

// slot returns where the method with that id is, or would be: the first place from
// that of its hash on which has it or none.
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

// set makes index the method with that id.
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
