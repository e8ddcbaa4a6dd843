package sampler

import (
	"fmt"
	"math"
	"time"

	"artifice/diffstack"
	"artifice/internal/eventlog"

	"artifice/trace"
)

// thread is the state of one thread of the truth that all samplers of a pass share.
type thread struct {
	stack diffstack.Stack // frames a walk reports

	// changed is the pass's change counter at the thread's last change: an
	// event, its start or its end. The threads form a list, the latest first; see pass.touch.
	changed      uint64
	newer, older int32
	start        uint64 // the change counter at its last start

	cpuClock
	firstCPU time.Duration // of its first event
	started  bool          // it has had an event
	living   bool          // samples find it
	plain    bool          // it is living and started, and has no hidden frames: most events only change its stack

	hidden trace.Stack[hiddenFrame] // frames that walks do not report

	delays *delays // nil until it lives, and if all threads share one delay
}

// cpuClock determines the CPU time that a thread has used, up to its next event.
type cpuClock struct {
	wall, cpu time.Duration // of its last event
	limit     time.Duration // CPU time it cannot exceed before its next event
}

// at returns the CPU time used by app time at.
func (c *cpuClock) at(at time.Duration) time.Duration {
	return min(c.cpu+max(0, at-c.wall), max(c.cpu, c.limit))
}

// hiddenFrame is a frame of ART's own (flag trace.RuntimeInternal): the number of reported frames
// below it, and its call site. Hidden and reported frames nest separately, so that a trace with
// unmatched exits loses no frame of one kind to an exit of the other.
type hiddenFrame struct {
	below int
	site  trace.Site
}

const none = -1 // end of the list of changed threads

// kind is the meaning of a method's flags for the pass. Most methods have none.
type kind uint8

const (
	hidden      kind = 1 << iota // skipped by the walk
	leaf                         // may be hidden as the innermost frame
	waiting                      // uses no CPU in its own time
	collector                    // no sample while it is on a stack
	native                       // continues to run while managed code is stopped
	waitsByName                  // in a recorded trace: its name implies that a thread waits in it
)

func kindOf(m *trace.Method) (k kind) {
	if m.Flags&trace.RuntimeInternal != 0 {
		k |= hidden
	}
	if m.Flags&trace.LeafNoPoll != 0 {
		k |= leaf
	}
	if m.Flags&trace.Collector != 0 {
		k |= collector
	}
	if m.Wait != trace.Running {
		k |= waiting
	}
	if m.Flags&trace.Native != 0 {
		k |= native
	}
	if m.Waits() {
		k |= waitsByName
	}
	return k
}

// innermost returns the executing method, reported or not.
func (t *thread) innermost() (m trace.MethodID, ok bool) {
	if h := t.hiddenTop(); h != nil {
		return t.hidden.Innermost()
	}
	return t.stack.Innermost()
}

// hiddenTop returns the hidden frame that is executing, or nil.
func (t *thread) hiddenTop() *hiddenFrame {
	if n := t.hidden.Depth(); n > 0 && t.hidden.Values()[n-1].below >= t.stack.Depth() {
		return &t.hidden.Values()[n-1]
	}
	return nil
}

// cpuAt returns the CPU time that a thread has used by app time at. The thread runs from its last
// event on until it has used the CPU time of its next event, and then waits. If the truth states
// which methods wait, limit determines immediately whether the thread runs or waits in its method.
// For a thread without frames only the next event determines it.
func (p *pass) cpuAt(id trace.ThreadID, at time.Duration) time.Duration {
	t := &p.threads[id]
	if t.limit == unknownLimit {
		t.limit = p.limit(t, id)
	}
	return t.at(at)
}

// limit returns the CPU time that a thread of a truth cannot exceed before its next event. A
// recorded thread without CPU times uses no CPU time.
func (p *pass) limit(t *thread, id trace.ThreadID) time.Duration {
	m, ok := t.innermost()
	switch {
	case !p.synthetic || ok && p.kinds[m]&waiting != 0:
		return t.cpu
	case !ok:
		return p.nextCPU(id, t.cpu)
	}
	return unlimited
}

// nextCPU returns the CPU time of a thread's next event in the windows read so far. If there is
// none, it returns otherwise.
func (p *pass) nextCPU(id trace.ThreadID, otherwise time.Duration) time.Duration {
	for _, events := range [][]trace.Event{p.feed.now.events[min(p.place, len(p.feed.now.events)):], p.feed.next.events} {
		for i := range events {
			if events[i].Thread == id {
				return events[i].CPU
			}
		}
	}
	return otherwise
}

// unlimited is the limit of a thread that runs until its next event.
const unlimited = time.Duration(math.MaxInt64)

// seenDepth returns the number of frames that a sample reports.
func (p *pass) seenDepth(t *thread, rule Leaves) int {
	depth := t.stack.Depth()
	if rule == LeavesSeen {
		return depth
	}
	methods := t.stack.Methods()
	for depth > 0 && p.kinds[methods[depth-1]]&leaf != 0 {
		depth--
	}
	return depth
}

