package view

import (
	"slices"
	"time"

	"artifice/trace"
)

// mark is the relation of an observed call to the truth.
type mark uint8

const (
	markRight    mark = iota // one true call, with about the reported duration
	markMerged               // several true calls, reported as one call
	markTooLong              // one true call, reported with a duration more than a tenth too long
	markInvented             // no true call: the method did not run during the reported call
)

// tooLong is the maximum ratio of the reported to the true duration of a correct call.
const tooLong = 1.1

// comparison compares an observed recording with the truth.
type comparison struct {
	threads []comparedThread // by index in the observed recording's Threads
}

// comparedThread compares an observed thread with the truth's thread.
type comparedThread struct {
	of    int    // index in the truth's Threads; -1 if the truth lacks the thread
	marks []mark // marks of the observed calls

	seen  bitSet
	wrong spans
}

// seenCalls returns the indexes of the true calls that are reported, ascending.
func (c *comparedThread) seenCalls() []int32 { return c.seen.list() }

// wrongSpans returns the intervals in which the reported stack differs from the true one.
func (c *comparedThread) wrongSpans() []span { return c.wrong.list() }

// compare classifies the calls of an observed recording, which must have the truth's symbols and
// time. An observed call reports a true call of the same method if its callers report the callers
// of that call. Frames of the runtime itself ([trace.RuntimeInternal]) are treated as their
// callers, because no stack walk shows them.
//
// In a sampled recording the calls are compared at the times of the samples if they are known,
// otherwise at all times. Calls of other recordings are matched in order: an observed call matches
// the next true call of the same method with the same caller, whatever its time.
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

// sweep iterates over the stacks of two threads in parallel.
type sweep struct {
	truth, observed walk
	bySamples       bool
	samples         []time.Duration // remaining samples of the observed thread; empty if unknown
	known           bool            // the samples are known

	common  int // number of outermost frames with the same methods
	matched int // number of these frames with a recorded match

	now     time.Duration
	matches []reports // by observed call: the reported true calls
	seen    bitSet    // by true call: whether it is reported
	wrong   spans
}

// reports are the true calls reported by an observed call.
type reports struct {
	calls int32
	last  int32 // the last true call
}

// begin starts the sweep of two threads. It reuses the memory of the previous sweep.
func (s *sweep) begin(symbols *trace.Symbols, truth, observed *thread) {
	*s = sweep{
		truth: s.truth.of(truth, symbols), observed: s.observed.of(observed, symbols),
		matches: cleared(s.matches, observed.len()), seen: newBitSet(truth.len()),
		samples: observed.ticks, known: len(observed.ticks) > 0,
	}
}

// cleared returns n zero values, in the memory of list if that is large enough.
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

// until processes the unchanged stacks from now to the time t.
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

// sampled reports whether a sample is between now and t.
func (s *sweep) sampled(t time.Duration) (any bool) {
	for len(s.samples) > 0 && s.samples[0] < t {
		any = any || s.samples[0] >= s.now
		s.samples = s.samples[1:]
	}
	return any
}

// note records the true calls that the observed calls report.
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

// shrink discards the matches of frames above the minimum depth that one of the stacks has had
// since.
func (s *sweep) shrink(depth int) {
	s.common = min(s.common, depth)
	s.matched = min(s.matched, depth)
}

// grow compares the new frames.
func (s *sweep) grow() {
	t, o := &s.truth, &s.observed
	for s.common < min(len(t.stack), len(o.stack)) && t.stack[s.common].method == o.stack[s.common].method {
		s.common++
	}
}

// compared returns the result of the sweep.
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

// walk iterates over the calls of one thread and keeps its stack.
type walk struct {
	thread    *thread
	symbols   *trace.Symbols
	steps     cursor
	more      bool            // steps is at a step that has not been applied yet
	begun     int32           // number of calls that have begun
	durations []time.Duration // durations of the calls that have ended
	open      []openCall      // all open calls
	stack     []openCall      // open calls that a stack walk shows
}

// openCall is a call that has not ended.
type openCall struct {
	call   int32
	method trace.MethodID
	start  time.Duration
}

// of returns the walk of a thread. It reuses the memory of w.
func (w *walk) of(t *thread, symbols *trace.Symbols) walk {
	begun := walk{thread: t, symbols: symbols, steps: t.steps.all(), durations: cleared(w.durations, t.len()), open: w.open[:0], stack: w.stack[:0]}
	begun.more = begun.steps.next()
	return begun
}

// next returns the time of the next change of the stack.
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

// inOrder finds the true call that each observed call reports, for an observed thread that records
// calls individually. The calls of one caller are in the same order on both sides.
func (s *sweep) inOrder() {
	truth, observed := callees(&s.truth), callees(&s.observed)
	calls, reported := truth.calls, observed.calls
	pairs := [][2]int32{{-1, -1}} // pairs of callers, observed and true; -1: none
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
				continue // the truth has no further such call of this caller
			}
			s.pair(o, left[i])
			pairs = append(pairs, [2]int32{o, left[i]})
			left = left[i+1:]
		}
	}
}

// children are the calls of a thread by caller. Callees of frames that no stack walk shows are
// attributed to the callers of those frames.
type children struct {
	calls []call
	list  []int32 // callees, sorted by caller
	begin []int32 // by caller + 1: index of its first callee; has one more element at the end
}

func (c *children) of(caller int32) []int32 { return c.list[c.begin[caller+1]:c.begin[caller+2]] }

func callees(w *walk) *children {
	calls := w.thread.Calls()
	callers := make([]int32, len(calls)) // -2: not shown
	var shown []int32                    // by depth: the innermost call that stack walks show
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
