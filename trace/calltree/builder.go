package calltree

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/trace"
)

// Stats counts the events of a [Builder] and those that do not nest.
type Stats struct {
	Events     int64
	Orphans    int64         // exits with no open frame
	Mismatches int64         // exits of a method other than the innermost
	StepsBack  int64         // events earlier than the previous event of their thread, on either clock
	OpenFrames int64         // frames open at the last event of their thread
	LeftOut    time.Duration // sum over threads of the wall time from the end of their open frames to the latest possible end; 0 before Finish
	Last       time.Duration // latest wall time of an event
}

// Builder aggregates events by calling context. It is a [trace.Writer]. Its cost per event does not
// depend on the depth of the stack.
type Builder struct {
	zero    bool // OrphansFromZero
	tree    Tree
	threads []threadState
	stats   Stats
}

// threadState is the current state of one thread.
type threadState struct {
	at      Node          // calling context of the open frames; NoNode before the first event
	last    Times         // timestamps of the last event
	leftOut time.Duration // the thread's part of Stats.LeftOut
}

// NewBuilder returns a builder with an empty tree.
func NewBuilder() *Builder { return &Builder{} }

// OrphansFromZero makes an exit with no open frame a call from the top level that lasted from time
// 0 of the trace to the exit. Its self time is the time since the thread's last event. This is
// dmtracedump's rule; inclusive times can exceed the trace. By default the frame encloses all
// earlier calls of its thread, because it began before the trace.
func (b *Builder) OrphansFromZero() { b.zero = true }

// WriteEvents adds events, which must be in time order per thread. It never fails.
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

// addForeseen adds the leading events that follow the prediction, and returns their number. An
// event follows the prediction if it enters the predicted callee of its context, or leaves the
// innermost method, and is not earlier than the thread's previous event. Most events do. The action
// of the next event is unpredictable, so no branch depends on it: an event moves its thread along
// the edge between a caller and a callee, down or up.
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

// add adds one event of any kind.
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

// orphan handles an exit with no open frame. at is the root, with step already added. It returns
// the new context of the thread.
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

// start begins the thread of e, its first event.
func (b *Builder) start(e *trace.Event) {
	for int(e.Thread) >= len(b.threads) {
		b.threads = append(b.threads, threadState{at: NoNode})
	}
	b.threads[e.Thread] = threadState{at: b.tree.AddRoot(e.Thread), last: Times{Wall: e.Wall, CPU: e.CPU}}
}

// EndPolicy determines the end of frames that are open after the last event of their thread.
type EndPolicy uint8

const (
	UntilEnd       EndPolicy = iota // the end of their thread, see [trace.Lifetimes]
	UntilLastEvent                  // the last event of their thread, as in dmtracedump and Traceview
	UntilStop                       // the stop of the trace, in wall time; their CPU time is unknown
)

var endPolicyNames = []string{"end", "last", "stop"}

// String returns "end", "last" or "stop". It panics for another value.
func (p EndPolicy) String() string { return endPolicyNames[p] }

// ParseEndPolicy is the inverse of [EndPolicy.String].
func ParseEndPolicy(s string) (EndPolicy, error) {
	i := slices.Index(endPolicyNames, s)
	if i < 0 {
		return 0, fmt.Errorf("end %q: must be one of %s", s, strings.Join(endPolicyNames, ", "))
	}
	return EndPolicy(i), nil
}

// At describes the end of open frames: "its thread's last event".
func (p EndPolicy) At(info *trace.Info) string {
	switch {
	case p == UntilLastEvent || !info.Clock.HasWall():
		return "its thread's last event"
	case p == UntilStop:
		return "the stop of the trace"
	}
	return "the end of its thread"
}

// End returns the wall time at which the open frames of a thread end, and the latest time at which
// they can have ended. last is the time of the thread's last event.
func (p EndPolicy) End(l *trace.Lifetimes, id trace.ThreadID, last time.Duration) (end, latest time.Duration) {
	switch p {
	case UntilLastEvent:
		return last, max(l.Stop(), last)
	case UntilStop:
		end = max(l.Stop(), last)
		return end, end
	}
	return l.End(id, last, true)
}

