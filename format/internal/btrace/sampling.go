package btrace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// samplingParser reads the file sampling of btrace 3 on Android, little endian:
//
//	u4 0x01020304, u4 0, u4 version, u8 ms since boot, u4 records, u4 length, JSON
//
// and records until the end, whatever their number is stated to be:
//
//	u2 type, u2 tid, u4 message, u8 begin, u8 end, u8 CPU at begin, u8 CPU at end
//	u8 argument                     type 15 only
//	u8 objects, u8 bytes allocated  version 4 and later
//	u4 major faults, u4 voluntary and u4 involuntary context switches  version 5
//	u4 depth saved, u4 depth, u8 for each method, innermost first
//
// Times are ns since boot, end is 0 for an instant. It follows btrace's own decoder
// (StackList.java): a stack that was not saved whole is no sample; a call that
// blocked is two, where it began and where it ended; one that wakes another thread
// is where it ended. After a call that blocked an equal stack is another call of its
// innermost method, which begins there (StackTraceConvertor.java). Waiting for the garbage
// collector and for a lock adds a frame of that name. [diffstack.EndLast] gives what btrace itself
// shows of the stacks.
type samplingParser struct {
	stackdump.Samples
	file    io.Reader
	read    bool
	version uint32
	start   time.Duration  // start of the trace; a blocking call that began earlier begins here
	last    map[uint32]int // by thread: index of its last sample in the file
	names   names
	offset  int64
}

// The types of records that the parser uses.
const (
	btrace3Monitor = 8
	btrace3GC      = 11
	btrace3Arg     = 15
	btrace3Flush   = 16
	btrace3Unpark  = 17
	btrace3Notify  = 22
	btrace3Unlock  = 23
)

// Keys of the frames that btrace adds. No method has such an address.
const (
	gcFrame = 1 + iota
	lockFrame
)

const (
	samplingMagic  = "\x04\x03\x02\x01\x00\x00\x00\x00"
	samplingHeader = 28
	maxDepth       = 1<<15 - 1 // btrace writes at most this depth
)

// samplingCodec is the [stackdump.Codec] of the file sampling.
type samplingCodec struct{}

// Detect implements [stackdump.Codec].
func (samplingCodec) Detect(head []byte) bool {
	return len(head) >= samplingHeader && bytes.HasPrefix(head, []byte(samplingMagic)) && binary.LittleEndian.Uint32(head[8:]) < 100
}

// Parser implements [stackdump.Codec].
func (samplingCodec) Parser(in stackdump.Input, file io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &samplingParser{file: file, last: map[uint32]int{}}
	p.names.file = cfg.Names
	p.Samples = stackdump.NewSamples(in, p)
	return p
}

// Next implements parser. Each sample is a dump of its thread.
func (p *samplingParser) Next(d *stackdump.Dump) error {
	if !p.read {
		p.read = true
		if err := p.readAll(); err != nil {
			return &trace.FormatError{Name: p.Name, Offset: p.offset, Err: err}
		}
		p.Sort()
		if err := p.names.read(); err != nil {
			return err
		}
		p.warnOfNames()
	}
	return p.Deliver(d)
}

// readAll reads the header and all records.
func (p *samplingParser) readAll() error {
	in := bufio.NewReader(p.file)
	var head [samplingHeader]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	p.version = binary.LittleEndian.Uint32(head[8:])
	extra, err := io.ReadAll(io.LimitReader(in, int64(int32(binary.LittleEndian.Uint32(head[24:])))))
	if err != nil {
		return err
	}
	var about struct {
		ProcessID int   `json:"processId"`
		StartTime int64 `json:"startTime"` // in ms since boot
	}
	if err := json.Unmarshal(extra, &about); err != nil && len(extra) > 0 {
		return fmt.Errorf("the JSON after the header: %w", err)
	}
	p.PID, p.start = about.ProcessID, time.Duration(about.StartTime)*time.Millisecond
	p.offset = samplingHeader + int64(len(extra))
	for {
		n, err := p.record(in)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF) && len(p.List) > 0:
			p.Warn.Add(trace.WarnDumpCut, p.Name, 0, "the last record is cut off and is ignored", "")
			return nil
		case err != nil:
			return err
		}
		p.offset += n
	}
}

