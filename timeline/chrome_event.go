package timeline

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"strconv"

	"artifice/internal/decode"
)

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
