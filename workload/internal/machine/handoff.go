package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/trace"
)

// untilGiven is the pending time of a thread that waits for another: unknown.
const untilGiven = time.Duration(math.MaxInt64)

// meeting is the state of a handoff.
type meeting struct {
	free    int64   // number of threads that need not wait
	owner   int32   // thread that has the lock; none
	waiting []place // in order of arrival
}

// place is a position of a thread in a waiting queue.
type place struct {
	task int32
	step *Instr
}

func newMeetings(p *Code) []meeting {
	all := make([]meeting, len(p.Handoffs))
	for i := range all {
		if all[i].owner = none; p.Handoffs[i].Kind == Lock {
			all[i].free = 1
		}
	}
	return all
}

// obtain gets a handoff if it is available. Otherwise the thread is queued.
func (m *machine) obtain(r *runner, in *Instr) bool {
	x, h, id := &m.meetings[in.Arg], &m.program.Handoffs[in.Arg], int32(r.id)
	switch {
	case h.Kind == Future && x.free > 0:
		return true
	case x.free > 0:
		x.free--
		m.own(in.Arg, id)
		return true
	}
	x.waiting = append(x.waiting, place{id, in})
	m.refuseCycle(id, in)
	return false
}

// own sets the owner of a lock.
func (m *machine) own(handoff, id int32) {
	if m.program.Handoffs[handoff].Kind == Lock {
		m.meetings[handoff].owner = id
	}
}

// handOff gives a handoff to the thread that has waited longest or, for a future, to all.
func (m *machine) handOff(r *runner, in *Instr) {
	x, h := &m.meetings[in.Arg], &m.program.Handoffs[in.Arg]
	if h.Kind == Lock && x.owner != int32(r.id) {
		m.refuse(r, in, "thread %s releases lock %s at %v, but does not hold it", r.thread.Name, h.Name, m.now)
		return
	}
	x.owner = none
	waiting := x.waiting
	if h.Kind != Future && len(waiting) > 1 {
		waiting = waiting[:1]
	}
	for _, w := range waiting {
		m.own(in.Arg, w.task)
		t := &m.tasks[w.task]
		t.state, t.work, t.left, t.run.owes = ready, 0, m.program.Slice, 0
		m.queue(w.task, false)
		m.woken = append(m.woken, w.task)
	}
	x.waiting = slices.Delete(x.waiting, 0, len(waiting))
	if h.Kind == Future || len(waiting) == 0 {
		x.free++
	}
}

// leave removes a thread that ends from the queue in which it waits.
func (m *machine) leave(id int32) {
	for i := range m.meetings {
		x := &m.meetings[i]
		x.waiting = slices.DeleteFunc(x.waiting, func(w place) bool { return w.task == id })
	}
}

// refuse ends the truth with an error about a step that a thread executes.
func (m *machine) refuse(r *runner, in *Instr, format string, args ...any) {
	if m.err == nil {
		r.err = in.At.Errorf(format, args...)
	}
	r.phase = stopped
}

// waitsAt returns the queue position of a thread that waits for another one.
func (m *machine) waitsAt(id int32) (place, bool) {
	for i := range m.meetings {
		for _, w := range m.meetings[i].waiting {
			if w.task == id {
				return w, true
			}
		}
	}
	return place{}, false
}

// describe returns a description of a thread and the handoff that it waits for.
func (m *machine) describe(w place) string {
	h := &m.program.Handoffs[w.step.Arg]
	text := fmt.Sprintf("%s for %s %s (line %d)", m.rec.Symbols.Thread(trace.ThreadID(w.task)).Name, Nouns[h.Kind], h.Name, w.step.At.Line)
	if giver := m.giver(w.step.Arg); giver != none {
		text += fmt.Sprintf(holds[h.Kind], m.rec.Symbols.Thread(trace.ThreadID(giver)).Name)
	}
	return text
}

// holds are the descriptions of the thread that can end a wait, by kind of handoff.
var holds = [...]string{", which %s has", ", where only %s puts items", ", which only %s completes"}

// giver returns the only thread that can end a wait for a handoff, or none if several can.
func (m *machine) giver(handoff int32) int32 {
	if h := &m.program.Handoffs[handoff]; h.Kind != Lock {
		return h.Giver
	}
	return m.meetings[handoff].owner
}

// refuseCycle rejects a cycle of threads in which each waits for a handoff that only the next one
// can give: a lock that it holds, or a handoff that no other thread has steps to give.
func (m *machine) refuseCycle(id int32, in *Instr) {
	if h := &m.program.Handoffs[in.Arg]; h.Kind == Lock && m.meetings[in.Arg].owner == id {
		m.refuse(m.tasks[id].run, in, "thread %s waits at %v for lock %s, which it holds itself", m.tasks[id].run.thread.Name, m.now, h.Name)
		return
	}
	var cycle []string
	for next, at := id, (place{id, in}); ; {
		cycle = append(cycle, m.describe(at))
		giver := m.giver(at.step.Arg)
		if giver == none {
			return
		}
		if giver == id {
			break
		}
		var waits bool
		if next = giver; len(cycle) > len(m.tasks) {
			return
		}
		if at, waits = m.waitsAt(next); !waits {
			return
		}
	}
	m.refuse(m.tasks[id].run, in, "a cycle of waits at %v: %s", m.now, strings.Join(cycle, "; "))
}

// refuseStandstill rejects a truth in which nothing can happen any more, because all active threads
// wait for each other.
func (m *machine) refuseStandstill() {
	var all []string
	var first place
	for id := range m.tasks {
		if w, waits := m.waitsAt(int32(id)); waits {
			if len(all) == 0 {
				first = w
			}
			all = append(all, m.describe(w))
		}
	}
	if len(all) > 0 && m.err == nil {
		m.err = first.step.At.Errorf("all threads wait forever from %v on: %s", m.now, strings.Join(all, "; "))
	}
}

// refuseHeld rejects a thread that has ended while it holds a lock.
func (m *machine) refuseHeld(id int32) {
	for i := range m.meetings {
		if h := &m.program.Handoffs[i]; m.meetings[i].owner == id && m.err == nil {
			m.err = h.Get.Errorf("lock %s is never released: thread %s ends at %v and holds the lock", h.Name, m.tasks[id].run.thread.Name, m.now)
		}
	}
}
