package chrome

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/jsonread"
	"artifice/trace"
)

func sniff(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[') &&
		(bytes.Contains(head, []byte(`"traceEvents"`)) || bytes.Contains(head, []byte(`"ph"`)))
}

// reader reads a file. When it refuses one that has samples instead of calls, it says what to save.
type reader struct {
	*timeline.Source
	doc *jsonread.Document
}

func read(src *timeline.Source) error {
	s := reader{src, jsonread.NewDocument(src.In)}
	s.doc.Limit = timeline.MaxLine
	err := s.findEvents()
	s.Offset = s.doc.Offset()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	before := newKnown(&s.Calls)
	var e event
	for {
		if err := s.usual(&e, before); err != nil {
			return err
		}
		element, err := s.element()
		switch {
		case err == io.EOF:
			return nil
		case err == io.ErrUnexpectedEOF && s.Calls.Count() > 0: // a program that dies leaves the array open; Chrome reads it, too
			s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnNoSummary, s.Name, "the array of events has no end; the last ones may be missing"))
			return nil
		case err != nil:
			return err
		}
		if err = e.read(element, before); err == nil {
			err = s.take(&e)
		}
		if err == nil {
			err = s.Stop()
		}
		if err != nil {
			return err
		}
		s.Offset = s.doc.Offset()
	}
}

// findEvents reads up to the first element of the array of events.
func (s *reader) findEvents() error {
	c, err := s.doc.Peek()
	if err != nil {
		return err
	}
	if c == '[' {
		_, err = s.doc.Open('[')
		return err
	}
	if _, err = s.doc.Open('{'); err != nil {
		return err
	}
	for {
		more, err := s.doc.More('}')
		if err != nil {
			return err
		}
		if !more {
			return errors.New("the object has no array traceEvents; samples and stackFrames alone are not read: save V8's profile as .cpuprofile")
		}
		key, err := s.doc.Key()
		if err == nil && key == "traceEvents" {
			present, err := s.doc.Open('[')
			if err == nil && !present {
				err = errors.New("found null")
			}
			if err != nil {
				return fmt.Errorf("traceEvents is not an array: %w", err)
			}
			return nil
		}
		if err == nil {
			err = s.doc.Skip()
		}
		if err != nil {
			return err
		}
	}
}

// usual reads events, with the commas and white space in front of them, as long as they have the
// usual form and lie in the buffer as a whole.
func (s *reader) usual(e *event, before *known) error {
	head := s.doc.Window()
	read := 0
	for {
		at := read
		for at < len(head) && (head[at] == ',' || head[at] == '\n' || head[at] == ' ' || head[at] == '\r') {
			at++
		}
		n, ok := e.scan(head[at:], before)
		if !ok {
			break
		}
		if err := s.take(e); err != nil {
			return err
		}
		s.Offset += int64(at + n - read)
		read = at + n
		if err := s.Stop(); err != nil {
			return err
		}
	}
	s.doc.Discard(read)
	return nil
}

// element returns the next element of the array; io.EOF at the array's end.
func (s *reader) element() ([]byte, error) {
	for {
		c, err := s.doc.Peek()
		s.Offset = s.doc.Offset()
		switch {
		case err != nil:
			return nil, err
		case c == ']':
			return nil, io.EOF
		case c == '{':
			return s.doc.Value()
		case c != ',':
			return nil, fmt.Errorf("want an event, got %q", c)
		}
		s.doc.Discard(1)
	}
}

// take handles an event.
func (s *reader) take(e *event) error {
	t := timeline.Thread{Pid: e.pid.number, Tid: e.tid.number}
	switch e.phase {
	case 'M':
		if string(e.name) == "thread_name" {
			return s.Calls.Name(t, e.argsName)
		}
		return nil
	case 'B', 'E', 'X':
	case 'P': // Profile and ProfileChunk, and samples of an older form
		s.Hint = "; it has samples of V8's profiler (events of phase P), which are not read: save them as .cpuprofile (node --cpu-prof, or Profiler.stop of Chrome's protocol)"
		return nil
	default:
		return nil
	}
	at, err := e.ts.time()
	if err != nil {
		return err
	}
	cpu := time.Duration(-1)
	if len(e.tts.text) > 0 {
		if cpu, err = e.tts.time(); err != nil {
			return err
		}
	}
	if e.tid.name != nil {
		if err := s.Calls.Name(t, e.tid.name); err != nil {
			return err
		}
	}
	method, err := e.methodIn(&s.Calls)
	if err != nil {
		return err
	}
	id, err := s.Calls.Thread(t)
	switch {
	case err != nil:
		return err
	case e.phase == 'B':
		return s.Calls.BeginOf(id, method, at, cpu)
	case e.phase == 'E':
		return s.Calls.EndAs(id, method, at, cpu)
	}
	took, err := e.dur.time()
	if err != nil {
		return err
	}
	cpuEnd := cpu
	if len(e.tdur.text) > 0 && cpu >= 0 {
		used, err := e.tdur.time()
		if err != nil {
			return err
		}
		cpuEnd += used
	}
	return s.Calls.Whole(t, method, at, at+took, cpu, cpuEnd)
}
