package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"artifice/trace"
)

// list takes up the threads and methods that the file has named by now.
func (t *Traceview) list() {
	for ; t.listed < len(t.rec.Symbols.Threads); t.listed++ {
		if th := &t.rec.Symbols.Threads[t.listed]; !th.Unlisted {
			t.addThread(int32(th.TID), asASCII(th.Name))
		}
	}
	for id := len(t.ofMethod); id < len(t.rec.Symbols.Methods); id++ {
		m := t.rec.Symbols.Method(trace.MethodID(id))
		method := &tvMethod{id: int32(m.ID), name: tvName(m)}
		if t.ofMethod = append(t.ofMethod, method); m.ID == 0 && t.rec.Source != nil {
			t.methods[0] = method // the place of the top level
		} else {
			t.methods = append(t.methods, method)
		}
	}
}

// tvName is a method's name, with its signature after a blank.
func tvName(m *trace.Method) string {
	switch {
	case m.Unlisted:
		return fmt.Sprintf("(0x%x)", uint32(m.ID))
	case m.Name == "":
		return asASCII(m.Class)
	}
	return asASCII(m.Class + "." + m.Name + " " + m.Signature)
}

func asASCII(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b.WriteByte(s[i])
		} else {
			b.WriteRune(utf8.RuneError)
		}
	}
	return b.String()
}

func (t *Traceview) addThread(id int32, name string) *tvThread {
	if old := t.byTID[id]; old != nil {
		old.name = fmt.Sprintf("[%d] %s", id, name)
		return old
	}
	th := &tvThread{id: id, name: fmt.Sprintf("[%d] %s", id, name), open: map[*tvMethod]int{}}
	th.root = tvCall{thread: th, method: t.toplevel}
	t.byTID[id] = th
	t.threads = append(t.threads, th)
	return th
}

// thread returns the thread of an event.
func (t *Traceview) thread(id trace.ThreadID) *tvThread {
	for int(id) >= len(t.ofThread) {
		t.ofThread = append(t.ofThread, nil)
	}
	if t.ofThread[id] == nil {
		tid := int32(t.rec.Symbols.Thread(id).TID)
		switch s := t.rec.Source; {
		case s != nil && s.Format == "dalvik1":
			tid = int32(int8(tid))
		case tid <= 0xffff:
			tid = int32(int16(tid))
		}
		th := t.byTID[tid]
		if th == nil {
			th = t.addThread(tid, fmt.Sprintf("[%d]", tid))
		}
		t.ofThread[id] = th
	}
	return t.ofThread[id]
}
