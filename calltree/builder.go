package calltree

import (
	"time"

	"artifice/internal/words"
	"artifice/trace"
)

// OrphanPolicy is what an exit with no frame open means.
type OrphanPolicy uint8

const (
	// OrphanEncloses puts the frame around all that its thread did so far: the
	// call began before the trace.
	OrphanEncloses OrphanPolicy = iota

	// OrphanFromZero is dmtracedump's rule: a call from the top level that lasted
	// from time 0 of the trace to the exit, with the time since the thread's last
	// event as its own. Inclusive times can then exceed the trace.
	OrphanFromZero
)

// Config is how a [Builder] reads a trace.
type Config struct {
	Orphans OrphanPolicy // default: OrphanEncloses
}

// Stats is what a [Builder] met.
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
	cfg     Config
	tree    Tree
	threads []threadState
	stats   Stats
}

// threadState is where one thread is.
type threadState struct {
	at   Node  // the open frames; NoNode before the first event
	last Times // stamps of the last event
}

// NewBuilder returns a builder with an empty tree.
func NewBuilder(cfg Config) *Builder { return &Builder{cfg: cfg} }

// WriteEvents adds events, in time order per thread. It never fails. What it has of
// the tree at hand would be loaded again for each event behind a call, so that
// [Contexts.Child] stands here once more.
func (b *Builder) WriteEvents(p []trace.Event) error {
	b.stats.Events += int64(len(p))
	threads, nodes, frames := b.threads, b.tree.nodes, b.tree.frames
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(threads) || threads[e.Thread].at == NoNode {
			b.start(e)
			threads, nodes, frames = b.threads, b.tree.nodes, b.tree.frames
		}
		t := &threads[e.Thread]
		at := t.at
		step := Times{Wall: e.Wall - t.last.Wall, CPU: e.CPU - t.last.CPU}
		if step.Wall|step.CPU < 0 {
			b.stats.StepsBack++
			b.stats.Last = max(b.stats.Last, t.last.Wall)
		}
		t.last = Times{Wall: e.Wall, CPU: e.CPU}
		here := &nodes[at]
		here.entry.Self.add(step)
		if e.Action == trace.Enter {
			next := here.guess
			if frames[next].method != e.Method {
				next = b.tree.otherChild(at, e.Method)
				nodes, frames = b.tree.nodes, b.tree.frames
				here = &nodes[at]
			}
			callee := &nodes[next]
			here.hot, here.guess = next, callee.after
			callee.entry.Count++
			t.at = next
			continue
		}
		frame := &frames[at]
		switch trace.EffectOf(e, int(frame.parent), frame.method) {
		case trace.Orphan:
			t.at = b.orphan(e, at, step)
			nodes, frames = b.tree.nodes, b.tree.frames
		case trace.Mismatch:
			b.stats.Mismatches++
			fallthrough
		default:
			t.at = frame.parent
		}
	}
	return nil
}

// orphan takes an exit with no frame open, at a root that step was added to, and returns
// where the thread is then.
func (b *Builder) orphan(e *trace.Event, at Node, step Times) Node {
	b.stats.Orphans++
	if b.cfg.Orphans == OrphanEncloses {
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
	b.threads[e.Thread] = threadState{b.tree.AddRoot(e.Thread), Times{Wall: e.Wall, CPU: e.CPU}}
}

// EndPolicy is how long the frames go on that are open when the trace ends.
type EndPolicy uint8

const (
	UntilLastEvent EndPolicy = iota // to their thread's last event, as dmtracedump and Traceview do
	UntilStop                       // to the end of the trace, in wall time; CPU time then is not known
)

// ParseEndPolicy returns the policy called last or stop.
func ParseEndPolicy(s string) (EndPolicy, error) {
	return words.Parse[EndPolicy]("end", []string{"last", "stop"}, s)
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
		b.stats.LeftOut += left
	}
	return &b.tree, b.stats
}
