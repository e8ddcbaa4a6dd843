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

// TrueState is what all threads of the app do, up to an instant that moves on,
// and for every calling context the sums up to that instant: how long it was the
// innermost state, how long it was on the stack, how many calls it had.
//
// It is a [trace.Reader] that passes the truth on to a tracer. It keeps the events
// that were read through it until the instant has passed them.
type TrueState struct {
	src       trace.Reader
	symbols   *trace.Symbols
	synthetic bool // the truth tells when threads start

	// immediate makes every event count as soon as it is read: nobody asks about an
	// instant before it.
	immediate bool

	only *onlyThreads // the threads that count; nil: all

	pending []trace.Event // read, but still to come
	next    int           // the first of them

	contexts  calltree.Tree // Count is of calls
	threads   []threadState
	sums      spill.Column[contextSums] // by context
	memory    *spill.Memory             // of the contexts; nil: ordinary memory
	scratch   *spill.Memory             // of the comparison that is being made
	cpuTimes  bool                      // CPU time is summed up, too
	durations measure.Durations         // of calls that have ended
	calls     int64                     // begun

	frames, framesLate int64 // as [Truth] has them

	history history       // where threads were, for scorers that ask
	end     time.Duration // of the last event

	lived, onStacks time.Duration // how long all threads lived, and their frames were on stacks, once finished
}

// threadState is what is known of a thread.
type threadState struct {
	stack []openFrame   // the root, then one for each frame; empty before the first event
	last  time.Duration // app time of its last event
	start time.Duration // of its life
	calls int64         // begun
	tick  time.Duration // at which its latest wait for one ended; 0: none has

	tail          time.Duration // how long it lived on after its last event, once finished
	firstCPU, cpu time.Duration // its first and last CPU times
	settledCPU    time.Duration // up to which its CPU time is in contexts
}

// openFrame is a thread's root or a frame on its stack.
type openFrame struct {
	context calltree.Node

	// on + time × depth is the sum, over the frames down to this one, of the time
	// for which each one's context has been on the stack ([TrueState.on]). Of frames
	// that are new to a report it gives the sum without a look at each.
	on time.Duration
}

// contextSums are the sums of one context that a [calltree.Entry] does not have.
type contextSums struct {
	on      time.Duration // time on the stack, but for the open call
	entered time.Duration // when the open call began; -1: none is open
}

// NewTrueState returns the state at the beginning of a truth.
func NewTrueState(truth *trace.Recording) *TrueState {
	return &TrueState{src: truth.Events, symbols: truth.Symbols, synthetic: truth.Info.Technique == trace.Truth}
}

// WithCPU makes the state sum up CPU time, too.
func (s *TrueState) WithCPU() { s.cpuTimes = true }

// Spill lets what is known of the contexts go on in temporary files where it is more than a few
// megabytes. Close gives them back; of the state, its [Reference] and its comparisons only numbers
// that are no lists of contexts may be used then.
func (s *TrueState) Spill() {
	s.scratch = new(spill.Memory)
	s.memory = &spill.Memory{Partner: s.scratch}
	s.contexts.Memory = s.memory
	s.sums.Memory = s.memory
}

// Close gives the files of [TrueState.Spill] back.
func (s *TrueState) Close() error { return errors.Join(s.memory.Close(), s.scratch.Close()) }

// ShareContexts gives a state of which nothing has been read the contexts of another run of its app, with their numbers.
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

// Contexts returns how many calling contexts there are.
func (s *TrueState) Contexts() int { return s.contexts.Len() - 1 }

// begun reports whether the thread has begun to live.
func (t *threadState) begun() bool { return len(t.stack) > 0 }

// depth returns how many frames are on the stack of a thread that has begun.
func (t *threadState) depth() int { return len(t.stack) - 1 }

// context returns the innermost state of a thread that has begun.
func (t *threadState) context() calltree.Node { return t.stack[len(t.stack)-1].context }

// Reader returns what a tracer is to read the truth by: the state, or an app that runs while it is
// traced ([trace.LiveApp]), if the truth is one.
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

// Observe implements [recorder.Observer]: it takes in the next events of the truth.
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

// advance moves on to app time at: all events up to it, itself included, count.
func (s *TrueState) advance(at time.Duration) {
	for s.next < len(s.pending) && s.pending[s.next].Wall <= at {
		s.apply(&s.pending[s.next])
		s.next++
	}
}

// advanceBut is advance, but for a thread's last events at the time, and what comes between and after them.
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
		return // no tracer sees anything of the thread
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

// frame counts the frame that ends with a wait for the next one, if a call that has ended is one.
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

// settle adds the time since the thread's last event to its innermost state.
func (s *TrueState) settle(t *threadState, now time.Duration) {
	self := &s.contexts.At(t.context()).Self
	self.Wall += now - t.last
	t.last = now
	if s.cpuTimes {
		self.CPU += max(0, t.cpu-t.settledCPU) // a thread id that is used again begins anew
		t.settledCPU = t.cpu
	}
}

// thread returns a thread, which begins to live now unless it has begun or the
// truth tells when it starts.
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

// alive returns at, or the end of the thread where that is earlier.
func (s *TrueState) alive(id trace.ThreadID, at time.Duration) time.Duration {
	if end := s.symbols.Threads[id].End; end > 0 {
		return min(at, end)
	}
	return at
}

// self returns how long context p of thread t was the innermost state up to now,
// the instant of the state, at which the thread lives.
func (s *TrueState) self(t *threadState, p calltree.Node, now time.Duration) time.Duration {
	sum := s.contexts.At(p).Self.Wall
	if t.context() == p {
		sum += max(0, now-t.last)
	}
	return sum
}

// on returns how long context p was on its thread's stack up to now, the instant
// of the state, at which the thread lives.
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

// onBetween sums up on over the frames of context p above context base, which p
// begins with.
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

// onStack sums up on over the frames of the true stack of t above the first from, to
// the depth-th.
func (s *TrueState) onStack(t *threadState, from, depth int, now time.Duration) time.Duration {
	return t.stack[depth].on - t.stack[from].on + time.Duration(depth-from)*now
}

// Finish ends the state when the truth ends, as samplers see it.
func (s *TrueState) Finish(truth *trace.Recording) error {
	end := s.end
	if s.only != nil {
		end = max(end, s.only.othersEnd)
	}
	for _, e := range s.pending[s.next:] {
		end = max(end, e.Wall) // a clock may step back
	}
	if truth.Info.Technique == trace.Truth {
		end = max(end, truth.Info.Elapsed)
	}
	return s.finish(end)
}

// FinishAt ends the state when the sampling was stopped: what else has been read
// does not count.
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

// cpu returns the CPU time that all threads used between their first and last
// events.
func (s *TrueState) cpu() (sum time.Duration) {
	for i := range s.threads {
		sum += max(0, s.threads[i].cpu-s.threads[i].firstCPU)
	}
	return sum
}
