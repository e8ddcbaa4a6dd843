package stackdump

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"artifice/trace"
)

// btrace3Parser reads the file sampling of btrace 3 on Android, little endian:
//
//	u4 0x01020304, u4 0, u4 version, u8 ms since boot, u4 records, u4 length, JSON
//
// and records until the end, whatever their number is said to be:
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
// is where it ended. Behind a call that blocked an equal stack is another call of its
// innermost method, which begins there (StackTraceConvertor.java). Waiting for the garbage
// collector and for a lock adds a frame of that name. What btrace shows of the stacks is had by [diffstack.EndLast].
type btrace3Parser struct {
	samples
	file    io.Reader
	read    bool
	version uint32
	start   time.Duration  // of the trace; a call that blocked since earlier begins then
	last    map[uint32]int // by thread: its last sample in the file
	names   btrace3Names
	offset  int64
}

// The types of records that mean something to a reader.
const (
	btrace3Monitor = 8
	btrace3GC      = 11
	btrace3Arg     = 15
	btrace3Flush   = 16
	btrace3Unpark  = 17
	btrace3Notify  = 22
	btrace3Unlock  = 23
)

// Keys of the frames that btrace adds. No method is at such an address.
const (
	btrace3GCFrame = 1 + iota
	btrace3LockFrame
)

const (
	btrace3Magic  = "\x04\x03\x02\x01\x00\x00\x00\x00"
	btrace3Header = 28
	btrace3Depth  = 1<<15 - 1 // more than that is none of btrace's records
)

func isBtrace3(head []byte) bool {
	return len(head) >= btrace3Header && bytes.HasPrefix(head, []byte(btrace3Magic)) && binary.LittleEndian.Uint32(head[8:]) < 100
}

func newBtrace3(in input, file io.Reader, cfg ReaderConfig) parser {
	p := &btrace3Parser{samples: samples{input: in}, file: file, last: map[uint32]int{}}
	p.names.file = cfg.Names
	p.frames, p.thread = p.names.frameOf(&p.input), p.names.nameThread
	return p
}

// next implements parser. Each sample is a dump of its thread.
func (p *btrace3Parser) next(d *Dump) error {
	if !p.read {
		p.read = true
		if err := p.readAll(); err != nil {
			return &trace.FormatError{Name: p.name, Offset: p.offset, Err: err}
		}
		p.sort()
		if err := p.names.read(); err != nil {
			return err
		}
		p.warnOfNames()
	}
	return p.deliver(d)
}

// warnOfNames warns where methods have addresses and no names.
func (p *btrace3Parser) warnOfNames() {
	if p.names.file == "" && len(p.list) > 0 {
		p.warn.add(trace.WarnDumpText, p.name, 0, "there is no file sampling-mapping beside it that names the methods; they have their addresses as names", "")
		return
	}
	met := map[uint64]bool{}
	unknown := 0
	for _, n := range p.nodes {
		if met[n.key] || n.key == btrace3GCFrame || n.key == btrace3LockFrame {
			continue
		}
		met[n.key] = true
		if p.names.methods[n.key] == "" {
			unknown++
		}
	}
	if unknown > 0 {
		p.warn.add(trace.WarnMethodID, p.name, 0, fmt.Sprintf("%d of %d addresses of methods have no name in %s; is it from another recording?", unknown, len(met), p.names.file), "")
	}
}

// readAll reads the header and all records.
func (p *btrace3Parser) readAll() error {
	in := bufio.NewReader(p.file)
	var head [btrace3Header]byte
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
		StartTime int64 `json:"startTime"` // ms since boot
	}
	if err := json.Unmarshal(extra, &about); err != nil && len(extra) > 0 {
		return fmt.Errorf("the JSON behind the header: %w", err)
	}
	p.pid, p.start = about.ProcessID, time.Duration(about.StartTime)*time.Millisecond
	p.offset = btrace3Header + int64(len(extra))
	for {
		n, err := p.record(in)
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF) && len(p.list) > 0:
			p.warn.add(trace.WarnDumpCut, p.name, 0, "the last record is cut off and is left out", "")
			return nil
		case err != nil:
			return err
		}
		p.offset += n
	}
}

// btrace3Record is what is used of a record.
type btrace3Record struct {
	kind         uint16
	tid          uint32
	begin, end   time.Duration
	cpu, cpuEnd  time.Duration
	saved, depth uint32
}

