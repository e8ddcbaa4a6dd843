package view

import (
	"slices"
	"time"

	"artifice/trace"
)

// mark is the relation of an observed call to the truth.
type mark uint8

const (
	markRight    mark = iota // one true call, reported about as long as it was
	markMerged               // several true calls, reported as one
	markTooLong              // one true call, reported longer by more than a tenth of it
	markInvented             // no true call: the method never ran there while it is reported
)

// tooLong is how many times the true duration a call may have that counts as right.
const tooLong = 1.1

// comparison is an observed recording beside the truth.
type comparison struct {
	threads []comparedThread // by index in the observed recording's Threads
}

// comparedThread is an observed thread beside the truth's.
type comparedThread struct {
	of    int    // index in the truth's Threads; -1: it has no such thread
	marks []mark // of the observed calls

	seen  bitSet
	wrong spans
}

// seenCalls returns the indices of the true calls that are reported, ascending.
func (c *comparedThread) seenCalls() []int32 { return c.seen.list() }

// wrongSpans returns where the reported stack is not the true one.
func (c *comparedThread) wrongSpans() []span { return c.wrong.list() }

// compare classifies the calls of an observed recording that has the truth's symbols and time. An
// observed call of the same method reports a true call if its callers report the callers in the
// truth. Frames of the runtime itself ([trace.RuntimeInternal]) count as their callers: no stack
// walk shows them.
//
// In a sampled recording the calls are compared at the times of the samples if they are known,
// otherwise at all times. Calls of other recordings are matched in order: the next call of the same
// method with the same caller is the same call, whatever its time.
func compare(truth, observed *Recording) *comparison {
	threadOf := map[trace.ThreadID]int{}
	for i := range truth.threads {
		threadOf[truth.threads[i].id] = i
	}
	c, s := &comparison{}, sweep{}
	for i := range observed.threads {
		o := observed.threads[i]
		of, ok := threadOf[o.id]
		var of0 thread
		t := &of0
		if ok {
			t = truth.threads[of]
		} else {
			of = -1
		}
		s.begin(truth.Symbols, t, o)
		s.bySamples = observed.technique() == trace.Sampled
		s.run()
		if !s.bySamples {
			s.inOrder()
		}
		c.threads = append(c.threads, s.compared(of))
	}
	return c
}

// sweep goes through the stacks of two threads side by side.
type sweep struct {
	truth, observed walk
	bySamples       bool
	samples         []time.Duration // of the observed thread that are left; none: not known
	known           bool            // samples are known

	common  int // frames from the outermost that are of the same methods
	matched int // of these, frames with a noted match

	now     time.Duration
	matches []reports // by observed call
	seen    bitSet    // by true call
	wrong   spans
}

// reports are what true calls an observed call reports.
type reports struct {
	calls int32
	last  int32 // true call
}

// begin begins with two threads, in the memory of those before.
func (s *sweep) begin(symbols *trace.Symbols, truth, observed *thread) {
	*s = sweep{
		truth: s.truth.of(truth, symbols), observed: s.observed.of(observed, symbols),
		matches: cleared(s.matches, observed.len()), seen: newBitSet(truth.len()),
		samples: observed.ticks, known: len(observed.ticks) > 0,
	}
}

