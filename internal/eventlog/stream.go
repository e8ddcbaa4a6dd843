package eventlog

import (
	"io"
	"time"

	"artifice/trace"
)

// Stream is events of all threads in one order, that in which they are added: 7 to 12
// bytes for an event of a real trace. It is for events that come in the order of time,
// which a Log would take apart by threads to merge them again; the package comment says
// why they are not a run of an [Ordered].
type Stream struct {
	spool *Spool
	block []byte // encoded events that are not in the spool yet
	coder coder
	cpu   []time.Duration // by thread: of its latest event
}

// streamBlock is how many bytes are added or read at a time, besides room for an event.
const streamBlock = 64 << 10

// NewStream returns an empty Stream, which keeps as much in memory as a [Spool], and
// what is beyond that in a file in dir; "" is os.TempDir.
func NewStream(dir string) *Stream { return &Stream{spool: NewSpool(dir)} }

// Close removes the file.
func (s *Stream) Close() error {
	s.block = nil
	return s.spool.Close()
}

// Add appends an event.
func (s *Stream) Add(e *trace.Event) error {
	if len(s.block) >= streamBlock {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if s.block == nil {
		s.block = make([]byte, 0, streamBlock+mostEntryBytes)
	}
	for int(e.Thread) >= len(s.cpu) {
		s.cpu = append(s.cpu, 0)
	}
	// Its thread stands where a Log has the number in order.
	s.coder.cpu, s.cpu[e.Thread] = s.cpu[e.Thread], e.CPU
	s.block = s.coder.append(s.block, e, uint64(e.Thread), 0)
	return nil
}

// flush moves the block to the spool.
func (s *Stream) flush() error {
	_, err := s.spool.Write(s.block)
	s.block = s.block[:0]
	return err
}

// Reader returns a reader of all events, which ends with the error end. Nothing can be
// added any more; another Reader begins anew.
func (s *Stream) Reader(end error) (trace.Reader, error) {
	if err := s.flush(); err != nil {
		return nil, err
	}
	return &streamReader{in: s.spool.Reader(), window: make([]byte, streamBlock, streamBlock+mostEntryBytes), cpu: make([]time.Duration, len(s.cpu)), end: end}, nil
}

// streamReader reads a Stream.
type streamReader struct {
	in     io.Reader
	window []byte
	data   []byte // of window: not decoded yet
	coder  coder
	cpu    []time.Duration // by thread: of its latest event
	err    error           // of in
	end    error
}

// ReadEvents implements [trace.Reader].
func (r *streamReader) ReadEvents(p []trace.Event) (int, error) {
	for n := range p {
		if len(r.data) < mostEntryBytes && r.err == nil {
			r.fill()
		}
		if len(r.data) == 0 {
			if r.err != io.EOF {
				r.end = r.err
			}
			if n > 0 {
				return n, nil
			}
			return 0, r.end
		}
		e := &p[n]
		r.coder.cpu = 0
		size, _, thread := r.coder.event(r.data, e)
		r.data = r.data[size:]
		e.Thread = trace.ThreadID(thread)
		e.CPU += r.cpu[thread]
		r.cpu[thread] = e.CPU
	}
	return len(p), nil
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
