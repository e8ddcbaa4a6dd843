package timeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"strconv"
	"time"

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
	Ph   string
	Name string
	PID  chromeID
	TID  chromeID
	TS   json.Number
	Dur  json.Number
	TTS  json.Number
	TDur json.Number
	Args struct{ Name string }
}

// chromeID is a process or thread id: a number, or a text, which is its name.
type chromeID struct {
	number uint32
	name   string
}

// UnmarshalJSON implements [json.Unmarshaler].
func (id *chromeID) UnmarshalJSON(b []byte) error {
	if n, err := strconv.ParseInt(string(b), 10, 64); err == nil {
		id.number = uint32(n)
		return nil
	}
	if err := json.Unmarshal(b, &id.name); err != nil {
		return err
	}
	if n, err := strconv.ParseUint(id.name, 10, 32); err == nil {
		id.number, id.name = uint32(n), ""
		return nil
	}
	h := fnv.New32a()
	h.Write([]byte(id.name))
	id.number = h.Sum32()
	return nil
}

func readChrome(s *source) error {
	d := json.NewDecoder(s.in)
	d.UseNumber()
	err := s.chrome(d)
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		if s.calls.count == 0 {
			return io.ErrUnexpectedEOF
		}
		// A program that dies leaves the array open; Chrome reads it, too.
		s.warnings = append(s.warnings, trace.Warnf(trace.WarnNoSummary, s.name, "the array of events has no end; the last ones may be missing"))
		return nil
	case err != nil && !errors.As(err, &syntax):
		s.offset = d.InputOffset()
	case err != nil:
		s.offset = syntax.Offset
	}
	return err
}

// chrome reads the document up to the end of the events.
func (s *source) chrome(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if token == json.Delim('{') {
		for {
			if token, err = d.Token(); err != nil {
				return err
			}
			if token == json.Delim('}') {
				return errors.New("the object has no array traceEvents")
			}
			if token == "traceEvents" {
				break
			}
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return err
			}
		}
		if token, err = d.Token(); err != nil {
			return err
		}
	}
	if token != json.Delim('[') {
		return errors.New("traceEvents is no array")
	}
	for d.More() {
		var e chromeEvent
		s.offset = d.InputOffset()
		if err := d.Decode(&e); err != nil {
			return err
		}
		if err := s.stop(); err != nil {
			return err
		}
		if err := s.chromeEvent(&e); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

func (s *source) chromeEvent(e *chromeEvent) error {
	t := thread{e.PID.number, e.TID.number}
	switch e.Ph {
	case "M":
		if e.Name == "thread_name" {
			return s.calls.name(t, e.Args.Name)
		}
		return nil
	case "B", "E", "X":
	default:
		return nil
	}
	at, err := micros(e.TS)
	if err != nil {
		return err
	}
	cpu := time.Duration(-1)
	if e.TTS != "" {
		if cpu, err = micros(e.TTS); err != nil {
			return err
		}
	}
	if e.TID.name != "" {
		if err := s.calls.name(t, e.TID.name); err != nil {
			return err
		}
	}
	switch e.Ph {
	case "B":
		return s.calls.begin(t, []byte(e.Name), at, cpu)
	case "E":
		return s.calls.end(t, at, cpu)
	}
	long, err := micros(e.Dur)
	if err != nil {
		return err
	}
	cpuEnd := cpu
	if e.TDur != "" && cpu >= 0 {
		used, err := micros(e.TDur)
		if err != nil {
			return err
		}
		cpuEnd += used
	}
	return s.calls.call(t, []byte(e.Name), at, at+long, cpu, cpuEnd)
}

// micros reads a number of microseconds. Whole ones, and those with three
// decimals, come out exact.
func micros(n json.Number) (time.Duration, error) {
	if n == "" {
		return 0, nil
	}
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil && i > -1<<52 && i < 1<<52 {
		return time.Duration(i) * time.Microsecond, nil
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || math.Abs(f) > 1<<52 {
		return 0, fmt.Errorf("%s is no time in microseconds", n)
	}
	whole, fraction := math.Modf(f)
	return time.Duration(whole)*time.Microsecond + time.Duration(math.Round(fraction*1000)), nil
}
