package dmtrace

import (
	"encoding/binary"
	"io"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// item reads an announcement or the summary, after which the error is io.EOF.
func (s *stream) item() error {
	head, err := s.in.Window(3, "an item")
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
	return s.in.Errorf("unknown item code %d (known: 1 method, 2 thread, 3 summary)", head[2])
}

func (s *stream) method() error {
	_, text, err := s.in.Sized(5, "the announcement of a method")
	if err != nil {
		return err
	}
	src := s.f.Source
	src.Announced = append(src.Announced, trace.Announcement{Before: s.n, Method: true, Text: text})
	line := TrimLineEnd(text)
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
	start := s.in.Off
	head, name, err := s.in.Sized(7, "the announcement of a thread")
	if err != nil {
		return err
	}
	tid := uint32(binary.LittleEndian.Uint16(head[2:]))
	src := s.f.Source
	src.Announced = append(src.Announced, trace.Announcement{Before: s.n, TID: tid, Text: name})
	if _, err := s.recs.addThread(trace.Thread{TID: tid, Name: name}); err != nil {
		return &trace.FormatError{Name: s.in.Name, Offset: start, Msg: err.Error()}
	}
	return nil
}

// summary reads the key section at the end.
func (s *stream) summary() error {
	head, err := s.in.Window(7, "the summary")
	if err != nil {
		return err
	}
	limited := &io.LimitedReader{R: s.in.Bytes, N: int64(binary.LittleEndian.Uint32(head[3:]))}
	s.in.Skip(7)
	at := s.in.Off
	sub := NewInput(limited, s.in.Name, at)
	k, err := s.f.ReadKey(sub, ClassicKey)
	if err == nil && k.Version != s.version {
		err = &trace.FormatError{Name: s.in.Name, Offset: at, Msg: VersionsDiffer(k.Version, s.version)}
	}
	if err != nil {
		return InPart(trace.InSummary, err)
	}
	if k.HasClock && k.Clock != s.f.Info.Clock {
		s.f.Warnf(trace.WarnClockContested, "the summary says clock=%s, but the times were read as %s", k.Clock, s.f.Info.Clock)
	}
	if k.Records >= 0 {
		s.f.Info.Events = k.Records
	}
	if err := s.addListed(); err != nil {
		return &trace.FormatError{Name: s.in.Name, Offset: at, Msg: err.Error()}
	}
	s.f.Source.HasSummary = true
	s.recs.warn()
	return s.f.EndOfSummary(s.in, sub, limited)
}

// addListed takes in the tables of a summary: they name what was not announced
// and tell whole tids.
func (s *stream) addListed() error {
	for _, line := range s.f.Source.Threads {
		th, err := dmformat.ParseThreadLine(line)
		if err != nil {
			s.f.Warnf(trace.WarnTableLine, "%v; the line is ignored", err)
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

// learn adds to a thread what a summary's line says of it. An announced name
// stays: it is the one at the thread's first event, while the table has the
// last name of all the threads that had this tid.
func learn(t *trace.Thread, listed trace.Thread) {
	t.TID = listed.TID
	if t.Unlisted {
		t.Name, t.Unlisted = listed.Name, false
	}
}
