package speedscope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/decode"
	"artifice/internal/jsonread"
	"artifice/trace"
)

// isEvented reports whether a file has evented profiles, or has no sampled profiles.
func isEvented(head []byte) bool {
	return bytes.Contains(head, []byte("speedscope.app/file-format-schema")) &&
		(bytes.Contains(head, []byte(`"evented"`)) || !bytes.Contains(head, []byte(`"sampled"`)))
}

// reader reads a document. Frames may follow the events that contain their numbers. Events are
// therefore buffered until the end, in 24 bytes each: less than two bytes of memory per byte of the
// file, and less than four while the list grows.
type reader struct {
	*timeline.Source
	doc     *jsonread.Document
	frames  []trace.MethodID
	events  []event
	threads int
	read    fileEvent // reused for events
	left    []string  // notes on skipped or changed content
}

// event is the begin or end of a call.
type event struct {
	at     time.Duration
	thread trace.ThreadID
	frame  int32
	begin  bool
}

func readEvented(s *timeline.Source) error {
	r := &reader{Source: s, doc: jsonread.NewDocument(s.In)}
	r.read.keys = jsonread.NewKeys("type", "at", "frame")
	if err := r.doc.Object(r.member); err != nil {
		s.Offset = r.doc.Offset()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	for _, what := range r.left {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLeftOut, s.Name, "%s", what))
	}
	for _, e := range r.events {
		if int(e.frame) >= len(r.frames) {
			return fmt.Errorf("an event refers to frame %d, but the file has %d frames", e.frame, len(r.frames))
		}
		var err error
		if e.begin {
			err = s.Calls.BeginOf(e.thread, r.frames[e.frame], e.at, -1)
		} else {
			err = s.Calls.EndAs(e.thread, r.frames[e.frame]+1, e.at, -1)
		}
		if err == nil {
			err = s.Stop()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// member reads a member of the document.
func (r *reader) member(key string) error {
	switch key {
	case "shared":
		return r.doc.Object(func(key string) error {
			if key != "frames" {
				return r.doc.Skip()
			}
			return r.doc.Array(r.frame)
		})
	case "profiles":
		return r.doc.Array(r.profile)
	}
	return r.doc.Skip()
}

// frame reads a frame.
func (r *reader) frame() error {
	var f struct {
		Name string `json:"name"`
		File string `json:"file"`
		Line int    `json:"line"`
	}
	if err := r.doc.Decode(&f); err != nil {
		return err
	}
	m, err := r.Calls.Method([]byte(f.Name))
	if method := r.Calls.Symbols.Method(m); err == nil && method.File == "" {
		method.File = f.File
	}
	r.frames = append(r.frames, m)
	return err
}

// profile reads a profile. Its type and unit may follow its events; their times are converted at
// the end.
func (r *reader) profile() error {
	kind, name, unit := "", "", "none"
	first := len(r.events)
	var stamps []json.Number
	err := r.doc.Object(func(key string) error {
		switch key {
		case "type":
			return r.doc.Decode(&kind)
		case "name":
			return r.doc.Decode(&name)
		case "unit":
			return r.doc.Decode(&unit)
		case "events":
			return r.doc.Array(func() error { return r.event(&stamps) })
		}
		return r.doc.Skip()
	})
	if err != nil {
		return err
	}
	each, isTime := units[unit]
	switch {
	case kind != "evented":
		r.left = append(r.left, fmt.Sprintf("profile %q, of the type %q, is ignored; --input-format speedscope-samples reads the sampled ones", name, kind))
	case unit == "none":
		each, isTime = countTime, true
		r.left = append(r.left, noUnit(name, countTime))
	case !isTime:
		r.left = append(r.left, fmt.Sprintf("profile %q is ignored: %s", name, notTime(unit)))
		r.Hint = ": " + notTime(unit)
	}
	if kind != "evented" || !isTime {
		r.events = r.events[:first]
		return nil
	}
	r.threads++
	thread, err := r.thread(name)
	for i := range stamps {
		e := &r.events[first+i]
		at, ok := decode.Time([]byte(stamps[i]), each)
		if !ok {
			return fmt.Errorf("event time %.30q is not a number, or exceeds 73 years", stamps[i])
		}
		e.at, e.thread = at, thread
	}
	return err
}

// countTime is the duration of a count in profiles without a unit. It equals the duration of a
// sample in a sampled profile without an interval.
const countTime = 10 * time.Millisecond

// fileEvent is an event in its JSON form.
type fileEvent struct {
	Type  string      `json:"type"`
	At    json.Number `json:"at"`
	Frame int32       `json:"frame"`
	keys  *jsonread.Keys
}

// Scan implements [jsonread.Scannable].
func (e *fileEvent) Scan(in *jsonread.Scanner) {
	kind, at, frame := byte(0), []byte(nil), int64(-1)
	for key, more := in.Member('{', e.keys); more; key, more = in.Member(',', e.keys) {
		switch key {
		case 1:
			kind = in.Letter()
		case 2:
			at = in.NumberText()
		case 3:
			frame = in.Number()
		default:
			in.Bad = true
		}
	}
	in.Bad = in.Bad || kind != 'O' && kind != 'C' || int64(int32(frame)) != frame
	if !in.Bad {
		e.Type, e.At, e.Frame = string(kind), json.Number(at), int32(frame)
	}
}

// event reads an event.
func (r *reader) event(stamps *[]json.Number) error {
	r.read.Type, r.read.At, r.read.Frame = "", "", -1
	e := &r.read
	if err := r.doc.Decode(e); err != nil {
		return err
	}
	switch {
	case e.Type != "O" && e.Type != "C":
		return fmt.Errorf("an event of the type %.20q, not O or C", e.Type)
	case e.Frame < 0:
		return errors.New("an event without a frame")
	}
	*stamps = append(*stamps, e.At)
	r.events = append(r.events, event{frame: e.Frame, begin: e.Type == "O"})
	return r.Stop()
}

// thread adds the thread of a profile with this name. A number in parentheses at its end is the
// tid, as artifice and others write it.
func (r *reader) thread(name string) (trace.ThreadID, error) {
	key := timeline.Thread{Tid: uint32(r.threads)}
	tid := key.Tid
	if head, rest, ok := strings.Cut(name, " ("); ok && strings.HasSuffix(rest, ")") && !strings.Contains(rest, " (") {
		if n, err := strconv.ParseUint(strings.TrimSuffix(rest, ")"), 10, 32); err == nil && n > 0 {
			name, tid = head, uint32(n)
		}
	}
	for i := range r.Calls.Symbols.Threads {
		if r.Calls.Symbols.Threads[i].TID == tid {
			tid = key.Tid
		}
	}
	id, err := r.Calls.Thread(timeline.Thread{Tid: tid})
	if err == nil {
		r.Calls.NameOf(id, name)
	}
	return id, err
}
