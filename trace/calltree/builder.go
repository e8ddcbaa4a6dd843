package calltree

import (
	"fmt"
	"time"

	"artifice/trace"
)

// Stats counts what a [Builder] read.
type Stats struct {
	Events     int64
	Orphans    int64         // exits with no frame open
	Mismatches int64         // exits of another method than the innermost
	StepsBack  int64         // events earlier than their thread's last one, on either clock
	OpenFrames int64         // frames open at their thread's last event
	LeftOut    time.Duration // wall time of the threads with open frames from their last event to the end given to Finish, summed; 0 before
	Last       time.Duration // latest wall time of an event
}

// Builder adds events up by calling context. It is a [trace.Writer]; its cost
// per event does not depend on the depth of the stack.
type Builder struct {
	zero    bool // OrphansFromZero
	tree    Tree
	threads []threadState
	stats   Stats
}

// threadState is where one thread is.
type threadState struct {
	at      Node          // the open frames; NoNode before the first event
	last    Times         // stamps of the last event
	leftOut time.Duration // its part of Stats.LeftOut
}

// NewBuilder returns a builder with an empty tree.
func NewBuilder() *Builder { return &Builder{} }

// OrphansFromZero makes an exit with no frame open a call from the top level that lasted from
// time 0 of the trace to the exit, with the time since the thread's last event as its own.
// That is dmtracedump's rule; inclusive times can then exceed the trace. By default the frame
// is put around all that its thread did so far: the call began before the trace.
func (b *Builder) OrphansFromZero() { b.zero = true }

// WriteEvents adds events, in time order per thread. It never fails.
func (b *Builder) WriteEvents(p []trace.Event) error {
	b.stats.Events += int64(len(p))
	for len(p) > 0 {
		p = p[b.addForeseen(p):]
		if len(p) > 0 {
			b.add(&p[0])
			p = p[1:]
		}
	}
	return nil
}

// addForeseen adds events as long as they do what a program does most of the time, and
// returns how many: they enter the method that came here next the last time, or leave
// the innermost one, no earlier than the event before on their thread. Whether the next one
// enters or leaves is unpredictable, so there is no branch on it: an event moves its thread
// along the edge between a caller and a callee, down or up.
func (b *Builder) addForeseen(p []trace.Event) int {
	threads, pages := b.threads, b.tree.pages
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(threads) {
			return i
		}
		t := &threads[e.Thread]
		at := t.at
		if at == NoNode {
			return i
		}
		here := &pages[at/pageNodes][at%pageNodes]
		exit := Node(0)
		if e.Action != trace.Enter {
			exit = 1
		}
		callee := choose(exit, at, here.guess)
		caller := choose(exit, here.parent, at)
		to, from := &pages[callee/pageNodes][callee%pageNodes], &pages[caller/pageNodes][caller%pageNodes]
		wall, cpu := e.Wall-t.last.Wall, e.CPU-t.last.CPU
		if to.method != e.Method || wall|cpu < 0 {
			return i
		}
		here.entry.Self.Wall += wall
		here.entry.Self.CPU += cpu
		to.entry.Count += int64(1 - exit)
		from.hot, from.guess = callee, to.after
		t.at = choose(exit, caller, callee)
		t.last = Times{e.Wall, e.CPU}
	}
	return len(p)
}

// choose returns a if which is 1 and b if it is 0.
func choose(which, a, b Node) Node { return b ^ (a^b)&-which }

// add adds any event.
func (b *Builder) add(e *trace.Event) {
	if int(e.Thread) >= len(b.threads) || b.threads[e.Thread].at == NoNode {
		b.start(e)
	}
	t := &b.threads[e.Thread]
	step := Times{Wall: e.Wall - t.last.Wall, CPU: e.CPU - t.last.CPU}
	if step.Wall < 0 || step.CPU < 0 {
		b.stats.StepsBack++
		b.stats.Last = max(b.stats.Last, t.last.Wall)
	}
	t.last = Times{Wall: e.Wall, CPU: e.CPU}
	b.tree.At(t.at).Self.add(step)
	next, effect := b.tree.Apply(t.at, e)
	switch effect {
	case trace.Pushed:
		b.tree.At(next).Count++
	case trace.Orphan:
		next = b.orphan(e, t.at, step)
	case trace.Mismatch:
		b.stats.Mismatches++
	}
	t.at = next
}

// orphan takes an exit with no frame open, at a root that step was added to, and returns
// where the thread is then.
func (b *Builder) orphan(e *trace.Event, at Node, step Times) Node {
	b.stats.Orphans++
	if !b.zero {
		return b.tree.enclose(e.Thread, e.Method)
	}
	n := b.tree.Child(at, e.Method)
	entry := b.tree.At(n)
	entry.Count++
	entry.Self.add(step)
	b.tree.At(at).Self.add(Times{-step.Wall, -step.CPU})
	b.tree.addEarly(n, Times{Wall: e.Wall - step.Wall, CPU: e.CPU - step.CPU})
	return at
}

// start begins the thread whose first event is e.
func (b *Builder) start(e *trace.Event) {
	for int(e.Thread) >= len(b.threads) {
		b.threads = append(b.threads, threadState{at: NoNode})
	}
	b.threads[e.Thread] = threadState{at: b.tree.AddRoot(e.Thread), last: Times{Wall: e.Wall, CPU: e.CPU}}
}

// EndPolicy is how long the frames go on that are open when the trace ends.
type EndPolicy uint8