// cleared returns n zeros, in the memory of list if that is enough.
func cleared[E any](list []E, n int) []E {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// run compares the stacks at all times.
func (s *sweep) run() {
	for {
		a, more := s.truth.next()
		if b, also := s.observed.next(); also && (!more || b < a) {
			a, more = b, true
		}
		if !more {
			return
		}
		s.until(a)
		s.shrink(s.truth.advance(a))
		s.shrink(s.observed.advance(a))
		s.grow()
	}
}

// until notes that the stacks have been as they are from now to the time t.
func (s *sweep) until(t time.Duration) {
	if t <= s.now {
		return
	}
	if s.common < max(len(s.truth.stack), len(s.observed.stack)) {
		s.wrong.add(s.now, t)
	}
	if s.bySamples && (!s.known || s.sampled(t)) {
		s.note()
	}
	s.now = t
}

// sampled reports whether a sample fell between now and t.
func (s *sweep) sampled(t time.Duration) (any bool) {
	for len(s.samples) > 0 && s.samples[0] < t {
		any = any || s.samples[0] >= s.now
		s.samples = s.samples[1:]
	}
	return any
}

// note notes which true calls the observed ones report.
func (s *sweep) note() {
	for ; s.matched < s.common; s.matched++ {
		s.pair(s.observed.stack[s.matched].call, s.truth.stack[s.matched].call)
	}
}

func (s *sweep) pair(observed, truth int32) {
	s.seen.add(int(truth))
	if m := &s.matches[observed]; m.calls == 0 || m.last != truth {
		m.calls++
		m.last = truth
	}
}

// shrink takes back what is known of frames above a depth that either stack has been at.
func (s *sweep) shrink(depth int) {
	s.common = min(s.common, depth)
	s.matched = min(s.matched, depth)
}

// grow compares the frames that are new.
func (s *sweep) grow() {
	t, o := &s.truth, &s.observed
	for s.common < min(len(t.stack), len(o.stack)) && t.stack[s.common].method == o.stack[s.common].method {
		s.common++
	}
}

// compared returns what the sweep found.
func (s *sweep) compared(of int) comparedThread {
	c := comparedThread{of: of, marks: make([]mark, len(s.matches)), seen: s.seen, wrong: s.wrong}
	for i, m := range s.matches {
		switch {
		case m.calls == 0:
			c.marks[i] = markInvented
		case m.calls > 1:
			c.marks[i] = markMerged
		case float64(s.observed.durations[i]) > tooLong*float64(s.truth.durations[m.last]):
			c.marks[i] = markTooLong
		}
	}
	return c
}

// walk goes through the calls of one thread and has its stack.
type walk struct {
	thread    *thread
	symbols   *trace.Symbols
	steps     cursor
	more      bool            // steps is at a step that has not happened yet
	begun     int32           // calls that have begun
	durations []time.Duration // of those that have ended
	open      []openCall      // all open calls
	stack     []openCall      // those that a stack walk shows
}

// openCall is a call that has not ended.
type openCall struct {
	call   int32
	method trace.MethodID
	start  time.Duration
}

// of returns the walk of a thread, in the memory of w.
func (w *walk) of(t *thread, symbols *trace.Symbols) walk {
	begun := walk{thread: t, symbols: symbols, steps: t.steps.all(), durations: cleared(w.durations, t.len()), open: w.open[:0], stack: w.stack[:0]}
	begun.more = begun.steps.next()
	return begun
}

// next returns when the stack changes next.
func (w *walk) next() (t time.Duration, ok bool) { return w.steps.Main, w.more }

// advance applies the changes up to time t, and returns the minimum depth of the stack.
func (w *walk) advance(t time.Duration) (least int) {
	least = len(w.stack)
	for ; w.more && w.steps.Main <= t; w.more = w.steps.next() {
		if !w.steps.End {
			call := openCall{w.begun, w.steps.Method, w.steps.Main}
			w.begun++
			w.open = append(w.open, call)
			if !w.symbols.IsRuntime(call.method) {
				w.stack = append(w.stack, call)
			}
			continue
		}
		call := w.open[w.steps.Depth]
		w.open = w.open[:w.steps.Depth]
		w.durations[call.call] = w.steps.Main - call.start
		if n := len(w.stack); n > 0 && w.stack[n-1].call == call.call {
			w.stack = w.stack[:n-1]
			least = min(least, n-1)
		}
	}
	return least
}

// inOrder finds, for each observed call, the true call that it reports, where the
// observed thread has every call with a time of its own: the calls of one caller come
// in the same order on both sides.
func (s *sweep) inOrder() {
	truth, observed := callees(&s.truth), callees(&s.observed)
	calls, reported := truth.calls, observed.calls
	pairs := [][2]int32{{-1, -1}} // callers: observed, true; -1: none
	for len(pairs) > 0 {
		pair := pairs[len(pairs)-1]
		pairs = pairs[:len(pairs)-1]
		left := truth.of(pair[1])
		for _, o := range observed.of(pair[0]) {
			i := 0
			for i < len(left) && calls[left[i]].Method != reported[o].Method {
				i++
			}
			if i == len(left) {
				continue // the truth has no further call of it here
			}
			s.pair(o, left[i])
			pairs = append(pairs, [2]int32{o, left[i]})
			left = left[i+1:]
		}
	}
}

// children are the calls of a thread by caller; those of frames that no stack walk
// shows count as their callers'.
type children struct {
	calls []call
	list  []int32 // callees, caller by caller
	begin []int32 // by caller + 1: where its callees begin; one more at the end
}

func (c *children) of(caller int32) []int32 { return c.list[c.begin[caller+1]:c.begin[caller+2]] }

func callees(w *walk) *children {
	calls := w.thread.Calls()
	callers := make([]int32, len(calls)) // -2: not shown
	var shown []int32                    // by depth: the innermost shown call
	for i := range calls {
		depth := int(calls[i].Depth)
		shown = shown[:depth]
		caller := int32(-1)
		if depth > 0 {
			caller = shown[depth-1]
		}
		callers[i] = caller
		if w.symbols.IsRuntime(calls[i].Method) {
			callers[i] = -2
			shown = append(shown, caller)
		} else {
			shown = append(shown, int32(i))
		}
	}
	c := &children{calls: calls, begin: make([]int32, len(calls)+3)}
	for _, caller := range callers {
		if caller != -2 {
			c.begin[caller+2]++
		}
	}
	for i := 1; i < len(c.begin); i++ {
		c.begin[i] += c.begin[i-1]
	}
	c.list = make([]int32, c.begin[len(c.begin)-1])
	place := append([]int32(nil), c.begin...)
	for i, caller := range callers {
		if caller != -2 {
			c.list[place[caller+1]] = int32(i)
			place[caller+1]++
		}
	}
	return c
}
