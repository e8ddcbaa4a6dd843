package plan

import (
	"strings"
	"time"

	"artifice/trace"
)

// meter is a [trace.Writer] that measures the methods with matching names. Events are in time order
// for each thread.
type meter struct {
	rec  *trace.Recording
	name string // given by the user

	methods   []*measured // by method; nil: no match, or not seen yet
	requested []bool      // by method: its name has been compared
	meant     int         // methods with matching names
	threads   []thread
	length    time.Duration
	frames    float64 // number of frames of all threads, times ns
}

// measured contains the measurements of one method.
type measured struct {
	time           time.Duration
	perThread      map[trace.ThreadID]time.Duration
	last           trace.ThreadID // thread of the last stretch
	parts          parts
	stretches      stretches
	calls, callees int64
}

// thread is the state of a thread.
type thread struct {
	stack  []trace.MethodID
	at     time.Duration
	events int64
}

// maxMeant limits the number of methods measured because a part of their name matches. At the end
// one of them is chosen, or none.
const maxMeant = 1000

func newMeter(rec *trace.Recording, name string) *meter {
	name, _, _ = strings.Cut(name, "(") // signatures have several notations
	return &meter{rec: rec, name: strings.ReplaceAll(name, "/", ".")}
}

// WriteEvents implements [trace.Writer]. It never fails.
func (m *meter) WriteEvents(p []trace.Event) error {
	for i := range p {
		e := &p[i]
		for int(e.Thread) >= len(m.threads) {
			m.threads = append(m.threads, thread{})
		}
		t := &m.threads[e.Thread]
		m.pass(e.Thread, t, e.Wall)
		t.events++
		depth := len(t.stack)
		switch innermost, ok := t.innermost(); trace.EffectOf(e, depth, innermost) {
		case trace.Pushed:
			if ok {
				m.of(innermost, func(one *measured) { one.callees++ })
			}
			m.of(e.Method, func(one *measured) { one.calls++ })
			t.stack = append(t.stack, e.Method)
		case trace.Popped, trace.Mismatch:
			t.stack = t.stack[:depth-1]
		}
	}
	return nil
}

func (t *thread) innermost() (trace.MethodID, bool) {
	if n := len(t.stack); n > 0 {
		return t.stack[n-1], true
	}
	return 0, false
}

// pass accounts for the time of a thread up to now.
func (m *meter) pass(id trace.ThreadID, t *thread, now time.Duration) {
	m.length = max(m.length, now)
	if innermost, ok := t.innermost(); ok && now > t.at {
		m.frames += float64(len(t.stack)) * float64(now-t.at)
		m.of(innermost, func(one *measured) { one.add(id, t.at, now) })
	}
	t.at = max(t.at, now)
}

// of calls f with the measurements of a method if its name matches.
func (m *meter) of(id trace.MethodID, f func(*measured)) {
	if int(id) >= len(m.requested) {
		n := max(int(id)+1, len(m.rec.Symbols.Methods)) - len(m.requested)
		m.requested, m.methods = append(m.requested, make([]bool, n)...), append(m.methods, make([]*measured, n)...)
	}
	if !m.requested[id] {
		m.requested[id] = true
		if full := strings.ReplaceAll(m.rec.Symbols.Method(id).FullName(), "/", "."); full == m.name || m.meant < maxMeant && strings.Contains(full, m.name) {
			m.methods[id] = &measured{perThread: map[trace.ThreadID]time.Duration{}}
			m.meant++
		}
	}
	if one := m.methods[id]; one != nil {
		f(one)
	}
}

// add adds a stretch of a thread with the method on top of the stack.
func (m *measured) add(id trace.ThreadID, from, to time.Duration) {
	m.time += to - from
	m.perThread[id] += to - from
	m.parts.add(from, to)
	m.stretches.add(from, to, id == m.last)
	m.last = id
}
