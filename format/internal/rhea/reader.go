package rhea

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"time"

	format "artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/internal/decode"
	"artifice/internal/rhea"
)

// mark is a mark in a RheaTrace file.
type mark struct {
	kind    rhea.Kind
	name    []byte
	at      time.Duration
	android bool // the mark has none of RheaTrace's letters; then an end may have no name
}

func (r *reader) read(s *timeline.Source) error {
	r.Source = s
	pid, names, m := uint32(0), texts{}, mark{}
	var threads timeline.Numbers[*thread]
	var tids []uint32 // thread ids in the order of appearance
	err := s.EachLine(func(line []byte) error {
		if pid == 0 {
			pid = processIn(line) // the file's header can be missing
		}
		tid, ok := markIn(line, pid, &m)
		if !ok {
			n, ok := headIn(line)
			if !ok {
				s.Skip(fmt.Sprintf("expected TIME THREAD: MARK, found %.40q", line))
			} else if pid == 0 {
				pid = n
			}
			return nil
		}
		t, ok := threads.Get(uint64(tid))
		if !ok {
			t = &thread{}
			tids = append(tids, tid)
			threads.Set(uint64(tid), t)
			if tid == pid {
				if err := s.Calls.Name(timeline.Thread{Pid: pid, Tid: tid}, []byte("main")); err != nil {
					return err
				}
			}
		}
		switch {
		case r.repair != format.RepairRhea:
			return r.forward(timeline.Thread{Pid: pid, Tid: tid}, t, &m)
		case m.android:
			return r.androidMark(timeline.Thread{Pid: pid, Tid: tid}, &m)
		}
		t.add(rhea.Marker[string]{Kind: m.kind, Name: names.of(m.name)}, m.at)
		return nil
	})
	for _, tid := range tids {
		if err == nil {
			t, _ := threads.Get(uint64(tid))
			err = r.repaired(timeline.Thread{Pid: pid, Tid: tid}, t)
		}
	}
	return err
}

// headIn reports whether a line describes the recording, and returns its process id, or 0 if
// the line has none.
func headIn(line []byte) (pid uint32, ok bool) {
	_, rest, _ := bytes.Cut(line, []byte("|"))
	if !isHead(rest) {
		return 0, false
	}
	n, ok := decode.Uint(bytes.SplitN(rest, []byte("|"), 4)[2])
	if !ok || n > math.MaxUint32 {
		n = 0
	}
	return uint32(n), true
}

// isHead reports whether rest, the text after the first "|" of a line, describes the recording.
func isHead(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("TRACE_")) && bytes.Count(rest, []byte("|")) > 1
}

// processIn returns the process id in a line that is the mark of a begin; 0 for another line.
func processIn(line []byte) uint32 {
	var m mark
	if _, ok := markIn(line, 0, &m); !ok {
		return 0
	}
	parts := bytes.SplitN(line, []byte("|"), 3)
	if len(parts) < 3 || !bytes.HasSuffix(parts[0], []byte(": B")) {
		return 0
	}
	n, ok := decode.Uint(parts[1])
	if !ok || n > math.MaxUint32 {
		return 0
	}
	return uint32(n)
}

// markIn parses a line that is a mark. If the line has three words, the second one is the thread.
func markIn(line []byte, pid uint32, m *mark) (tid uint32, ok bool) {
	colon := decode.Colon(line)
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
	if isHead(rest) || text[0] != 'E' && (text[0] != 'B' || bar < 0) {
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

// texts contains one copy of each name.
type texts map[string]string

// of returns the common copy of a name.
func (t texts) of(name []byte) string {
	if known, ok := t[string(name)]; ok { // does not allocate
		return known
	}
	text := string(name)
	t[text] = text
	return text
}

// androidMark adds a begin or end.
func (r *reader) androidMark(t timeline.Thread, m *mark) error {
	if m.kind == rhea.Begin {
		return r.Calls.Begin(t, m.name, m.at, -1)
	}
	return r.Calls.End(t, nil, m.at, -1)
}

// withoutValues returns a name without the values of captured parameters, such as "[1, x]".
// RheaTrace reads these values again when the method returns, so they can differ.
func withoutValues(name string) string {
	method, _, _ := strings.Cut(name, "[")
	return method
}

// forward adds a mark of a thread by [kind.RepairForward] or [kind.RepairArticle].
func (r *reader) forward(t timeline.Thread, of *thread, m *mark) error {
	lost := m.at // end time of callees without an end
	if r.repair == format.RepairArticle {
		lost = of.last
	}
	of.last = m.at
	if m.kind == rhea.Begin {
		method, name, err := r.Calls.Named(m.name)
		if err != nil {
			return err
		}
		of.begin(name)
		id, err := r.Calls.Thread(t)
		if err != nil {
			return err
		}
		return r.Calls.BeginOf(id, method, m.at, -1)
	}
	ends := 1
	if last := len(of.open) - 1; !(m.android && len(m.name) == 0) && (last < 0 || of.open[last] != string(m.name)) {
		ends = of.endsFor(string(m.name))
	}
	ends = min(ends, len(of.open))
	of.end(ends)
	for left := ends; left > 0; left-- {
		at := lost
		if left == 1 {
			at = m.at
		}
		if err := r.Calls.End(t, nil, at, -1); err != nil {
			return err
		}
	}
	return nil
}

// endsFor returns the number of open calls that end at the end of a method with this name; 0 if the
// method is not open.
func (t *thread) endsFor(name string) int {
	method := withoutValues(name)
	if t.methods[method] == 0 { // otherwise the search would visit calls that stay open
		return 0
	}
	for i := len(t.open) - 1; i >= 0; i-- {
		if withoutValues(t.open[i]) == method {
			return len(t.open) - i
		}
	}
	return 0
}
