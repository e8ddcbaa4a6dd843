package eventlog

import (
	"encoding/binary"
	"io"
	"time"

	"artifice/trace"
)

// Stream is events of all threads in one order, that in which they are added: 12 bytes
// for an event of a real trace, and 25 at most. It is for events that come in the order of
// time, which a Log would take apart by threads to merge them again; the package comment
// says why they are not a run of an [Ordered].
//
// As a rule an event is
//
//	u8  bit 0 is 1, 1-3 action, 4-19 thread, 20-41 method, 42-63 lower bits of the times
//	u4  upper bits of the times
//
// The lower 27 bits of the times are how much later it is than the event before, the
// upper 27 how much more its CPU time is than in the event before of the same thread: up to
// 67 ms more or less. What does not fit is a long entry as of a run, with the times as they are.
type Stream struct {
	buffer *DiskBuffer
	block  []byte // encoded events that are not in the buffer yet
	wall   time.Duration
	cpu    []time.Duration // by thread: of its latest event
}

const (
	streamBrief              = 12 // bytes; of others longBytes
	streamAction             = 3  // bits
	streamThread, streamTime = 16, 27
	streamMethod             = 22
)

// streamBlock is how many bytes are added or read at a time.
const streamBlock = 64 << 10

// NewStream returns an empty Stream, which keeps as much in memory as a [DiskBuffer], and
// what is beyond that in a file in dir; "" is os.TempDir.
func NewStream(dir string) *Stream { return &Stream{buffer: NewDiskBuffer(dir)} }

// Close removes the file.
func (s *Stream) Close() error {
	s.block = nil
	return s.buffer.Close()
}

// Add appends an event.
func (s *Stream) Add(e *trace.Event) error {
	if len(s.block)+longBytes > cap(s.block) {
		if err := s.flush(); err != nil {
			return err
		}
	}
	for int(e.Thread) >= len(s.cpu) {
		s.cpu = append(s.cpu, 0)
	}
	before := &s.cpu[e.Thread]
	wall, cpu := zigzag(e.Wall-s.wall), zigzag(e.CPU-*before)
	s.wall, *before = e.Wall, e.CPU
	if (wall|cpu)>>streamTime|uint64(e.Method)>>streamMethod|uint64(e.Action)>>streamAction|uint64(e.Site) != 0 {
		s.block = appendLong(s.block, e, e.Wall, e.CPU)
		return nil
	}
	times := wall | cpu<<streamTime
	n := len(s.block)
	s.block = s.block[:n+streamBrief]
	b := s.block[n:]
	binary.LittleEndian.PutUint64(b, 1|uint64(e.Action)<<1|uint64(e.Thread)<<4|uint64(e.Method)<<20|times<<42)
	binary.LittleEndian.PutUint32(b[8:], uint32(times>>22))
	return nil
}

// flush moves the block to the buffer.
func (s *Stream) flush() error {
	if s.block == nil {
		s.block = make([]byte, 0, streamBlock)
	}
	_, err := s.buffer.Write(s.block)
	s.block = s.block[:0]
	return err
}

// Reader returns a reader of all events, which ends with the error end. Nothing can be
// added any more; another Reader begins anew.
func (s *Stream) Reader(end error) (trace.Reader, error) {
	if err := s.flush(); err != nil {
		return nil, err
	}
	return &streamReader{in: s.buffer.Reader(), window: make([]byte, streamBlock), cpu: make([]time.Duration, len(s.cpu)), end: end}, nil
}

// streamReader reads a Stream.
type streamReader struct {
	in     io.Reader
	window []byte
	data   []byte // of window: not decoded yet
	wall   time.Duration
	cpu    []time.Duration // by thread: of its latest event
	err    error           // of in
	end    error
}

// ReadEvents implements [trace.Reader].
func (r *streamReader) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) {
		if len(r.data) < longBytes && r.err == nil {
			r.fill()
		}
		if len(r.data) < streamBrief || r.data[0] == 0 && len(r.data) < longBytes {
			break
		}
		if e := &p[n]; r.data[0] == 0 {
			r.long(e)
		} else {
			r.brief(e)
		}
		n++
	}
	switch {
	case n > 0 || len(p) == 0:
		return n, nil
	case r.err != io.EOF:
		return 0, r.err
	case len(r.data) > 0: // somebody has cut the file
		return 0, io.ErrUnexpectedEOF
	}
	return 0, r.end
}

// brief decodes an event that has few bytes.
func (r *streamReader) brief(e *trace.Event) {
	b := (*[streamBrief]byte)(r.data)
	r.data = r.data[streamBrief:]
	word := binary.LittleEndian.Uint64(b[:])
	times := word>>42 | uint64(binary.LittleEndian.Uint32(b[8:]))<<22
	const one, method = 1<<streamTime - 1, 1<<streamMethod - 1
	r.wall += unzigzag(times & one)
	*e = trace.Event{Wall: r.wall, Method: trace.MethodID(word >> 20 & method), Thread: trace.ThreadID(word >> 4), Action: trace.Action(word >> 1 & MaxAction)}
	before := &r.cpu[e.Thread]
	*before += unzigzag(times >> streamTime)
	e.CPU = *before
}

// long decodes an event that has all bytes.
func (r *streamReader) long(e *trace.Event) {
	unpackLong(e, r.data)
	r.data = r.data[longBytes:]
	r.wall, r.cpu[e.Thread] = e.Wall, e.CPU
}

// fill reads on behind the data at hand.
func (r *streamReader) fill() {
	n := copy(r.window, r.data)
	var more int
	more, r.err = io.ReadFull(r.in, r.window[n:])
	if r.err == io.ErrUnexpectedEOF {
		r.err = io.EOF
	}
	r.data = r.window[:n+more]
}
