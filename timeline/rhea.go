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

// Rhea is the name of the format of RheaTrace's files, to which [Config.Repair] applies.
const Rhea = "rhea"

// rheaFormat is the text that RheaTrace (btrace 1 and 2) writes on the device,
// rhea-atrace: a line TRACE_START with the process id, then marks of
// android.os.Trace with time and thread, "12.345678 4711: B|4711|name". Without a
// thread they are the main thread's.
//
// RheaTrace 1 puts its own letter in front of a name: B: at the begin of a method,
// E: where it returns, T: where it throws; all three come as begins. A method that
// an exception merely passes through leaves neither E nor T; see [Repair].
var rheaFormat = Format{
	Name: Rhea, Description: "RheaTrace's rhea-atrace: marks as text",
	Sniff: func(head []byte) bool {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		fields := bytes.SplitN(line, []byte("|"), 3)
		return len(fields) == 3 && string(fields[1]) == "TRACE_START"
	},
	Numbered: true, // where the app was built with traceWithMethodID
	Read:     readRhea,
}

// Repair is how ends that are missing in RheaTrace 1's files are put in.
type Repair uint8

const (
	// RepairForward follows the stack: an end of a method that is open closes all
	// that it called; one of a method that is not is left out. Values of captured
	// parameters after a name are not compared: they may have changed since the begin.
	RepairForward Repair = iota

	// RepairRhea does what the scripts of RheaTrace 1.0.2 do, from the end of the
	// trace to its begin ([rhea.Repair]): calls whose end is missing get that of a call
	// around them or end where they begin, and have ": CrashTag" after their names.
	// Marks without RheaTrace's letter, which are the framework's, stay as they are.
	RepairRhea
)

// ParseRepair returns the repair called forward or rhea.
func ParseRepair(s string) (Repair, error) {
	return words.Parse[Repair]("repair", []string{"forward", "rhea"}, s)
}

// rheaMark is a mark of a RheaTrace file.
type rheaMark struct {
	kind    rhea.Kind
	name    []byte
	at      time.Duration
	android bool // it has none of RheaTrace's letters; an end then may have no name
}

func readRhea(s *Source) error {
	pid, names, m := uint32(0), texts{}, rheaMark{}
	var threads Numbers[*rheaThread]
	var tids []uint32 // of threads, in the order of appearance
	err := s.eachLine(func(line []byte) error {
		tid, ok := rheaLine(line, pid, &m)
		if !ok {
			n, ok := rheaHead(line)
			if !ok {
				s.skip(fmt.Sprintf("want TIME THREAD: MARK, got %.40q", line))
			} else if pid == 0 {
				pid = n
			}
			return nil
		}
		t, ok := threads.Get(uint64(tid))
		if !ok {
			t = &rheaThread{}
			tids = append(tids, tid)
			threads.Set(uint64(tid), t)
			if tid == pid {
				if err := s.Calls.name(Thread{pid, tid}, []byte("main")); err != nil {
					return err
				}
			}
		}
		switch {
		case s.Cfg.Repair == RepairForward:
			return s.forward(Thread{pid, tid}, t, &m)
		case m.android:
			return s.androidMark(Thread{pid, tid}, &m)
		}
		t.add(rhea.Marker[string]{Kind: m.kind, Name: names.of(m.name)}, m.at)
		return nil
	})
	for _, tid := range tids {
		if err == nil {
			t, _ := threads.Get(uint64(tid))
			err = s.repaired(Thread{pid, tid}, t)
		}
	}
	return err
}

// rheaHead reports whether a line is one that tells of the recording, and returns the
// process id, 0 where it has none.
func rheaHead(line []byte) (pid uint32, ok bool) {
	_, rest, _ := bytes.Cut(line, []byte("|"))
	if !isRheaHead(rest) {
		return 0, false
	}
	n, ok := decode.Uint(bytes.SplitN(rest, []byte("|"), 4)[2])
	if !ok || n > math.MaxUint32 {
		n = 0
	}
	return uint32(n), true
}

// isRheaHead does so by what is behind the first "|".
func isRheaHead(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("TRACE_")) && bytes.Count(rest, []byte("|")) > 1
}

// rheaLine reads a line that is a mark. The thread is the second word of a line with three.
func rheaLine(line []byte, pid uint32, m *rheaMark) (tid uint32, ok bool) {
	colon := colonIn(line)
	if colon < 0 {
		return 0, false
	}
	stamp, text := line[:colon], line[colon+2:]
	tid = pid
	if blank := bytes.IndexByte(stamp, ' '); blank >= 0 {
		n, ok := decode.Uint(stamp[blank+1:])
		if !ok {
			n, ok = decode.Uint(bytes.TrimSpace(stamp[blank:]))
		}
		if !ok || n > math.MaxUint32 {
			return 0, false
		}
		tid, stamp = uint32(n), stamp[:blank]
	}
	if m.at, ok = decode.Time(stamp, time.Second); !ok || len(text) == 0 || len(text) > 1 && text[1] != '|' {
		return 0, false
	}
	rest := text[min(2, len(text)):]
	bar := bytes.IndexByte(rest, '|')
	if isRheaHead(rest) || text[0] != 'E' && (text[0] != 'B' || bar < 0) {
		return 0, false
	}
	m.name = nil
	if bar >= 0 {
		m.name = rest[bar+1:]
	}
	letter := text[0]
	if m.android = len(m.name) <= 2 || m.name[1] != ':' || m.name[0] != 'B' && m.name[0] != 'E' && m.name[0] != 'T'; !m.android {
		letter, m.name = m.name[0], m.name[2:]
	}
	switch letter {
	case 'B':
		m.kind = rhea.Begin
	case 'E':
		m.kind = rhea.End
	case 'T':
		m.kind = rhea.Throw
	}
	return tid, true
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

// androidMark adds a begin or end.
func (s *Source) androidMark(t Thread, m *rheaMark) error {
	if m.kind == rhea.Begin {
		return s.Calls.begin(t, m.name, m.at, -1)
	}
	return s.Calls.end(t, nil, m.at, -1)
}

// withoutValues returns a name without the values of captured parameters, "[1, x]", which
// RheaTrace reads again where the method returns.
func withoutValues(name string) string {
	method, _, _ := strings.Cut(name, "[")
	return method
}

// forward adds a mark of a thread by [RepairForward].
func (s *Source) forward(t Thread, of *rheaThread, m *rheaMark) error {
	if m.kind == rhea.Begin {
		method, err := s.Calls.named(m.name)
		if err != nil {
			return err
		}
		of.open = append(of.open, method.name)
		id, err := s.Calls.thread(t)
		if err != nil {
			return err
		}
		return s.Calls.BeginOf(id, method.id, m.at, -1)
	}
	ends := 1
	if last := len(of.open) - 1; !(m.android && len(m.name) == 0) && (last < 0 || of.open[last] != string(m.name)) {
		ends = of.endsFor(string(m.name))
	}
	ends = min(ends, len(of.open))
	of.open = of.open[:len(of.open)-ends]
	for range ends {
		if err := s.Calls.end(t, nil, m.at, -1); err != nil {
			return err
		}
	}
	return nil
}

// endsFor returns how many of the open calls end where a method of a name does, 0 where it
// is not open.
func (r *rheaThread) endsFor(name string) int {
	method := withoutValues(name)
	for i := len(r.open) - 1; i >= 0; i-- {
		if withoutValues(r.open[i]) == method {
			return len(r.open) - i
		}
	}
	return 0
}