// Finish ends the trace and returns the tree and the statistics of the events. It is called once,
// after the last event of rec. Without a wall clock, open frames end at the last events of their
// threads, because the stop is a wall time.
func (b *Builder) Finish(rec *trace.Recording, technique trace.Technique, until EndPolicy) (*Tree, Stats) {
	for i := range b.threads {
		b.stats.Last = max(b.stats.Last, b.threads[i].last.Wall)
	}
	lives := trace.NewLifetimes(rec, technique, b.stats.Last)
	for i := range b.threads {
		t := &b.threads[i]
		if t.at == NoNode || b.tree.IsRoot(t.at) {
			continue
		}
		for n := t.at; !b.tree.IsRoot(n); n = b.tree.Parent(n) {
			b.stats.OpenFrames++
		}
		if !rec.Info.Clock.HasWall() {
			continue
		}
		end, latest := until.End(lives, trace.ThreadID(i), t.last.Wall)
		b.tree.At(t.at).Self.Wall += end - t.last.Wall
		t.leftOut = latest - end
		b.stats.LeftOut += t.leftOut
	}
	return &b.tree, b.stats
}

// LeftOut returns the thread's part of [Stats].LeftOut, after Finish.
func (b *Builder) LeftOut(id trace.ThreadID) time.Duration { return b.threads[id].leftOut }

// SnapshotBuilder aggregates sampled stacks by calling context. The Count of a context is a number
// of samples. SnapshotBuilder is a [trace.SnapshotWriter].
type SnapshotBuilder struct {
	tree    Tree
	threads []sampledThread
	samples int64
	last    time.Duration
}

// sampledThread is the state after the latest snapshot of one thread.
type sampledThread struct {
	at    Node // NoNode before the first snapshot
	until time.Duration
	cpu   time.Duration
}

// NewSnapshotBuilder returns a builder with an empty tree.
func NewSnapshotBuilder() *SnapshotBuilder { return &SnapshotBuilder{} }

// WriteSnapshot adds a stack for the wall time from its first sample to the first sample with
// another stack, and for the thread's CPU time from this snapshot to the next. Wall time between
// two snapshots that neither of them covers, and the time of stacks without a frame, are attributed
// to the thread's root. The root's count remains 0. WriteSnapshot never fails.
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

// Samples returns the total number of samples in the snapshots.
func (b *SnapshotBuilder) Samples() int64 { return b.samples }

// Last returns the wall time of the latest sample.
func (b *SnapshotBuilder) Last() time.Duration { return b.last }

// Tree returns the tree of the snapshots added so far.
func (b *SnapshotBuilder) Tree() *Tree { return &b.tree }

// Handling describes how the caller treats events that do not nest. Each field is the predicate of
// a sentence of [Stats.Notes], such as "is not counted". "" suppresses the sentence.
type Handling struct {
	Orphans    string // subject: the call that the orphan ends
	StepsBack  string // subject: the event
	OpenFrames string // subject: the frame
}

// Notes returns one sentence for each kind of event that does not nest, with its handling. Most
// traces have none.
func (s *Stats) Notes(h Handling) (notes []string) {
	note := func(n int64, one, many, predicate string) {
		switch {
		case n == 0 || predicate == "":
		case n == 1:
			notes = append(notes, fmt.Sprintf(one, predicate))
		default:
			notes = append(notes, fmt.Sprintf(many, n, predicate))
		}
	}
	note(s.Orphans, "1 exit has no entry; its call began before the trace and %s",
		"%d exits have no entry; each of these calls began before the trace and %s", h.Orphans)
	note(s.Mismatches, "1 exit does not name the innermost method; the exit %s",
		"%d exits do not name the innermost method; each %s", "closes the innermost frame")
	note(s.StepsBack, "1 event is earlier than the previous event of its thread; the event %s",
		"%d events are earlier than the previous event of their thread; each %s", h.StepsBack)
	note(s.OpenFrames, "1 call has not returned at the end; the call %s", "%d calls have not returned at the end; each %s", h.OpenFrames)
	return notes
}