// boundary is the start or end of a thread: from its time on samples find the thread, or no longer
// find it.
type boundary struct {
	thread trace.ThreadID
	end    bool
}

// boundaryQueue contains the future starts and ends, by time.
type boundaryQueue = eventlog.Heap[boundary]

// boundaryAt returns a boundary for the queue. At one time the lower thread comes
// first, and a thread starts before it ends.
func boundaryAt(at time.Duration, thread trace.ThreadID, end bool) eventlog.Item[boundary] {
	tie := uint64(thread) << 1
	if end {
		tie++
	}
	return eventlog.Item[boundary]{At: at, Tie: tie, Value: boundary{thread, end}}
}

// addThreads adds the threads that have appeared in the symbols since the last call, and the ends
// that have become known. It is called once per window.
func (p *pass) addThreads() {
	symbols := p.truth.Symbols
	for id := len(p.threads); id < len(symbols.Threads); id++ {
		p.threads = append(p.threads, thread{newer: none, older: none})
		if id%64 == 0 {
			p.marks = append(p.marks, 0)
		}
		if p.synthetic && symbols.Threads[id].Start == 0 {
			p.list.Own = id + 1
		}
		p.ended = append(p.ended, false)
		p.list.Grow(id + 1)
		if !p.synthetic {
			// A recorded trace lists threads, but not when they were created. All are walked at
			// every tick, but each has a stack only from its first event (see startByEvent) to its
			// end.
			p.list.Add(id)
			continue
		}
		p.boundaries.Push(boundaryAt(symbols.Threads[id].Start, trace.ThreadID(id), false))
	}
	for id := range p.threads {
		end := symbols.Threads[id].End
		if end > 0 && !p.ended[id] {
			p.ended[id] = true
			// The thread still exists at its last instant: an event then is still sampled.
			p.boundaries.Push(boundaryAt(end+1, trace.ThreadID(id), true))
		}
	}
}

// startAndEnd starts and ends the threads that do so up to app time at.
func (p *pass) startAndEnd(at time.Duration) {
	for len(p.boundaries) > 0 && p.boundaries[0].At <= at {
		if p.perThread {
			p.fixBefore(p.boundaries[0].At)
		}
		next := p.boundaries.Pop()
		if b := next.Value; b.end {
			p.endThread(b.thread)
		} else {
			p.startThread(b.thread, next.At)
		}
	}
}

// startThread makes a thread visible to samples.
func (p *pass) startThread(id trace.ThreadID, at time.Duration) {
	t := &p.threads[id]
	t.living = true
	if p.synthetic {
		p.list.Add(int(id))
	}
	p.touch(t, id)
	t.start = p.changes
	if p.perThread {
		t.wall = max(t.wall, at)
		p.begin(t, at)
		p.setState(t, id)
	}
}

// endThread hides a thread from samples. Its frames stay open, and the samplers' memory of it does
// not change. A thread held until the trace stops has left its frames; the next sample records
// that.
func (p *pass) endThread(id trace.ThreadID) {
	t := &p.threads[id]
	if !t.living {
		return
	}
	if p.perThread {
		p.endDelays(t, id)
	}
	p.followEnd(id, p.threadEnd(id))
	if p.holds {
		p.touch(t, id)
		t.cpu = p.cpuAt(id, p.threadEnd(id))
		t.limit = t.cpu
		t.stack, t.hidden = diffstack.Stack{}, trace.Stack[hiddenFrame]{}
		return
	}
	t.living, t.plain = false, false
	if p.synthetic {
		p.list.Remove(int(id))
		for _, s := range p.samplers {
			if !p.perThread {
				s.endThread(id)
			}
		}
	}
	p.touch(t, id)
}

// threadEnd returns when a thread ends.
func (p *pass) threadEnd(id trace.ThreadID) time.Duration { return p.truth.Symbols.Threads[id].End }

// startByEvent starts the thread of e, which has not started yet: it starts now, or started between
// the last sample and now.
func (p *pass) startByEvent(e *trace.Event) error {
	p.startAndEnd(e.Wall)
	t := &p.threads[e.Thread]
	if t.living {
		return nil
	}
	s := p.truth.Symbols.Thread(e.Thread)
	if p.synthetic || s.End > 0 && s.End < e.Wall {
		return fmt.Errorf("event at %s of thread %s, which exists from %s to %s",
			e.Wall, s, s.Start, s.End)
	}
	p.startThread(e.Thread, e.Wall)
	return nil
}

// site returns the call site of the call that e begins, as a stack walk reports it. ART's own
// frames are in no walk: a method that they call appears at the line where the frame below them
// called the outermost of them.
func (t *thread) site(e *trace.Event) trace.Site {
	site, depth := e.Site, t.stack.Depth()
	frames := t.hidden.Values()
	for i := len(frames) - 1; i >= 0 && frames[i].below >= depth; i-- {
		site = frames[i].site
	}
	return site
}
