package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/bench/measure"
	"artifice/trace"
)

// callMaker generates truths in whole microseconds with all properties of truths. Threads start
// late and end early, with open frames at the start and at the end and with unmatched exits.
// Methods are native, inlined or ART's own, and stacks are deeper than a tracer's buffer.
type callMaker struct {
	rng     *rand.Rand
	methods int  // number of methods
	unique  bool // each call, and each unmatched exit, has a different method

	rec    *trace.Recording
	events []trace.Event
	made   int // number of calls
	odd    int // number of unmatched exits
}

// truth returns a truth and its events.
func (m *callMaker) truth(calls int) (*trace.Recording, []trace.Event) {
	m.rec = &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: &trace.Symbols{}}
	m.events, m.made, m.odd = nil, 0, 0
	for i := range m.methods {
		flags := [...]trace.MethodFlags{0, 0, 0, 0, trace.Native, trace.Inlined, trace.RuntimeInternal}[m.rng.IntN(7)]
		m.rec.Symbols.AddMethod(trace.Method{Name: fmt.Sprint("m", i), Flags: flags})
	}
	for range 1 + m.rng.IntN(3) {
		m.thread(calls)
	}
	slices.SortStableFunc(m.events, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	m.rec.Info.Elapsed = m.events[len(m.events)-1].Wall + time.Duration(m.rng.IntN(50))*us
	return m.rec, m.events
}

// thread adds a thread with the given number of steps.
func (m *callMaker) thread(steps int) {
	rng := m.rng
	id := trace.ThreadID(len(m.rec.Symbols.Threads))
	th := trace.Thread{TID: 1 + uint32(id)}
	now := time.Duration(0)
	var stack []trace.MethodID
	add := func(method trace.MethodID, a trace.Action) {
		m.events = append(m.events, trace.Event{Wall: now, CPU: now, Thread: id, Method: method, Action: a})
	}
	enter := func(n int) {
		for range n {
			stack = append(stack, m.method())
			add(stack[len(stack)-1], trace.Enter)
		}
	}
	if rng.IntN(2) == 0 {
		th.Open = rng.IntN(4) * rng.IntN(4)
		if rng.IntN(8) == 0 {
			th.Open = 520
		}
		enter(th.Open)
	} else {
		th.Start = time.Duration(rng.IntN(60)) * us
		now = th.Start
	}
	deep := rng.IntN(steps * 3) // index of the step that makes the stack very deep; may be beyond the last step
	for i := range steps {
		now += time.Duration(rng.IntN(2)*rng.IntN(8)*(1+rng.IntN(2)*10)) * us
		n := len(stack)
		switch {
		case i == deep:
			enter(2200)
		case rng.IntN(30) == 0 && (m.unique || n == 0 || stack[n-1] != 0):
			add(m.misfit(), trace.Exit)
			stack = stack[:max(0, n-1)]
		case n > 0 && rng.IntN(5) < 3:
			add(stack[n-1], trace.Action(1+rng.IntN(2)))
			stack = stack[:n-1]
		default:
			enter(1)
		}
	}
	if rng.IntN(2) == 0 {
		th.End = now + time.Duration(1+rng.IntN(40))*us
	}
	m.rec.Symbols.AddThread(th)
}

// method returns the method of the next call.
func (m *callMaker) method() trace.MethodID {
	m.made++
	if m.unique {
		return trace.MethodID(m.made - 1)
	}
	return trace.MethodID(m.rng.IntN(m.methods))
}

// misfit returns the method of an unmatched exit, which may happen to be the innermost one.
func (m *callMaker) misfit() trace.MethodID {
	m.odd++
	if m.unique {
		return trace.MethodID(m.methods - m.odd)
	}
	return 0
}

// bruteLine compares the true and the reported stack of each thread, microsecond by microsecond.
// Both use the times of the truth.
func bruteLine(rec *trace.Recording, events, reported []trace.Event) (line measure.Timeline) {
	for id, th := range rec.Symbols.Threads {
		truth, seen := player{rec: rec, id: trace.ThreadID(id), rest: events}, player{rec: rec, id: trace.ThreadID(id), rest: reported}
		end := rec.Info.Elapsed
		if th.End > 0 {
			end = min(end, th.End)
		}
		for now := th.Start; now < end; now += us {
			trueStack, reportedStack := truth.until(now), seen.until(now)
			common := 0
			for common < min(len(trueStack), len(reportedStack)) && trueStack[common] == reportedStack[common] {
				common++
			}
			if common == len(trueStack) && common == len(reportedStack) {
				line.Equal += us
			}
			line.Thread += us
			line.True += time.Duration(len(trueStack)) * us
			line.Reported += time.Duration(len(reportedStack)) * us
			line.Common += time.Duration(common) * us
		}
	}
	return line
}

// player plays the events of one thread.
type player struct {
	rec   *trace.Recording
	id    trace.ThreadID
	rest  []trace.Event
	stack []trace.MethodID
}

// until returns the stack after all events up to now.
func (p *player) until(now time.Duration) []trace.MethodID {
	for ; len(p.rest) > 0 && (p.rest[0].Thread != p.id || p.rest[0].Wall <= now); p.rest = p.rest[1:] {
		e, n := p.rest[0], len(p.stack)
		switch {
		case e.Thread != p.id || p.rec.Symbols.Methods[e.Method].Flags&trace.RuntimeInternal != 0:
		case e.Action == trace.Enter:
			p.stack = append(p.stack, e.Method)
		case n > 0: // an exit removes the innermost frame, whatever its method: see trace.EffectOf
			p.stack = p.stack[:n-1]
		}
	}
	return p.stack
}
