package timeline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"time"

	"artifice/internal/decode"
	"artifice/trace"
)

// chromeFormat is Chrome's trace event format: an object with traceEvents, or the
// array alone, whose end may be missing. Duration events (B, E, X) are calls;
// metadata names threads; anything else is left out. Times are microseconds.
var chromeFormat = Format{
	Name: "chrome", Description: "Chrome JSON: duration events",
	Sniff: func(head []byte) bool {
		head = bytes.TrimLeft(head, " \t\r\n")
		return len(head) > 0 && (head[0] == '{' || head[0] == '[') &&
			(bytes.Contains(head, []byte(`"traceEvents"`)) || bytes.Contains(head, []byte(`"ph"`)))
	},
	read: readChrome,
}

// chromeEvent is what is used of an event.
type chromeEvent struct {
	phase              byte // of phases with one letter; else 0
	name, argsName     []byte
	pid, tid           chromeID
	ts, dur, tts, tdur []byte // numbers; empty where there is none
}

// chromeID is a process or thread id: a number, or a text, which is its name.
type chromeID struct {
	number uint32
	name   []byte
}

func readChrome(s *source) error {
	d := json.NewDecoder(s.in)
	if err := findEvents(d); err != nil {
		s.offset = d.InputOffset()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	s.offset = d.InputOffset()
	s.in = bufio.NewReaderSize(io.MultiReader(d.Buffered(), s.in), maxLine)
	var e chromeEvent
	for {
		taken, err := s.usual(&e)
		if taken && err == nil {
			continue
		}
		var element []byte
		if err == nil {
			element, err = s.element()
		}
		switch {
		case err == io.EOF:
			return nil
		case err == io.ErrUnexpectedEOF && s.calls.count > 0: // a program that dies leaves the array open; Chrome reads it, too
			s.warnings = append(s.warnings, trace.Warnf(trace.WarnNoSummary, s.name, "the array of events has no end; the last ones may be missing"))
			return nil
		case err != nil:
			return err
		}
		if err = e.read(element); err == nil {
			err = s.chromeEvent(&e)
		}
		if err == nil {
			err = s.stop()
		}
		if err != nil {
			return err
		}
		s.in.Discard(len(element))
		s.offset += int64(len(element))
	}
}

// findEvents reads up to the begin of the array of events.
func findEvents(d *json.Decoder) error {
	token, err := d.Token()
	for object := token == json.Delim('{'); err == nil && object && token != "traceEvents"; {
		if token, err = d.Token(); token == json.Delim('}') {
			return errors.New("the object has no array traceEvents")
		} else if token != "traceEvents" && err == nil {
			var skipped json.RawMessage
			err = d.Decode(&skipped)
		}
	}
	if token == "traceEvents" {
		token, err = d.Token()
	}
	if err == nil && token != json.Delim('[') {
		return errors.New("traceEvents is no array")
	}
	return err
}

// usual reads the next event where it is of the usual form and as a whole in the
// buffer, with the comma and the white space in front of it. Otherwise it leaves
// everything unread.
func (s *source) usual(e *chromeEvent) (taken bool, err error) {
	head, _ := s.in.Peek(s.in.Buffered())
	at := 0
	for at < len(head) && (head[at] == ',' || head[at] == '\n' || head[at] == ' ' || head[at] == '\r') {
		at++
	}
	if at == len(head) || head[at] != '{' {
		return false, nil
	}
	n, ok := e.scan(head[at:])
	if !ok {
		return false, nil
	}
	if err := s.chromeEvent(e); err != nil {
		return false, err
	}
	s.in.Discard(at + n)
	s.offset += int64(at + n)
	return true, s.stop()
}

// element returns the next element of the array, which stays in s.in; io.EOF at
// the array's end.
func (s *source) element() ([]byte, error) {
	for {
		c, err := s.in.ReadByte()
		switch {
		case err == io.EOF:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case c == ']':
			return nil, io.EOF
		case c == '{':
			s.in.UnreadByte()
			return s.object()
		case c != ',' && c != ' ' && c != '\n' && c != '\r' && c != '\t':
			return nil, fmt.Errorf("want an event, got %q", c)
		}
		s.offset++
	}
}

// object returns the object that s.in begins with.
func (s *source) object() ([]byte, error) {
	for want := 512; ; want *= 2 {
		head, err := s.in.Peek(max(min(want, maxLine), min(s.in.Buffered(), 4096)))
		if n := decode.JSONLen(head); n > 0 {
			return head[:n], nil
		}
		switch {
		case err == io.EOF:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case want >= maxLine:
			return nil, fmt.Errorf("an event of more than %d bytes", maxLine)
		}
	}
}

// read reads an event. What is written in an unusual way is read by encoding/json.
func (e *chromeEvent) read(text []byte) error {
	if n, ok := e.scan(text); ok && n == len(text) {
		return nil
	}
	var loose struct {
		Ph        string
		Name      string
		PID, TID  any
		TS, Dur   json.Number
		TTS, TDur json.Number
		Args      struct{ Name string }
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&loose); err != nil {
		return err
	}
	*e = chromeEvent{name: []byte(loose.Name), argsName: []byte(loose.Args.Name), ts: []byte(loose.TS), dur: []byte(loose.Dur), tts: []byte(loose.TTS), tdur: []byte(loose.TDur)}
	if len(loose.Ph) == 1 {
		e.phase = loose.Ph[0]
	}
	for id, v := range map[*chromeID]any{&e.pid: loose.PID, &e.tid: loose.TID} {
		switch v := v.(type) {
		case json.Number:
			*id = idOf([]byte(v), false)
		case string:
			*id = idOf([]byte(v), true)
		}
	}
	return nil
}

// Keys of the members that are used, as decode.KeyOf has them.
const (
	keyPh   = 'p' | 'h'<<8
	keyTs   = 't' | 's'<<8
	keyPid  = 'p' | 'i'<<8 | 'd'<<16
	keyTid  = 't' | 'i'<<8 | 'd'<<16
	keyDur  = 'd' | 'u'<<8 | 'r'<<16
	keyTts  = 't' | 't'<<8 | 's'<<16
	keyTdur = 't' | 'd'<<8 | 'u'<<16 | 'r'<<24
	keyName = 'n' | 'a'<<8 | 'm'<<16 | 'e'<<24
	keyArgs = 'a' | 'r'<<8 | 'g'<<16 | 's'<<24
)

// scan reads an event of the usual form, which has n bytes.
func (e *chromeEvent) scan(text []byte) (n int, ok bool) {
	*e = chromeEvent{}
	in := decode.NewJSON(text)
	hasArgs := false
	for more := in.Open('{', '}'); more; more = in.More('}') {
		switch in.Key() {
		case keyPh:
			if ph := in.Str(); len(ph) == 1 {
				e.phase = ph[0]
			}
		case keyName:
			e.name = in.Str()
		case keyPid:
			e.pid = scanID(&in)
		case keyTid:
			e.tid = scanID(&in)
		case keyTs:
			e.ts = in.Decimal()
		case keyDur:
			e.dur = in.Decimal()
		case keyTts:
			e.tts = in.Decimal()
		case keyTdur:
			e.tdur = in.Decimal()
		case keyArgs:
			in.Skip()
			hasArgs = true
		default:
			in.Skip()
		}
	}
	nameInArgs := e.phase == 'M' && hasArgs
	return in.Read(), !in.Bad && !nameInArgs
}

func scanID(in *decode.JSON) chromeID {
	if in.Next('"') {
		return idOf(in.Str(), true)
	}
	return idOf(in.Decimal(), false)
}

// idOf returns the id that text is. A quoted one that is no number has a number
// made of its letters.
func idOf(text []byte, quoted bool) chromeID {
	if n, ok := decode.Uint(text); ok {
		return chromeID{number: uint32(n)}
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return chromeID{number: uint32(n)}
	}
	if !quoted {
		return chromeID{}
	}
	h := fnv.New32a()
	h.Write(text)
	return chromeID{number: h.Sum32(), name: text}
}

func (s *source) chromeEvent(e *chromeEvent) error {
	t := thread{e.pid.number, e.tid.number}
	switch e.phase {
	case 'M':
		if string(e.name) == "thread_name" {
			return s.calls.name(t, e.argsName)
		}
		return nil
	case 'B', 'E', 'X':
	default:
		return nil
	}
	at, err := micros(e.ts)
	if err != nil {
		return err
	}
	cpu := time.Duration(-1)
	if len(e.tts) > 0 {
		if cpu, err = micros(e.tts); err != nil {
			return err
		}
	}
	if e.tid.name != nil {
		if err := s.calls.name(t, e.tid.name); err != nil {
			return err
		}
	}
	switch e.phase {
	case 'B':
		return s.calls.begin(t, e.name, at, cpu)
	case 'E':
		return s.calls.end(t, e.name, at, cpu)
	}
	took, err := micros(e.dur)
	if err != nil {
		return err
	}
	cpuEnd := cpu
	if len(e.tdur) > 0 && cpu >= 0 {
		used, err := micros(e.tdur)
		if err != nil {
			return err
		}
		cpuEnd += used
	}
	return s.calls.call(t, e.name, at, at+took, cpu, cpuEnd)
}

// micros reads a number of microseconds, 0 where there is none.
func micros(n []byte) (time.Duration, error) {
	if len(n) == 0 {
		return 0, nil
	}
	t, ok := decode.Time(n, time.Microsecond)
	if !ok {
		return 0, fmt.Errorf("%s is no time in microseconds", n)
	}
	return t, nil
}
