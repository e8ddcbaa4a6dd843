package chrome

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/decode"
	"artifice/internal/jsonread"
	"artifice/internal/words"
	"artifice/trace"
)

// event contains the used members of an event.
type event struct {
	phase              byte // the phase if it has one letter; else 0
	name, argsName     []byte
	method             trace.MethodID // method of the name, if known
	hasMethod          bool
	pid, tid           id
	hasTID             bool
	ts, dur, tts, tdur micros
}

// micros is a number of microseconds in its original form, or empty if the event has none.
type micros struct {
	text  []byte
	short bool // ns is the value
	ns    int64
}

// missing reports whether the event lacks this number.
func (m *micros) missing() bool { return !m.short && len(m.text) == 0 }

func (m *micros) time() (time.Duration, error) {
	if m.short || len(m.text) == 0 {
		return time.Duration(m.ns), nil
	}
	t, ok := decode.Time(m.text, time.Microsecond)
	if !ok {
		return 0, fmt.Errorf("%s is not a time in microseconds", words.Shorten(m.text))
	}
	return t, nil
}

// id is a process or thread id: a number, or a text that is also the name of the process or thread.
type id struct {
	number uint32
	name   []byte
}

// read reads an event. Events in an unusual form are read by encoding/json.
func (e *event) read(text []byte, before *known) error {
	if n, ok := e.scan(text, before); ok && n == len(text) {
		return nil
	}
	var loose struct {
		Ph        string
		Name      string
		PID       id
		TID       *id
		TS, Dur   json.Number
		TTS, TDur json.Number
		Args      struct{ Name string }
	}
	if err := jsonread.Unmarshal(text, &loose); err != nil {
		return err
	}
	*e = event{name: []byte(loose.Name), argsName: []byte(loose.Args.Name), pid: loose.PID,
		ts: micros{text: []byte(loose.TS)}, dur: micros{text: []byte(loose.Dur)}, tts: micros{text: []byte(loose.TTS)}, tdur: micros{text: []byte(loose.TDur)}}
	if e.hasTID = loose.TID != nil; e.hasTID {
		e.tid = *loose.TID
	}
	if len(loose.Ph) == 1 {
		e.phase = loose.Ph[0]
	}
	return nil
}

// methodIn returns the method of an event in c. For the end of a call it is the method of the
// event's name plus 1, or 0 without a name.
func (e *event) methodIn(c *timeline.Calls) (m trace.MethodID, err error) {
	if e.phase == 'E' && len(e.name) == 0 {
		return 0, nil
	}
	if m = e.method; !e.hasMethod {
		m, err = c.Method(e.name)
	}
	if e.phase == 'E' {
		m++
	}
	return m, err
}

// Numbers of the keys of the used members, in the order of newKnown.
const (
	keyPh = iota + 1
	keyName
	keyPid
	keyTid
	keyTs
	keyDur
	keyTts
	keyTdur
	keyArgs
)

// known contains values of earlier events, which make the next event faster to scan.
type known struct {
	keys  *jsonread.Keys
	calls *timeline.Calls // contains the names
}

func newKnown(calls *timeline.Calls) *known {
	return &known{jsonread.NewKeys("ph", "name", "pid", "tid", "ts", "dur", "tts", "tdur", "args"), calls}
}

// scan reads an event of n bytes in the usual form.
func (e *event) scan(text []byte, before *known) (n int, ok bool) {
	*e = event{}
	in := jsonread.NewScanner(text)
	hasArgs := false
	for key, more := in.Member('{', before.keys); more; key, more = in.Member(',', before.keys) {
		switch key {
		case keyPh:
			e.phase = in.Letter()
		case keyName:
			e.name = in.Quoted()
			if e.method, e.hasMethod = before.calls.Cached(e.name); !e.hasMethod {
				in.Bad = in.Bad || !jsonread.Plain(e.name)
			}
		case keyPid:
			e.pid = scanID(&in)
		case keyTid:
			e.tid, e.hasTID = scanID(&in), true
		case keyTs:
			e.ts.scan(&in)
		case keyDur:
			e.dur.scan(&in)
		case keyTts:
			e.tts.scan(&in)
		case keyTdur:
			e.tdur.scan(&in)
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

func (m *micros) scan(in *jsonread.Scanner) { m.text, m.ns, m.short = in.Decimal() }

func scanID(in *jsonread.Scanner) id {
	if n, ok := in.Digits(); ok {
		return id{number: n}
	}
	if in.Next('"') {
		return idOf(in.Str(), true)
	}
	text, _, _ := in.Decimal()
	return idOf(text, false)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (i *id) UnmarshalJSON(b []byte) error {
	var text jsonread.Text
	err := text.UnmarshalJSON(b)
	*i = idOf([]byte(text), b[0] == '"')
	return err
}

// idOf returns the id with this text. If a quoted id is not a number, its number is derived from
// its letters.
func idOf(text []byte, quoted bool) id {
	if n, ok := decode.Uint(text); ok {
		return id{number: uint32(n)}
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return id{number: uint32(n)}
	}
	if !quoted {
		return id{}
	}
	h := fnv.New32a()
	h.Write(text)
	return id{number: h.Sum32(), name: text}
}
