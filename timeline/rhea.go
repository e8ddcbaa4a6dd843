package timeline

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"time"

	"artifice/internal/decode"
	"artifice/internal/rhea"
	"artifice/internal/words"
)

// rheaFormat is the text that RheaTrace (btrace 1 and 2) writes on the device,
// rhea-atrace: a line TRACE_START with the process id, then marks of
// android.os.Trace with time and thread, "12.345678 4711: B|4711|name". Without a
// thread they are the main thread's.
//
// RheaTrace 1 puts its own letter in front of a name: B: at the begin of a method,
// E: where it returns, T: where it throws; all three come as begins. A method that
// an exception merely passes through leaves neither E nor T; see [Repair].
var rheaFormat = Format{
	Name: "rhea", Description: "RheaTrace's rhea-atrace: marks as text",
	Sniff: func(head []byte) bool {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		fields := bytes.SplitN(line, []byte("|"), 3)
		return len(fields) == 3 && string(fields[1]) == "TRACE_START"
	},
	Numbered: true, // where the app was built with traceWithMethodID
	read:     readRhea,
}

// Repair is how ends that are missing in RheaTrace 1's files are put in.
type Repair uint8

const (
	// RepairForward follows the stack: an end of a method that is open closes all
	// that it called; one of a method that is not is left out. Values of captured
	// parameters behind a name are not compared: they may have changed since the begin.
	RepairForward Repair = iota

	// RepairRhea does what the scripts of RheaTrace 1.0.2 do, from the end of the
	// trace to its begin ([rhea.Repair]): calls whose end is missing get that of a call
	// around them or end where they begin, and have ": CrashTag" behind their names.
	// Marks without RheaTrace's letter, which are the framework's, stay as they are.
	RepairRhea
)

// ParseRepair returns the repair called forward or rhea.
func ParseRepair(s string) (Repair, error) {
	return words.Parse[Repair]("repair", []string{"forward", "rhea"}, s)
}

// rheaMark is a mark of a RheaTrace file.
type rheaMark struct {
	rhea.Marker[string]
	at      time.Duration
	android bool // it has none of RheaTrace's letters; an end then may have no name
}

func readRhea(s *source) error {
	pid, names := uint32(0), texts{}
	threads := map[uint32]*rheaThread{}
	var tids []uint32 // of threads, in the order of appearance
	err := s.eachLine(func(line []byte) error {
		if _, rest, _ := bytes.Cut(line, []byte("|")); bytes.HasPrefix(rest, []byte("TRACE_")) && bytes.Count(rest, []byte("|")) > 1 {
			if n, ok := decode.Uint(bytes.SplitN(rest, []byte("|"), 4)[2]); ok && n <= math.MaxUint32 && pid == 0 {
				pid = uint32(n)
			}
			return nil
		}
		tid, m, ok := rheaLine(line, pid, names)
		if !ok {
			s.skip(fmt.Sprintf("want TIME THREAD: MARK, got %.40q", line))
			return nil
		}
		t := threads[tid]
		if t == nil {
			t = &rheaThread{}
			tids, threads[tid] = append(tids, tid), t
			if tid == pid {
				if err := s.calls.name(thread{pid, tid}, []byte("main")); err != nil {
					return err
				}
			}
		}
		switch {
		case s.cfg.Repair == RepairForward:
			var err error
			t.open, err = s.forward(thread{pid, tid}, t.open, m)
			return err
		case m.android:
			return s.rheaMark(thread{pid, tid}, m)
		}
		t.add(m)
		return nil
	})
	for _, tid := range tids {
		if err == nil {
			err = s.repaired(thread{pid, tid}, threads[tid])
		}
	}
	return err
}

// rheaLine reads a line. The thread is the second word of a line with three.
func rheaLine(line []byte, pid uint32, names texts) (tid uint32, m rheaMark, ok bool) {
	head, text, found := bytes.Cut(line, []byte(": "))
	stamp, id, threaded := bytes.Cut(head, []byte(" "))
	if !found || len(text) < 1 {
		return 0, m, false
	}
	if m.at, ok = decode.Time(stamp, time.Second); !ok {
		return 0, m, false
	}
	tid = pid
	if threaded {
		n, ok := decode.Uint(bytes.TrimSpace(id))
		if !ok || n > math.MaxUint32 {
			return 0, m, false
		}
		tid = uint32(n)
	}
	kind, rest, _ := bytes.Cut(text, []byte("|"))
	_, name, named := bytes.Cut(rest, []byte("|"))
	m.android = true
	switch {
	case string(kind) == "E":
		m.Kind = rhea.End
	case string(kind) != "B" || !named:
		return 0, m, false
	}
	if len(name) > 2 && name[1] == ':' {
		if kind := bytes.IndexByte([]byte("BET"), name[0]); kind >= 0 {
			m.Kind, m.android, name = rhea.Kind(kind), false, name[2:]
		}
	}
	m.Name = names.of(name)
	return tid, m, true
}

// texts are the names that were read, so that a name takes memory once.
type texts map[string]string

// of returns a name.
func (t texts) of(name []byte) string {
	if known, ok := t[string(name)]; ok { // does not allocate
		return known
	}
	text := string(name)
	t[text] = text
	return text
}

// rheaMark adds a begin or end.
func (s *source) rheaMark(t thread, m rheaMark) error {
	if m.Kind == rhea.Begin {
		return s.calls.begin(t, []byte(m.Name), m.at, -1)
	}
	return s.calls.end(t, nil, m.at, -1)
}

// withoutValues returns a name without the values of captured parameters, "[1, x]", which
// RheaTrace reads again where the method returns.
func withoutValues(name string) string {
	method, _, _ := strings.Cut(name, "[")
	return method
}

// forward adds a mark by [RepairForward] to a thread with open calls, and returns
// those that are open behind it.
func (s *source) forward(t thread, open []rheaMark, m rheaMark) ([]rheaMark, error) {
	if m.Kind == rhea.Begin {
		return append(open, m), s.rheaMark(t, m)
	}
	at := len(open) - 1
	innermost := m.android && m.Name == ""
	for !innermost && at >= 0 && open[at].Name != m.Name && withoutValues(open[at].Name) != withoutValues(m.Name) {
		at--
	}
	if at < 0 {
		return open, nil
	}
	for range len(open) - at {
		if err := s.rheaMark(t, m); err != nil {
			return nil, err
		}
	}
	return open[:at], nil
}
