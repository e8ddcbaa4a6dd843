package sampler

import (
	"fmt"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// turn is the start or end of a thread: from its time on a sample finds the
// thread there, or gone.
type turn struct {
	thread trace.ThreadID
	end    bool
}

// turnQueue is what is to come, by time.
type turnQueue = eventlog.Heap[turn]

// turnAt returns a turn for the queue. At one time the lower thread comes first,
// and a thread starts before it ends.
func turnAt(at time.Duration, thread trace.ThreadID, end bool) eventlog.Item[turn] {
	tie := uint64(thread) << 1
	if end {
		tie++
	}
	return eventlog.Item[turn]{At: at, Tie: tie, Value: turn{thread, end}}
}

// meetThreads takes up the threads that the symbols have got since the last
// call, and the ends that have become known. It is called once per window.
func (p *pass) meetThreads() {
	symbols := p.truth.Symbols
	for id := len(p.threads); id < len(symbols.Threads); id++ {
		p.threads = append(p.threads, thread{newer: none, older: none})
		p.ended = append(p.ended, false)
		p.list.grow(id + 1)
		if !p.synthetic {
			// A recorded trace says which threads were listed, not when. All
			// are walked every time, but each has a stack only from its first
			// to its last event: see meetEvent.
			p.list.add(id)
			continue
		}
		p.turns.Push(turnAt(symbols.Threads[id].Start, trace.ThreadID(id), false))
	}
	for id := range p.threads {
		end := symbols.Threads[id].End
		if end > 0 && !p.ended[id] {
			p.ended[id] = true
			// It is still there at its last instant, as an event then is seen.
			p.turns.Push(turnAt(end+1, trace.ThreadID(id), true))
		}
	}
}

// applyTurns lets the threads come and go that did so up to app time at.
func (p *pass) applyTurns(at time.Duration) {
	for len(p.turns) > 0 && p.turns[0].At <= at {
		turn := p.turns.Pop().Value
		if turn.end {
			p.die(turn.thread)
		} else {
			p.live(turn.thread)
		}
	}
}

// live makes a thread one that samples find.
func (p *pass) live(id trace.ThreadID) {
	t := &p.threads[id]
	t.living = true
	if p.synthetic {
		p.list.add(int(id))
	}
	p.list.walk(int(id), t.stack.Depth())
	p.touch(id)
	t.born = p.changes
}

// die makes a thread one that samples no longer find. Its frames stay open, and
// what samplers remember of it stays as it was.
func (p *pass) die(id trace.ThreadID) {
	t := &p.threads[id]
	if !t.living {
		return
	}
	t.living = false
	if p.synthetic {
		p.list.remove(int(id))
		for _, s := range p.samplers {
			s.endThread(id)
		}
	}
	p.list.walk(int(id), -t.stack.Depth())
	p.touch(id)
}

// meetEvent makes sure that the thread of e, found not living, lives: it starts
// now, or its start lies between the last sample and now.
func (p *pass) meetEvent(e *trace.Event) error {
	p.applyTurns(e.Wall)
	t := &p.threads[e.Thread]
	if t.living {
		return nil
	}
	s := p.truth.Symbols.Thread(e.Thread)
	if p.synthetic || s.End > 0 && s.End < e.Wall {
		return fmt.Errorf("event at %s of thread %s, which lives from %s to %s",
			e.Wall, s, s.Start, s.End)
	}
	p.live(e.Thread)
	return nil
}
