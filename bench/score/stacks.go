package score

import (
	"time"

	"artifice/bench/measure"
	"artifice/trace"
	"artifice/trace/calltree"
)

// stackComparison compares the reported stacks of all threads with the true ones.
// Samplers ([SampleScorer]), tracers of calls ([Record]) and trace files ([Compare]) all use it.
//
// It never compares two stacks directly. A stack reported from a to b is correct for the time in
// which its context is the innermost one: the context's sum at b minus its sum at a ([TrueState]).
// When the reported stack changes, the sums of the old context are added and those of the new
// context are subtracted. The cost is proportional to the number of changed frames, independent of
// the app's events in between. Sums may wrap around; differences do not.
type stackComparison struct {
	state   *TrueState
	threads []reportedStack
	line    measure.Timeline
	path    commonPath // scratch of endEarlier
}

// reportedStack is the stack reported of one thread.
type reportedStack struct {
	context calltree.Node // None before the first report
	counted bool          // its sums are subtracted; false before the thread starts
}

// thread returns the reported stack of a thread.
func (c *stackComparison) thread(id trace.ThreadID) *reportedStack {
	for int(id) >= len(c.threads) {
		c.threads = append(c.threads, reportedStack{})
	}
	t := &c.threads[id]
	if t.context == calltree.NoNode {
		t.context = c.state.contexts.AddRoot(id)
	}
	return t
}

// change changes the reported stack of a thread to context to, at the current time of the state.
// The frames up to context kept are those of the previous stack.
func (c *stackComparison) change(id trace.ThreadID, to, kept calltree.Node, now time.Duration) {
	r := c.thread(id)
	if int(id) < len(c.state.threads) && c.state.threads[id].begun() {
		c.move(&c.state.threads[id], r, to, kept, now)
	}
	r.context = to
}

// move is change for a thread that has started.
func (c *stackComparison) move(t *threadState, r *reportedStack, to, kept calltree.Node, now time.Duration) {
	c.count(t, r)
	c.state.exchange(&c.line, t, r.context, to, kept, now)
	r.context = to
}

// sampled is move to the outermost depth frames of the true stack. They keep the common outermost
// frames of the previously reported stack, at most left frames, up to context kept. Both are done
// in one walk over the other frames.
func (c *stackComparison) sampled(t *threadState, r *reportedStack, depth, most int, now time.Duration) (kept calltree.Node, left int) {
	c.count(t, r)
	s, line, old, seen := c.state, &c.line, r.context, t.stack[depth].context
	kept, left = old, s.contexts.Depth(old)
	line.Equal += s.self(t, old, now) - s.self(t, seen, now)
	line.Reported += time.Duration(left-depth) * now
	ended := time.Duration(0)
	for most = min(most, depth); left > most || t.stack[left].context != kept; left-- {
		ended += s.on(kept, now)
		kept = s.contexts.Parent(kept)
	}
	line.Common += ended - s.onStack(t, left, depth, now)
	r.context = seen
	return kept, left
}

// count subtracts the sums of a stack that was reported before the thread started: at the start all
// are 0.
func (c *stackComparison) count(t *threadState, r *reportedStack) {
	if !r.counted {
		r.counted = true
		c.line.Reported -= time.Duration(c.state.contexts.Depth(r.context)) * t.start
	}
}

// exchange adds a change of the reported stack of thread t at time now to line.
func (s *TrueState) exchange(line *measure.Timeline, t *threadState, from, to, kept calltree.Node, now time.Duration) {
	line.Equal += s.self(t, from, now) - s.self(t, to, now)
	line.Reported += time.Duration(s.contexts.Depth(from)-s.contexts.Depth(to)) * now
	line.Common += s.onBetween(t, kept, from, now) - s.onBetween(t, kept, to, now)
}

// apply changes the reported stack of a thread by an event of the trace.
func (c *stackComparison) apply(e *trace.Event, now time.Duration) {
	if c.state.symbols.IsRuntime(e.Method) {
		return
	}
	from := c.thread(e.Thread).context
	to, effect := c.state.contexts.Apply(from, e)
	switch {
	case effect == trace.Pushed:
		c.change(e.Thread, to, from, now)
	case effect.Closes():
		c.change(e.Thread, to, to, now)
	}
}

// endEarlier subtracts the frames of old that ended, down to kept, from the timeline between their
// end and now: apply or change assumed that they end now.
func (c *stackComparison) endEarlier(id trace.ThreadID, old, kept calltree.Node, from, to time.Duration) {
	if old == kept {
		return
	}
	s, line := c.state, &c.line
	left := s.contexts.Depth(kept)
	ended := s.contexts.Depth(old) - left
	line.Reported -= time.Duration(ended) * max(0, to-s.alive(id, from))
	c.path.begin(&s.contexts.Contexts, old)
	s.history.during(id, from, to, func(p calltree.Node, d time.Duration) {
		switch p {
		case old:
			line.Equal -= d
		case kept:
			line.Equal += d
		}
		if common := s.contexts.Depth(c.path.move(p)) - left; common > 0 {
			line.Common -= time.Duration(common) * d
		}
	})
}

// finish adds the sums of the stacks reported last, after the state is finished, and returns the
// comparison.
func (c *stackComparison) finish() measure.Timeline {
	s := c.state
	for id := range s.threads {
		t := &s.threads[id]
		if !t.begun() {
			continue
		}
		r := c.thread(trace.ThreadID(id))
		c.count(t, r)
		c.line.Equal += s.self(t, r.context, t.last)
		c.line.Reported += time.Duration(s.contexts.Depth(r.context)) * t.last
		for p := r.context; !s.contexts.IsRoot(p); p = s.contexts.Parent(p) {
			c.line.Common += s.on(p, t.last)
		}
	}
	c.line.Thread, c.line.True = s.lived, s.onStacks
	return c.line
}

// commonPath tracks the common part of a fixed stack and a thread's changing true stack. A step to
// a caller or callee has constant cost; a new search for the common context is linear in the number
// of different frames.
type commonPath struct {
	contexts *calltree.Contexts
	stack    calltree.Node
	at       calltree.Node   // the true stack; NoNode before the first
	common   calltree.Node   // the innermost common context
	rest     []calltree.Node // contexts of stack beyond it, innermost first
	searches int             // changes other than steps to a caller or callee
}

// begin sets the fixed stack.
func (c *commonPath) begin(contexts *calltree.Contexts, stack calltree.Node) {
	*c = commonPath{contexts: contexts, stack: stack, rest: c.rest[:0]}
}

// move changes the true stack and returns the innermost common context.
func (c *commonPath) move(to calltree.Node) calltree.Node {
	n := len(c.rest)
	switch from := c.at; {
	case from == calltree.NoNode:
		c.search(to)
	case c.contexts.Parent(from) == to:
		if c.common == from {
			c.common, c.rest = to, append(c.rest, from)
		}
	case c.contexts.Parent(to) == from:
		if c.common == from && n > 0 && c.rest[n-1] == to {
			c.common, c.rest = to, c.rest[:n-1]
		}
	case from != to:
		c.search(to)
	}
	c.at = to
	return c.common
}

// search finds the common context without the previous true stack.
func (c *commonPath) search(to calltree.Node) {
	c.common, c.rest = c.contexts.Common(to, c.stack), c.rest[:0]
	c.searches++
	for n := c.stack; n != c.common; n = c.contexts.Parent(n) {
		c.rest = append(c.rest, n)
	}
}
