package chrome

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
	"artifice/internal/jsonread"
	"artifice/internal/words"
	"artifice/trace"
)

func sniff(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[') &&
		(bytes.Contains(head, []byte(`"traceEvents"`)) || bytes.Contains(head, []byte(`"ph"`)) || stackdump.HasJSONKeys(head, "stackFrames", "sf"))
}

// reader reads the calls of a file. Its error for a file with samples but no calls names the format
// or the file to use instead.
type reader struct {
	*timeline.Source
	doc     *jsonread.Document
	stops   bool // reading ends at the first samples
	samples int  // number of events with samples
	object  bool // the events are in an object
	stacks  int  // number of the object's samples with stacks
	odd     [oddKinds]int64
}

// Kinds of irregular events, which are counted in the file's warnings.
const (
	oddPhase    = iota // without a phase
	oddTime            // of a call, without a time
	oddDuration        // with a negative duration
	oddKinds
)

// oddEvents are the warnings about irregular events, by kind.
var oddEvents = [oddKinds]string{
	oddPhase:    "events without a phase (ph) are ignored",
	oddTime:     "begins and ends of calls without a time (ts) are ignored",
	oddDuration: "a negative duration (dur) counts as 0",
}

// errSamples ends the reading of calls at the first samples.
var errSamples = errors.New("the trace has samples")

func read(src *timeline.Source) error { return readEvents(src, false) }

// readUntilSamples reads calls, and fails with errSamples at the first samples.
func readUntilSamples(src *timeline.Source) error { return readEvents(src, true) }

func readEvents(src *timeline.Source, stops bool) error {
	s := reader{Source: src, doc: jsonread.NewDocument(src.In), stops: stops}
	if err := s.read(); err != nil {
		return err
	}
	s.addIgnored()
	if s.Calls.Count() == 0 {
		return nil
	}
	const unread = "the begins and ends of calls are read, not the samples %s (%s); --input-format chrome-samples reads the samples"
	if s.samples > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, unread, "of V8's profiler", words.Count(s.samples, "event")))
	}
	if s.stacks > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, unread, "with stackFrames", words.Count(s.stacks, "sample")))
	}
	return nil
}

// addIgnored adds warnings about irregular events, and about events that may have been intended as
// calls. If there are no calls, it adds advice.
func (s *reader) addIgnored() {
	if s.Async > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, "asynchronous sections are ignored, because they belong to no thread: %s", words.Count(s.Async, "section")))
	}
	if s.stacks > 0 {
		s.Hint = "; it has samples with stackFrames: --input-format chrome-samples reads them"
	}
	for kind, n := range s.odd {
		if n > 0 {
			s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, "%s: %s", oddEvents[kind], words.Count(n, "event")))
		}
	}
	if s.Hint == "" && s.Async == 0 {
		s.Hint = "; calls are events of the phases X, or B and E; ftrace text in it can be extracted: jq -r .systemTraceEvents FILE > FILE.ftrace"
	}
}

// read reads all events.
func (s *reader) read() error {
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
			if s.object {
				return s.afterEvents()
			}
			return nil
		// if the program dies, the end of the array is missing; Chrome reads such files, too
		case err == io.ErrUnexpectedEOF && s.Calls.Count() > 0:
			s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnNoSummary, s.Name, "the array of events has no end; the last events may be missing"))
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

// findEvents reads up to the first element of the events array.
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
	phased, sampled := false, false // the element is an event; the event has samples
	for {
		more, err := s.doc.More('}')
		if err != nil {
			return err
		}
		if !more && phased && !sampled {
			return errors.New("the file has one event instead of an array of events; if it has one event per line, convert it to an array: jq -s . FILE > ARRAY.json")
		}
		if !more {
			return errors.New("the object has no array traceEvents; --input-format chrome-samples reads samples with stackFrames")
		}
		key, err := s.doc.Key()
		switch key {
		case "ph":
			phased = true
		case "samples", "stackFrames":
			sampled = true
		}
		if err == nil && key == "traceEvents" {
			s.object = true
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
			err = s.member(key)
		}
		if err != nil {
			return err
		}
	}
}

// afterEvents reads the members of the object after its events. Errors in their JSON do not matter.
func (s *reader) afterEvents() error {
	_, err := s.doc.More(']')
	for err == nil {
		more, bad := s.doc.More('}')
		if bad != nil || !more {
			return nil
		}
		key, bad := s.doc.Key()
		if bad != nil {
			return nil
		}
		err = s.member(key)
	}
	if err == errSamples {
		return err
	}
	return nil
}

// member skips a member of the object, and counts samples with stacks.
func (s *reader) member(key string) error {
	if key != "samples" {
		return s.doc.Skip()
	}
	return s.doc.Array(func() error {
		text, err := s.doc.Value()
		if err != nil || !bytes.Contains(text, []byte(`"sf"`)) {
			return err
		}
		if s.stacks++; s.stops {
			return errSamples
		}
		return nil
	})
}

// usual reads events, with the preceding commas and white space, while they have the usual form and
// are completely in the buffer.
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
			return nil, fmt.Errorf("expected an event, found %q", c)
		}
		s.doc.Discard(1)
	}
}

// take handles an event.
func (s *reader) take(e *event) error {
	t := timeline.Thread{Pid: e.pid.number, Tid: e.tid.number}
	if !e.hasTID { // the main thread, as in trace_processor
		t.Tid = t.Pid
	}
	switch e.phase {
	case 'M':
		if string(e.name) == "thread_name" {
			return s.Calls.Name(t, e.argsName)
		}
		if string(e.name) == "process_name" {
			s.Calls.NameProcess(t.Pid, string(e.argsName))
		}
		return nil
	case 'B', 'E', 'X':
	case 'P', 'I', 'i': // V8's samples have phase P, or I in older traces
		if name := string(e.name); name != "ProfileChunk" && name != "CpuProfile" {
			return nil
		}
		if s.samples++; s.stops {
			return errSamples
		}
		s.Hint = "; it has samples of V8's profiler: --input-format chrome-samples reads them"
		return nil
	case 'b', 'S':
		s.Async++
		return nil
	case 0:
		s.odd[oddPhase]++
		return nil
	default:
		return nil
	}
	if e.ts.missing() {
		s.odd[oddTime]++
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
	if took < 0 {
		s.odd[oddDuration]++
		took = 0
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