const (
	UntilLastEvent EndPolicy = iota // to their thread's last event, as dmtracedump and Traceview do
	UntilStop                       // to the end of the trace, in wall time; their CPU time is unknown
)

// String returns last or stop.
func (p EndPolicy) String() string {
	switch p {
	case UntilLastEvent:
		return "last"
	case UntilStop:
		return "stop"
	}
	return fmt.Sprintf("unknown(%d)", uint8(p))
}

// ParseEndPolicy is the inverse of [EndPolicy.String].
func ParseEndPolicy(s string) (EndPolicy, error) {
	for p := UntilLastEvent; p <= UntilStop; p++ {
		if p.String() == s {
			return p, nil
		}
	}
	return 0, fmt.Errorf("end %q: must be one of last, stop", s)
}

// Finish ends the trace at wall time end, or at the last event where that is
// later, and returns the tree and what was met. It is called once, after the
// last event. Without a wall clock there is nothing to run to, and nothing is
// left out: all wall times are 0.
func (b *Builder) Finish(end time.Duration, until EndPolicy) (*Tree, Stats) {
	for i := range b.threads {
		b.stats.Last = max(b.stats.Last, b.threads[i].last.Wall)
	}
	end = max(end, b.stats.Last)
	for i := range b.threads {
		t := &b.threads[i]
		if t.at == NoNode || b.tree.IsRoot(t.at) {
			continue
		}
		for n := t.at; !b.tree.IsRoot(n); n = b.tree.Parent(n) {
			b.stats.OpenFrames++
		}
		left := end - t.last.Wall
		if until == UntilStop {
			b.tree.At(t.at).Self.Wall += left
			continue
		}
		t.leftOut = left
		b.stats.LeftOut += left
	}
	return &b.tree, b.stats
}

// LeftOut returns a thread's part of [Stats].LeftOut, after Finish.
func (b *Builder) LeftOut(id trace.ThreadID) time.Duration { return b.threads[id].leftOut }

// SnapshotBuilder adds sampled stacks up by calling context: the Count of a
// context is then in samples. It is a [trace.SnapshotWriter].
type SnapshotBuilder struct {
	tree    Tree
	threads []sampledThread
	samples int64
	last    time.Duration
}

// sampledThread is what was seen last of one thread.
type sampledThread struct {
	at    Node // NoNode before the first snapshot
	until time.Duration
	cpu   time.Duration
}

// NewSnapshotBuilder returns a builder with an empty tree.
func NewSnapshotBuilder() *SnapshotBuilder { return &SnapshotBuilder{} }

// WriteSnapshot adds a stack for the time from its first sample to the first
// that saw another one, with the thread's CPU time from this snapshot to the
// next. Wall time between two snapshots that neither of them covers, and stacks
// without a frame, belong to the thread's root, whose count stays 0. It never
// fails.
func (b *SnapshotBuilder) WriteSnapshot(s *trace.Snapshot) error {
	for int(s.Thread) >= len(b.threads) {
		b.threads = append(b.threads, sampledThread{at: NoNode})
	}
	t := &b.threads[s.Thread]
	root := b.tree.AddRoot(s.Thread)
	if t.at != NoNode {
		b.tree.At(t.at).Self.CPU += s.CPU - t.cpu
		b.tree.At(root).Self.Wall += s.Wall - t.until
	}
	at := root
	if t.at != NoNode {
		at = t.at
	}
	at = b.tree.Reach(at, s.Same, s.Stack)
	entry := b.tree.At(at)
	entry.Self.Wall += s.Until - s.Wall
	if at != root {
		entry.Count += s.Count
	}
	b.samples += s.Count
	b.last = max(b.last, s.Until)
	*t = sampledThread{at: at, until: s.Until, cpu: s.CPU}
	return nil
}

// Samples returns how many samples the snapshots stand for.
func (b *SnapshotBuilder) Samples() int64 { return b.samples }

// Last returns the wall time of the latest sample.
func (b *SnapshotBuilder) Last() time.Duration { return b.last }

// Tree returns the tree of what was added so far.
func (b *SnapshotBuilder) Tree() *Tree { return &b.tree }

// Handling is what became of events that do not fit: the predicate of a sentence each
// of [Stats.Notes], as in "is left out". Where one is "", there is nothing to say.
type Handling struct {
	Orphans    string // of the call whose exit it is
	StepsBack  string // of the event
	OpenFrames string // of the frame
}

// Notes says what was met that does not fit and what became of it, a sentence each;
// nothing of most traces.
func (s *Stats) Notes(h Handling) (notes []string) {
	note := func(n int64, one, many, predicate string) {
		switch {
		case n == 0 || predicate == "":
		case n == 1:
			notes = append(notes, fmt.Sprintf("1 %s %s", one, predicate))
		default:
			notes = append(notes, fmt.Sprintf("%d %s %s", n, many, predicate))
		}
	}
	note(s.Orphans, "exit has no entry; its call began before the trace and",
		"exits have no entry; each one's call began before the trace and", h.Orphans)
	note(s.Mismatches, "exit names another method than the innermost; it",
		"exits name another method than the innermost; each", "closes the innermost frame")
	note(s.StepsBack, "event is earlier than the one before on its thread; it",
		"events are earlier than the one before on their thread; each", h.StepsBack)
	note(s.OpenFrames, "frame is open at the end; it", "frames are open at the end; each", h.OpenFrames)
	return notes
}
