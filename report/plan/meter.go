package plan

import (
	"strings"
	"time"

	"artifice/trace"
)

// meter is a [trace.Writer] of a trace's events, in order of time for each thread, that measures the methods
// whose names may be the one that is meant.
type meter struct {
	rec  *trace.Recording
	name string // of the method, as its user calls it

	methods []*measured // by method; nil: not meant, or not met
	asked   []bool      // by method: whether it may be meant is known
	meant   int         // how many may be
	threads []thread
	length  time.Duration
	frames  float64 // ns of all frames of all threads
}

// measured is what a meter knows of one method.
type measured struct {
	time           time.Duration
	perThread      map[trace.ThreadID]time.Duration
	last           trace.ThreadID // of which the last stretch is
	parts          parts
	stretches      stretches
	calls, callees int64
}

// thread is where a thread is.
type thread struct {
	stack  []trace.MethodID
	at     time.Duration
	events int64
}

// mostMeant is how many methods are measured of those whose names have what was given: it is one of them that is meant
// in the end, or none.
const mostMeant = 1000

func newMeter(rec *trace.Recording, name string) *meter {
	name, _, _ = strings.Cut(name, "(") // parameters are written in several ways
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

// pass lets time pass on a thread.
func (m *meter) pass(id trace.ThreadID, t *thread, now time.Duration) {
	m.length = max(m.length, now)
	if innermost, ok := t.innermost(); ok && now > t.at {
		m.frames += float64(len(t.stack)) * float64(now-t.at)
		m.of(innermost, func(one *measured) { one.add(id, t.at, now) })
	}
	t.at = max(t.at, now)
}

// of calls f for a method that may be meant.
func (m *meter) of(id trace.MethodID, f func(*measured)) {
	if int(id) >= len(m.asked) {
		n := max(int(id)+1, len(m.rec.Symbols.Methods)) - len(m.asked)
		m.asked, m.methods = append(m.asked, make([]bool, n)...), append(m.methods, make([]*measured, n)...)
	}
	if !m.asked[id] {
		m.asked[id] = true
		if full := strings.ReplaceAll(m.rec.Symbols.Method(id).FullName(), "/", "."); full == m.name || m.meant < mostMeant && strings.Contains(full, m.name) {
			m.methods[id] = &measured{perThread: map[trace.ThreadID]time.Duration{}}
			m.meant++
		}
	}
	if one := m.methods[id]; one != nil {
		f(one)
	}
}

// add adds a stretch in which a thread shows the method.
func (m *measured) add(id trace.ThreadID, from, to time.Duration) {
	m.time += to - from
	m.perThread[id] += to - from
	m.parts.add(from, to)
	m.stretches.add(from, to, id == m.last)
	m.last = id
}
