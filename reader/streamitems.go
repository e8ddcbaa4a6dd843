package reader

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// item reads an announcement or the summary, after which the error is io.EOF.
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

// sized passes an item's head of headSize bytes, whose last two are the length
// of the text that follows, and returns the head from its fourth byte on and the
// text. On failure the input stays at the item's start.
func (s *stream) sized(headSize int, what string) (head []byte, text string, err error) {
	b, err := s.in.window(headSize, what)
	if err != nil {
		return nil, "", err
	}
	n := headSize + int(binary.LittleEndian.Uint16(b[headSize-2:]))
	if b, err = s.in.window(n, what); err != nil {
		return nil, "", err
	}
	head = append(head, b[3:headSize]...)
	text = string(b[headSize:n])
	s.in.skip(n)
	return head, text, nil
}

func (s *stream) method() error {
	_, text, err := s.sized(5, "the announcement of a method")
	if err != nil {
		return err
	}
	src := s.f.Source
	src.Announced = append(src.Announced, trace.Announcement{Before: s.n, Method: true, Text: text})
	line := trimLineEnd(text)
	m, ok := s.f.methodLine(line)
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

func trimLineEnd(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}

func (s *stream) thread() error {
	start := s.in.off
	head, name, err := s.sized(7, "the announcement of a thread")
	if err != nil {
		return err
	}
	tid := uint32(binary.LittleEndian.Uint16(head))
	src := s.f.Source
	src.Announced = append(src.Announced, trace.Announcement{Before: s.n, TID: tid, Text: name})
	if _, err := s.recs.addThread(trace.Thread{TID: tid, Name: name}); err != nil {
		return &trace.FormatError{Name: s.in.name, Offset: start, Msg: err.Error()}
	}
	return nil
}

// summary reads the key section at the end.
func (s *stream) summary() error {
	head, err := s.in.window(7, "the summary")
	if err != nil {
		return err
	}
	limited := &io.LimitedReader{R: s.in.br, N: int64(binary.LittleEndian.Uint32(head[3:]))}
	s.in.skip(7)
	at := s.in.off
	sub := newInput(limited, s.in.name, at)
	k, err := s.f.readKey(sub, classicKey)
	if err == nil && k.version != s.version {
		err = &trace.FormatError{Name: s.in.name, Offset: at, Msg: versionsDiffer(k.version, s.version)}
	}
	if err != nil {
		return inPart(trace.InSummary, err)
	}
	if k.hasClock && k.clock != s.f.Info.Clock {
		s.f.warnf(trace.WarnClockContested, "the summary says clock=%s, but the times were read as %s", k.clock, s.f.Info.Clock)
	}
	if k.records >= 0 {
		s.f.Info.Events = k.records
	}
	if err := s.addListed(); err != nil {
		return &trace.FormatError{Name: s.in.name, Offset: at, Msg: err.Error()}
	}
	s.f.Source.HasSummary = true
	s.recs.warn()
	return s.f.endOfSummary(s.in, sub, limited)
}

// inPart notes in an error which part of the file it is in.
func inPart(p trace.Part, err error) error {
	var format *trace.FormatError
	if errors.As(err, &format) {
		format.Part = p
	}
	return err
}

// endOfSummary checks that the file ends where the summary does, which was read
// from sub.
func (f *File) endOfSummary(in, sub *input, limited *io.LimitedReader) error {
	if rest := int64(sub.br.Buffered()) + limited.N; rest > 0 {
		f.warnf(trace.WarnAfterSummary, "the summary continues for %d bytes after its *end; they are ignored", rest)
		if _, err := io.Copy(io.Discard, sub.br); err != nil {
			return sub.cut("reading the summary", err)
		}
	}
	in.off = sub.off
	switch _, err := in.window(1, "the end of the file"); err {
	case io.EOF:
		return io.EOF
	case nil:
		f.warnf(trace.WarnAfterSummary, "the bytes after the summary, from offset %d on, are ignored", in.off)
		return io.EOF
	default:
		return err
	}
}

// addListed takes in the tables of a summary: they name what was not announced
// and tell whole tids.
func (s *stream) addListed() error {
	for _, line := range s.f.Source.Threads {
		th, err := dmformat.ParseThreadLine(line)
		if err != nil {
			s.f.warnf(trace.WarnTableLine, "%v; the line is ignored", err)
			continue
		}
		if i := s.recs.threadOf(th.TID & s.recs.tidMask); i != 0 {
			learn(&s.f.Symbols.Threads[i-1], th)
		} else if _, err := s.recs.addThread(th); err != nil {
			return err
		}
	}
	for _, line := range s.f.Source.Methods {
		m, ok := s.f.methodLine(line)
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

// learn adds to a thread what a summary's line says of it. An announced name
// stays: it is the one at the thread's first event, while the table has the
// last name of all the threads that had this tid.
func learn(t *trace.Thread, listed trace.Thread) {
	t.TID = listed.TID
	if t.Unlisted {
		t.Name, t.Unlisted = listed.Name, false
	}
}

func versionsDiffer(text, header uint16) string {
	return fmt.Sprintf("the key section says version %d, the header %d", text, header)
}