// btrace3Record contains the used fields of a record.
type btrace3Record struct {
	kind         uint16
	tid          uint32
	begin, end   time.Duration
	cpu, cpuEnd  time.Duration
	saved, depth uint32
}

// record reads a record and returns its length.
func (p *samplingParser) record(in *bufio.Reader) (n int64, err error) {
	size := 40 // size of the fields up to the CPU times
	if p.version >= 4 {
		size += 16
	}
	if p.version >= 5 {
		size += 12
	}
	head, err := in.Peek(2)
	if len(head) == 2 && binary.LittleEndian.Uint16(head) == btrace3Arg {
		size += 8
	}
	if len(head) == 0 {
		return 0, err
	}
	var b [40 + 8 + 16 + 12 + 8]byte
	if _, err := io.ReadFull(in, b[:size+8]); err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	at := func(i int) time.Duration { return time.Duration(binary.LittleEndian.Uint64(b[i:])) }
	r := btrace3Record{
		kind: binary.LittleEndian.Uint16(b[:]), tid: uint32(binary.LittleEndian.Uint16(b[2:])),
		begin: at(8), end: at(16), cpu: at(24), cpuEnd: at(32),
		saved: binary.LittleEndian.Uint32(b[size:]), depth: binary.LittleEndian.Uint32(b[size+4:]),
	}
	if r.saved > maxDepth {
		return 0, fmt.Errorf("a stack of %d frames", r.saved)
	}
	stack := make([]byte, 8*r.saved)
	if _, err := io.ReadFull(in, stack); err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	if r.saved == r.depth && r.saved > 0 {
		p.take(r, stack)
	}
	return int64(size + 8 + len(stack)), nil
}

// take adds the samples of a record.
func (p *samplingParser) take(r btrace3Record, stack []byte) {
	if p.start > 0 && r.begin < p.start && r.end > r.begin {
		r.begin = p.start
	}
	if p.version >= 5 && (r.kind == btrace3Unlock || r.kind == btrace3Unpark || r.kind == btrace3Notify) {
		r.begin, r.cpu = r.end, r.cpuEnd // its begin is that of the other thread's call
	}
	if r.kind == btrace3Flush {
		// The stack of another thread at the end of the trace, without a CPU time. The thread is
		// assumed to have had it since 2 ms after its previous sample.
		before, ok := p.last[r.tid]
		if !ok || p.List[before].At+2*time.Millisecond >= r.begin {
			return
		}
		r.begin, r.end = p.List[before].At+2*time.Millisecond, r.begin
		r.cpu, r.cpuEnd = p.List[before].CPU, p.List[before].CPU
	}
	if r.begin < 0 || r.begin > 1<<60 || r.end > 1<<60 {
		p.Warn.Add(trace.WarnDumpTime, p.Name, 0, "a sample at an impossible time is ignored", r.begin.String())
		return
	}
	caller := int32(stackdump.NoNode)
	for at := len(stack) - 8; at >= 0; at -= 8 {
		caller = p.Under(caller, binary.LittleEndian.Uint64(stack[at:]))
	}
	switch r.kind {
	case btrace3GC:
		caller = p.Under(caller, gcFrame)
	case btrace3Monitor:
		caller = p.Under(caller, lockFrame)
	}
	p.List = append(p.List, stackdump.Sample{At: r.begin, CPU: r.cpu, TID: r.tid, Stack: caller})
	if r.end > r.begin {
		p.List = append(p.List, stackdump.Sample{At: r.end, CPU: max(r.cpu, r.cpuEnd), TID: r.tid, Stack: caller, Blocked: true, Count: 1})
	}
	p.last[r.tid] = len(p.List) - 1
}
