package dmtrace

import (
	"encoding/binary"
	"errors"
	"io"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// stream reads the items of a streaming file.
type stream struct {
	in      *input
	f       *File
	recs    *records
	ahead   *ahead[*recordWorker]
	version uint16
	n       int64 // number of events so far
	err     error
}

// openStream reads the header of a streaming file.
func openStream(f *File, in *input) error {
	f.Source = &trace.Source{Format: dmformat.ARTStream}
	f.Info.Events = -1
	f.Info.VM = "art"
	h, err := readHeader(f, in)
	if err != nil {
		return err
	}
	fail := func(err error) error { return &trace.FormatError{Name: in.name, Msg: err.Error()} }
	if h.Version == 1 {
		return fail(errors.New("streaming trace of version 1; only versions 2 and 3 exist"))
	}
	if h.Version == 3 {
		f.Info.Clock = trace.Dual
	} else if in, err = singleClock(f, in); err != nil {
		return err
	}
	l := dmformat.LayoutFor(h.Version, f.Info.Clock)
	if err := l.CheckSize(h.RecordSize, f.Info.Clock); err != nil {
		return fail(err)
	}
	l.Size = recordSize(f, in, h.RecordSize)
	f.Source.RecordSize = l.Size
	t := newTables(f, l.TIDBytes)
	t.streaming = true
	recs := &records{tables: t, layout: l, clock: f.Info.Clock, wall: newWallClock(f)}
	if l.Size != h.RecordSize {
		f.Source.StatedSize, recs.padding = h.RecordSize, &padding{of: f.Source}
	}
	f.Events = &stream{in: in, f: f, version: h.Version, recs: recs, ahead: recs.newAhead()}
	return nil
}

// singleClock determines whether the only clock of the file is wall or thread CPU time, which is
// stated only in the summary at its end. It returns the input from which to continue.
func singleClock(f *File, in *input) (*input, error) {
	in, err := f.seekable(in)
	if err != nil {
		return nil, err
	}
	options, err := summaryOptions(f.plain, f.size, 7)
	if err != nil {
		return nil, in.cut("looking for the summary", err)
	}
	f.Info.Clock = f.singleClock(options)
	return in, nil
}

// ReadEvents implements [trace.Reader].
func (s *stream) ReadEvents(p []trace.Event) (n int, err error) {
	if len(p) == 0 {
		return 0, s.err
	}
	for n == 0 && s.err == nil {
		if n, s.err = s.read(p); s.err == nil {
			s.err = s.f.checkMethods(s.in)
		}
		s.n += int64(n)
	}
	if n > 0 {
		return n, nil
	}
	return 0, s.err
}

// read reads one item that is not a record, or a run of records.
func (s *stream) read(p []trace.Event) (int, error) {
	s.ahead.turn(s.in, s.f.Symbols)
	if n := s.recs.ready(s.ahead, s.in, p); n > 0 {
		return n, nil
	}
	raw, err := s.in.window(2, "an item")
	if err != nil {
		if err == io.EOF {
			s.f.warnNoSummary()
			s.recs.warn()
		}
		return 0, err
	}
	if raw[0] == 0 && raw[1] == 0 {
		return 0, s.item()
	}
	size := s.recs.layout.Size
	if raw, err = s.in.window(size, "a record"); err != nil {
		return 0, err
	}
	n, err := s.recs.decode(p[:min(len(p), len(raw)/size)], raw)
	s.in.skip(n * size)
	if err != nil {
		err = s.recs.fail(err, s.in, &p[n], s.n+int64(n))
	}
	return n, err
}

// recordSize returns the size of the records that follow. With one clock, ART up to 13 also writes
// 14 bytes (kPacketSize of Trace::LogMethodTraceEvent), although its header states 10; the last
// four bytes are not set. Both sizes are therefore tried on the first block.
func recordSize(f *File, in *input, size int) int {
	const single, dual = 10, 14
	if size != single {
		return size
	}
	b := in.head(bufferSize)
	whole := len(b) < bufferSize
	if walk(b, dual, whole) <= walk(b, single, whole) {
		return size
	}
	f.warnf(warnRecordSize, "records have %d bytes, but the header states %d, the size for one clock, as ART up to 13 does", dual, single)
	return dual
}

// How well a record size fits the beginning of a file.
const (
	fitsNot  = iota
	fitsPart // fits to the end of the file, which has no summary or ends within an item
	fits
)

// walk measures how well b, or the whole file, can be parsed as a sequence of items if records have
// that size. In a valid sequence each record's thread has been announced, all codes are known,
// method lines have line ends, and a summary has its prefix.
func walk(b []byte, size int, whole bool) int {
	known := map[uint16]bool{}
	for len(b) >= 7 {
		tid := binary.LittleEndian.Uint16(b)
		n := size
		if tid == 0 {
			n = itemLength(b)
		}
		switch {
		case tid != 0 && !known[tid], n < 0:
			return fitsNot
		case tid != 0:
		case b[2] == dmformat.ItemThread:
			known[binary.LittleEndian.Uint16(b[3:])] = true
		case b[2] == dmformat.ItemMethod && n <= len(b) && b[n-1] != '\n',
			b[2] == dmformat.ItemSummary && !isPrefix(b[7:], dmformat.SectionVersion):
			return fitsNot
		case b[2] == dmformat.ItemSummary && n == len(b):
			return fits
		}
		if n > len(b) {
			break
		}
		b = b[n:]
	}
	if whole {
		return fitsPart
	}
	return fits
}

// isPrefix reports whether b begins with text, or text begins with b.
func isPrefix(b []byte, text string) bool {
	n := min(len(b), len(text))
	return string(b[:n]) == text[:n]
}

// itemLength returns the length of the item at the beginning of b, which is not a record. b has at
// least 7 bytes. The length is -1 for an unknown code.
func itemLength(b []byte) int {
	switch b[2] {
	case dmformat.ItemMethod:
		return 5 + int(binary.LittleEndian.Uint16(b[3:]))
	case dmformat.ItemThread:
		return 7 + int(binary.LittleEndian.Uint16(b[5:]))
	case dmformat.ItemSummary:
		return 7 + int(binary.LittleEndian.Uint32(b[3:]))
	}
	return -1
}

// Offset implements [trace.Locator]. It uses that the header, the records and the announcements
// among them occupy all bytes up to the event.
func (s *stream) Offset(event int64) int64 {
	if event < 0 || event > s.n {
		return -1
	}
	at := int64(len(s.f.Source.Header)) + event*int64(s.recs.layout.Size)
	for _, a := range s.f.Source.Announced {
		if a.Before > event {
			break
		}
		headBytes := 7
		if a.Method {
			headBytes = 5
		}
		at += int64(headBytes + len(a.Text))
	}
	return at
}

// LimitsDepth reports that decoding checks the limit of open frames.
func (s *stream) LimitsDepth() bool { return true }

// item reads an announcement or the summary. After the summary the error is io.EOF.
func (s *stream) item() error {
	head, err := s.in.window(3, "an item")
	if err != nil {
		return err
	}
	switch head[2] {
	case dmformat.ItemMethod:
		return s.method()
	case dmformat.ItemThread:
		return s.thread()
	case dmformat.ItemSummary:
		return s.summary()
	}
	return s.in.errorf("unknown item code %d (known: 1 method, 2 thread, 3 summary)", head[2])
}

func (s *stream) method() error {
	_, text, err := s.in.sized(5, "the announcement of a method")
	if err != nil {
		return err
	}
	src := s.f.Source
	src.Announced = append(src.Announced, trace.Announcement{Before: s.n, Method: true, Text: text})
	line := trimLineEnd(text)
	m, ok := methodLine(s.f, line)
	if !ok {
		return nil
	}
	if m.ID>>32 == 0 {
		if old := s.recs.lookup(uint32(m.ID)); old != 0 && s.f.Symbols.Methods[old-1] == m {
			return nil
		}
	}
	s.recs.addMethod(m)
	return nil
}

func (s *stream) thread() error {
	start := s.in.off
	head, name, err := s.in.sized(7, "the announcement of a thread")
	if err != nil {
		return err
	}
	tid := uint32(binary.LittleEndian.Uint16(head[2:]))
	src := s.f.Source
	src.Announced = append(src.Announced, trace.Announcement{Before: s.n, TID: tid, Text: name})
	if _, err := s.recs.addThread(trace.Thread{TID: tid, Name: name}); err != nil {
		return &trace.FormatError{Name: s.in.name, Offset: start, Msg: err.Error()}
	}
	return nil
}

// summary reads the key section at the end of the file.
func (s *stream) summary() error {
	head, err := s.in.window(7, "the summary")
	if err != nil {
		return err
	}
	s.in.skip(7)
	at := s.in.off
	k, err := s.f.readSummary(s.in, int64(binary.LittleEndian.Uint32(head[3:])), classicKey, s.version)
	if err != nil {
		return err
	}
	if err := s.addListed(); err != nil {
		return &trace.FormatError{Name: s.in.name, Offset: at, Msg: err.Error()}
	}
	s.f.Source.HasSummary = true
	s.recs.setAtStop()
	s.recs.warn()
	return k.end(s.f, s.in)
}

// addListed adds the tables of a summary. They contain names of threads and methods without
// announcements, and complete tids.
func (s *stream) addListed() error {
	for _, line := range s.f.Source.Threads {
		th, err := dmformat.ParseThreadLine(line)
		if err != nil {
			s.f.warnLine(err)
			continue
		}
		if i := s.recs.threadOf(th.TID & s.recs.tidMask); i != 0 {
			learn(&s.f.Symbols.Threads[i-1], th)
		} else if _, err := s.recs.addThread(th); err != nil {
			return err
		}
	}
	for _, line := range s.f.Source.Methods {
		m, ok := methodLine(s.f, line)
		if !ok {
			continue
		}
		var i uint32
		if m.ID>>32 == 0 {
			i = s.recs.lookup(uint32(m.ID))
		}
		if i == 0 {
			s.recs.addMethod(m)
		} else if s.f.Symbols.Methods[i-1].Unlisted {
			s.f.Symbols.Methods[i-1] = m
		}
	}
	return nil
}

// learn adds to a thread the properties that a line of the summary states. An announced name is
// kept, because it is the name at the thread's first event. The table contains the last name of all
// threads that had this tid.
func learn(t *trace.Thread, listed trace.Thread) {
	t.TID = listed.TID
	if t.Unlisted {
		t.Name, t.Unlisted = listed.Name, false
	}
}