// record reads a record and returns its length.
func (p *btrace3Parser) record(in *bufio.Reader) (n int64, err error) {
	size := 40 // up to the CPU times
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
	if r.saved > btrace3Depth {
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
func (p *btrace3Parser) take(r btrace3Record, stack []byte) {
	if p.start > 0 && r.begin < p.start && r.end > r.begin {
		r.begin = p.start
	}
	if p.version >= 5 && (r.kind == btrace3Unlock || r.kind == btrace3Unpark || r.kind == btrace3Notify) {
		r.begin, r.cpu = r.end, r.cpuEnd // what it has as begin is the other thread's
	}
	if r.kind == btrace3Flush {
		// The stack of another thread when the trace ended, without a CPU time: it
		// was so since 2 ms after the one before.
		before, ok := p.last[r.tid]
		if !ok || p.list[before].at+2*time.Millisecond >= r.begin {
			return
		}
		r.begin, r.end = p.list[before].at+2*time.Millisecond, r.begin
		r.cpu, r.cpuEnd = p.list[before].cpu, p.list[before].cpu
	}
	if r.begin < 0 || r.begin > 1<<60 || r.end > 1<<60 {
		p.warn.add(trace.WarnDumpTime, p.name, 0, "a sample at an impossible time is left out", r.begin.String())
		return
	}
	caller := int32(noNode)
	for at := len(stack) - 8; at >= 0; at -= 8 {
		caller = p.under(caller, binary.LittleEndian.Uint64(stack[at:]))
	}
	switch r.kind {
	case btrace3GC:
		caller = p.under(caller, btrace3GCFrame)
	case btrace3Monitor:
		caller = p.under(caller, btrace3LockFrame)
	}
	p.list = append(p.list, sample{at: r.begin, cpu: r.cpu, tid: r.tid, stack: caller})
	if r.end > r.begin {
		p.list = append(p.list, sample{r.end, max(r.cpu, r.cpuEnd), r.tid, caller, true})
	}
	p.last[r.tid] = len(p.list) - 1
}

// btrace3Names are the names in the file sampling-mapping: of methods, by their
// address, and of threads.
//
//	u8 0, u4 version, u4 methods, for each u8 address, u2 length, name as ART prints it
//
// and until the end, for each thread, u2 tid, u1 length, name with a line end.
type btrace3Names struct {
	file    string // "" for none
	methods map[uint64]string
	threads map[uint32]string
}

// read reads the file. It does nothing when there is no name of one.
func (n *btrace3Names) read() error {
	if n.file == "" {
		return nil
	}
	b, err := os.ReadFile(n.file)
	if err != nil {
		return err
	}
	if len(b) < 16 || binary.LittleEndian.Uint64(b) != 0 {
		return formatError(n.file, 0, "it is no sampling-mapping of btrace 3", nil)
	}
	n.methods, n.threads = map[uint64]string{}, map[uint32]string{}
	left := b[16:]
	for range binary.LittleEndian.Uint32(b[12:]) {
		if len(left) < 10 || len(left)-10 < int(binary.LittleEndian.Uint16(left[8:])) {
			return &trace.FormatError{Name: n.file, Offset: int64(len(b) - len(left)), Msg: "a method's name is cut off"}
		}
		end := 10 + int(binary.LittleEndian.Uint16(left[8:]))
		n.methods[binary.LittleEndian.Uint64(left)] = string(left[10:end])
		left = left[end:]
	}
	for len(left) >= 3 && len(left)-3 >= int(left[2]) {
		end := 3 + int(left[2])
		n.threads[uint32(binary.LittleEndian.Uint16(left))] = strings.TrimRight(string(left[3:end]), "\n\x00")
		left = left[end:]
	}
	return nil
}

// nameThread names a thread, whose tid has but 16 bits.
func (n *btrace3Names) nameThread(tid uint32, t *Thread) {
	if t.Name = n.threads[tid]; t.Name == "" {
		t.Name = fmt.Sprintf("thread-%d", tid)
	}
}

// frameOf returns the frame of an address. Those of the runtime itself are no
// methods and are left out, as btrace's decoder does.
func (n *btrace3Names) frameOf(in *input) func(key uint64) []FrameID {
	known := map[uint64][]FrameID{}
	return func(key uint64) []FrameID {
		if ids, ok := known[key]; ok {
			return ids
		}
		name := n.methods[key]
		switch {
		case key == btrace3GCFrame:
			name = "void Heap.WaitForGcToCompleteLocked()"
		case key == btrace3LockFrame:
			name = "void Monitor:Lock()"
		case name == "":
			name = fmt.Sprintf("0x%x", key)
		}
		ids := []FrameID{}
		if !strings.HasPrefix(name, "<runtime") {
			ids = append(ids, in.frame(artSyntax, []byte(name)))
		}
		known[key] = ids
		return ids
	}
}

// besideBtrace3 returns the file with the names of a sampling file's methods: what
// its own name has behind "sampling" stands behind "sampling-mapping" there. It is ""
// when there is none.
func besideBtrace3(name string) string {
	folder, file := filepath.Split(name)
	for _, other := range []string{strings.Replace(file, "sampling", "sampling-mapping", 1), "sampling-mapping", "sampling-mapping.bin"} {
		if info, err := os.Stat(folder + other); other != file && err == nil && info.Mode().IsRegular() {
			return folder + other
		}
	}
	return ""
}
