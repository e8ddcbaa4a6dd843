package score

import (
	"errors"
	"io"
	"math"
	"time"

	"artifice/bench/internal/spill"
	"artifice/bench/measure"
	"artifice/internal/recorder"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TrueState is the state of all threads of the app at a current time, which advances. For every
// calling context it contains the sums up to that time: as the innermost context, on the stack, and
// calls.
//
// It is a [trace.Reader] that passes the truth to a tracer. It keeps the events read until the
// current time has passed them.
type TrueState struct {
	src       trace.Reader
	symbols   *trace.Symbols
	synthetic bool // the truth contains the start of threads

	// immediate applies every event as soon as it is read: no query is about an earlier time.
	immediate bool

	only *onlyThreads // the selected threads; nil: all

	pending []trace.Event // read, but after the current time
	next    int           // index of the first of them

	contexts  calltree.Tree // Count is of calls
	threads   []threadState
	sums      spill.Column[contextSums] // by context
	memory    *spill.Memory             // of the contexts; nil: ordinary memory
	scratch   *spill.Memory             // of the current comparison
	cpuTimes  bool                      // CPU time is summed up, too
	durations measure.Durations         // of calls that have ended
	calls     int64                     // begun

	frames, framesLate int64 // as in [Truth]

	history history       // contexts of threads, for scorers
	end     time.Duration // of the last event

	lived, onStacks time.Duration // lifetime of all threads, and time of their frames on stacks, after Finish
}

// threadState is the state of a thread.
type threadState struct {
	stack []openFrame   // the root, then one for each frame; empty before the first event
	last  time.Duration // app time of its last event
	start time.Duration // of the thread
	calls int64         // begun
	tick  time.Duration // end of its latest wait for a tick; 0: none

	tail          time.Duration // lifetime after its last event, after Finish
	firstCPU, cpu time.Duration // its first and last CPU times
	settledCPU    time.Duration // CPU time already added to contexts
}

// openFrame is the root of a thread or a frame on its stack.
type openFrame struct {
	context calltree.Node

	// on + time × depth is the sum, over the frames down to this one, of the time of each context
	// on the stack ([TrueState.on]). It gives the sum over new frames of a report without a loop.
	on time.Duration
}

// contextSums contains the sums of one context that are not in [calltree.Entry].
type contextSums struct {
	on      time.Duration // time on the stack, without the open call
	entered time.Duration // begin of the open call; -1: none
}

// NewTrueState returns the state at the beginning of a truth.
func NewTrueState(truth *trace.Recording) *TrueState {
	return &TrueState{src: truth.Events, symbols: truth.Symbols, synthetic: truth.Info.Technique == trace.Truth}
}

// WithCPU makes the state sum up CPU time, too.
func (s *TrueState) WithCPU() { s.cpuTimes = true }

// Spill moves the data of contexts to temporary files if it exceeds a few megabytes. Close removes
// the files; after that, lists of contexts of the state, its [Reference] and its comparisons are
// invalid.
func (s *TrueState) Spill() {
	s.scratch = new(spill.Memory)
	s.memory = &spill.Memory{Partner: s.scratch}
	s.contexts.Memory = s.memory
	s.sums.Memory = s.memory
}

// Close removes the files of [TrueState.Spill].
func (s *TrueState) Close() error { return errors.Join(s.memory.Close(), s.scratch.Close()) }

// ShareContexts copies the contexts of another run of the app, with their indices. It is called
// before the first read.
func (s *TrueState) ShareContexts(other *Reference) {
	contexts := &other.state.contexts
	for n := calltree.Node(1); int(n) < contexts.Len(); n++ {
		if contexts.IsRoot(n) {
			s.contexts.AddRoot(contexts.Thread(n))
			continue
		}
		s.contexts.Child(contexts.Parent(n), contexts.Method(n))
	}
}

// Contexts returns the number of calling contexts.
func (s *TrueState) Contexts() int { return s.contexts.Len() - 1 }

// begun reports whether the thread has started.
func (t *threadState) begun() bool { return len(t.stack) > 0 }

// depth returns the stack depth of a thread that has started.
func (t *threadState) depth() int { return len(t.stack) - 1 }

// context returns the innermost context of a thread that has started.
func (t *threadState) context() calltree.Node { return t.stack[len(t.stack)-1].context }

// Reader returns the reader from which a tracer reads the truth: the state or, if the truth is a
// live app, a [trace.LiveApp].
func (s *TrueState) Reader() trace.Reader {
	if app, ok := s.src.(trace.LiveApp); ok {
		return recorder.Tap(app, s)
	}
	return s
}

// ReadEvents implements [trace.Reader].
func (s *TrueState) ReadEvents(p []trace.Event) (int, error) {
	n, err := s.src.ReadEvents(p)
	s.Observe(p[:n])
	return n, err
}

// Observe implements [recorder.Observer]: it receives the next events of the truth.
func (s *TrueState) Observe(events []trace.Event) {
	if s.next > len(s.pending)/2 {
		s.pending = s.pending[:copy(s.pending, s.pending[s.next:])]
		s.next = 0
	}
	if s.only == nil {
		s.pending = append(s.pending, events...)
	} else {
		s.pending = s.only.appendTo(s.pending, events)
	}
	if s.immediate {
		s.advance(math.MaxInt64)
	}
}

// ReadAll reads the truth to its end.
func (s *TrueState) ReadAll(truth *trace.Recording) error {
	s.immediate = true
	if _, err := trace.Copy(trace.Discard, s); err != nil {
		return err
	}
	return s.Finish(truth)
}

// advance advances to app time at and applies all events up to it, inclusive.
func (s *TrueState) advance(at time.Duration) {
	for s.next < len(s.pending) && s.pending[s.next].Wall <= at {
		s.apply(&s.pending[s.next])
		s.next++
	}
}

// advanceBut is advance, except for the last events of a thread at that time and all events between
// and after them.
func (s *TrueState) advanceBut(at time.Duration, id trace.ThreadID, last int) {
	if last == 0 {
		s.advance(at)
		return
	}
	s.advance(at - 1)
	end := s.next
	for end < len(s.pending) && s.pending[end].Wall == at {
		end++
	}
	for ; last > 0 && end > s.next; end-- {
		if s.pending[end-1].Thread == id {
			last--
		}
	}
	for ; s.next < end; s.next++ {
		s.apply(&s.pending[s.next])
	}
}

func (s *TrueState) apply(e *trace.Event) {
	s.end = e.Wall
	if s.symbols.IsRuntime(e.Method) && (int(e.Thread) >= len(s.threads) || !s.threads[e.Thread].begun()) {
		return // no tracer reports this thread
	}
	t := s.thread(e.Thread, e.Wall)
	if t.firstCPU > e.CPU {
		t.firstCPU, t.settledCPU = e.CPU, e.CPU
	}
	t.cpu = e.CPU
	if s.symbols.IsRuntime(e.Method) {
		return
	}
	context, effect := s.contexts.Apply(t.context(), e)
	switch {
	case effect == trace.Pushed:
		s.settle(t, e.Wall)
		sums := s.sumsOf(context)
		t.stack = append(t.stack, openFrame{context, t.stack[t.depth()].on + sums.on - e.Wall})
		sums.entered = e.Wall
		s.contexts.At(context).Count++
		t.calls++
		s.calls++
		s.history.add(e.Thread, visit{e.Wall, context})
	case effect.Closes():
		s.settle(t, e.Wall)
		sums := s.sums.At(int(t.context()))
		sums.on += e.Wall - sums.entered
		s.durations.Add(e.Wall - sums.entered)
		sums.entered = -1
		t.stack = t.stack[:t.depth()]
		s.history.add(e.Thread, visit{e.Wall, context})
		s.frame(t, s.symbols.Method(e.Method), e.Wall)
	}
}

// frame counts a frame if the call that has ended is a wait for the next frame.
func (s *TrueState) frame(t *threadState, m *trace.Method, end time.Duration) {
	if m.Period == 0 || m.AtOnce {
		return
	}
	tick := end.Truncate(m.Period)
	if t.tick > 0 {
		s.frames++
		if tick-t.tick > m.Period {
			s.framesLate++
		}
	}
	t.tick = tick
}

// settle adds the time since the thread's last event to its innermost context.
func (s *TrueState) settle(t *threadState, now time.Duration) {
	self := &s.contexts.At(t.context()).Self
	self.Wall += now - t.last
	t.last = now
	if s.cpuTimes {
		self.CPU += max(0, t.cpu-t.settledCPU) // the CPU time of a reused thread id starts again
		t.settledCPU = t.cpu
	}
}

// thread returns a thread. It starts the thread now, unless it has started or the truth contains
// its start.
func (s *TrueState) thread(id trace.ThreadID, now time.Duration) *threadState {
	for int(id) >= len(s.threads) {
		s.threads = append(s.threads, threadState{})
	}
	t := &s.threads[id]
	if !t.begun() {
		root := s.contexts.AddRoot(id)
		t.stack = append(t.stack, openFrame{context: root})
		s.sumsOf(root)
		t.start, t.firstCPU = now, math.MaxInt64
		if s.synthetic {
			t.start = s.symbols.Threads[id].Start
		}
		t.last = t.start
	}
	return t
}

func (s *TrueState) sumsOf(p calltree.Node) *contextSums {
	for i := s.sums.Len(); i <= int(p); i++ {
		s.sums.Grow(i + 1)
		s.sums.At(i).entered = -1
	}
	return s.sums.At(int(p))
}

// alive returns at, or the end of the thread if that is earlier.
func (s *TrueState) alive(id trace.ThreadID, at time.Duration) time.Duration {
	if end := s.symbols.Threads[id].End; end > 0 {
		return min(at, end)
	}
	return at
}

// self returns the time of context p of thread t as the innermost context up to now, the current
// time. The thread is alive.
func (s *TrueState) self(t *threadState, p calltree.Node, now time.Duration) time.Duration {
	sum := s.contexts.At(p).Self.Wall
	if t.context() == p {
		sum += max(0, now-t.last)
	}
	return sum
}

// on returns the time of context p on its thread's stack up to now, the current time. The thread is
// alive.
func (s *TrueState) on(p calltree.Node, now time.Duration) time.Duration {
	if int(p) >= s.sums.Len() {
		return 0
	}
	sums := s.sums.At(int(p))
	if sums.entered < 0 {
		return sums.on
	}
	return sums.on + max(0, now-sums.entered)
}

// onBetween sums up on over the frames of context p above context base, a prefix of p.
func (s *TrueState) onBetween(t *threadState, base, p calltree.Node, now time.Duration) (sum time.Duration) {
	depth := s.contexts.Depth(p)
	if depth < len(t.stack) && t.stack[depth].context == p {
		return s.onStack(t, s.contexts.Depth(base), depth, now)
	}
	for ; p != base; p = s.contexts.Parent(p) {
		sum += s.on(p, now)
	}
	return sum
}

// onStack returns the sum of on over the frames of the true stack of t, except the outermost from
// frames, up to depth.
func (s *TrueState) onStack(t *threadState, from, depth int, now time.Duration) time.Duration {
	return t.stack[depth].on - t.stack[from].on + time.Duration(depth-from)*now
}

// Finish ends the state at the end of the truth, as for samplers.
func (s *TrueState) Finish(truth *trace.Recording) error {
	end := s.end
	if s.only != nil {
		end = max(end, s.only.othersEnd)
	}
	for _, e := range s.pending[s.next:] {
		end = max(end, e.Wall) // a clock may step back
	}
	return s.finish(truth.Stop(end))
}

// FinishAt ends the state at the stop of sampling. Later events that have been read are ignored.
func (s *TrueState) FinishAt(end time.Duration) error {
	s.advance(end)
	s.pending = s.pending[:s.next]
	return s.finish(end)
}

// finish ends every thread that is still alive at the end of the truth.
func (s *TrueState) finish(end time.Duration) error {
	s.advance(end)
	s.end = max(s.end, end)
	if s.next < len(s.pending) {
		return io.ErrUnexpectedEOF
	}
	for id := range s.threads {
		t := &s.threads[id]
		if !t.begun() {
			continue
		}
		last := s.alive(trace.ThreadID(id), end)
		for p := t.context(); !s.contexts.IsRoot(p); p = s.contexts.Parent(p) {
			sums := s.sums.At(int(p))
			sums.on += max(0, last-sums.entered)
			sums.entered = -1
		}
		t.tail = max(0, last-t.last)
		s.settle(t, t.last+t.tail)
		s.lived += t.last - t.start
	}
	for p := 1; p < s.sums.Len(); p++ {
		if !s.contexts.IsRoot(calltree.Node(p)) {
			s.onStacks += s.sums.At(p).on
		}
		s.contexts.Touch(calltree.Node(p))
	}
	return nil
}

// cpu returns the CPU time of all threads between their first and last events.
func (s *TrueState) cpu() (sum time.Duration) {
	for i := range s.threads {
		sum += max(0, s.threads[i].cpu-s.threads[i].firstCPU)
	}
	return sum
}
