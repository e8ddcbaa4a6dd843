package trace

import (
	"math/bits"
)

// Effect is the change of a thread's stack by an event.
type Effect uint8

const (
	Pushed   Effect = iota // an enter: the method becomes the innermost frame
	Popped                 // an exit or unwind of the innermost frame
	Orphan                 // an exit or unwind with no open frame: the call began before the trace; the stack stays empty
	Mismatch               // an exit or unwind of a method other than the innermost: it closes the innermost frame
)

// Closes reports whether the event closed a frame.
func (f Effect) Closes() bool { return f == Popped || f == Mismatch }

// EffectOf returns the effect of e on a stack of depth frames with the given innermost method
// (ignored if depth is 0). Every reader of events in this module handles mismatched exits by this
// rule:
//
//   - An exit with no open frame is an orphan. It does not change the stack. A sum of times
//     may attribute the time before it to its call.
//   - An exit of a method other than the innermost closes the innermost frame, as in Perfetto,
//     androidx.benchmark and the Firefox Profiler: a trace that lost events stays readable, and its
//     depth does not grow without bound. Debian's dmtracedump and Android Studio up to 2021 refuse
//     such a trace.
//   - The undefined action 3 counts as an exit, as in dmtracedump.
func EffectOf(e *Event, depth int, innermost MethodID) Effect {
	switch {
	case e.Action == Enter:
		return Pushed
	case depth == 0:
		return Orphan
	case e.Method != innermost:
		return Mismatch
	}
	return Popped
}

// DepthAfter returns the number of open frames after e, given the number before it, by the rule of
// [EffectOf], for callers that need only the depth. It does not branch on the action, which is
// unpredictable.
func DepthAfter(e *Event, depth int) int {
	by := -1
	if e.Action == Enter {
		by = 1
	}
	return max(depth+by, 0)
}

// Frame is an open call: its method and a value supplied by the caller.
type Frame[V any] struct {
	Method MethodID
	Value  V
}

// Stack is the open frames of one thread, outermost first, each with a value supplied by the
// caller, for example its entry time. The zero value is an empty stack.
type Stack[V any] struct {
	methods []MethodID
	values  []V
}

// Apply changes the stack by the rule of [EffectOf]. An enter pushes a frame with the value v. If
// the event closes a frame, closed is that frame.
func (s *Stack[V]) Apply(e *Event, v V) (closed Frame[V], effect Effect) {
	top := len(s.methods) - 1
	innermost := MethodID(0)
	if top >= 0 {
		innermost = s.methods[top]
	}
	effect = EffectOf(e, top+1, innermost)
	switch {
	case effect == Pushed:
		s.methods = append(s.methods, e.Method)
		s.values = append(s.values, v)
	case effect.Closes():
		closed = Frame[V]{innermost, s.values[top]}
		s.methods, s.values = s.methods[:top], s.values[:top]
	}
	return closed, effect
}

// Depth returns the number of open frames.
func (s *Stack[V]) Depth() int { return len(s.methods) }

// Methods returns the methods of the open frames, outermost first. It is valid
// until the next Apply.
func (s *Stack[V]) Methods() []MethodID { return s.methods }

// Values returns the values of the open frames, outermost first. It is valid
// until the next Apply; its elements may be changed.
func (s *Stack[V]) Values() []V { return s.values }

// Innermost returns the method of the innermost frame; ok is false if no frame is open.
func (s *Stack[V]) Innermost() (m MethodID, ok bool) {
	if len(s.methods) == 0 {
		return 0, false
	}
	return s.methods[len(s.methods)-1], true
}

// Stacks tracks the open frames of every thread of a trace. In the zero value every stack is empty.
type Stacks struct {
	threads []openFrames
}

// openFrames are the frames of one thread: methods[1:top] are open. methods[0] is a sentinel that
// belongs to no frame, so that an innermost method always exists for comparison. The length of
// methods follows the thread's deepest stack and thereby records the maximum depth.
type openFrames struct {
	methods []MethodID
	top     int // 0 for a thread without events
}

// Apply applies e to the stack of its thread and returns the effect, see [EffectOf].
func (s *Stacks) Apply(e Event) Effect { return s.apply(e.Thread, e.Method, e.Action) }

// apply is Apply with the relevant fields of an event.
func (s *Stacks) apply(id ThreadID, m MethodID, a Action) Effect {
	if int(id) < len(s.threads) && s.threads[id].fit(m, min(a, 1)) {
		return Effect(min(a, 1)) // Pushed or Popped
	}
	return s.applyRare(id, m, a)
}

// ApplyMany applies the events of p up to and including the first exit that does not match. It
// returns the number of events applied. misfit is [Orphan] or [Mismatch] if the last applied event
// is such an exit, else 0.
func (s *Stacks) ApplyMany(p []Event) (n int, misfit Effect) {
	for n < len(p) {
		if n += fitting(s.threads, p[n:]); n == len(p) {
			break
		}
		e := &p[n]
		n++
		if effect := s.applyRare(e.Thread, e.Method, e.Action); effect > Popped {
			return n, effect
		}
	}
	return n, 0
}

// fitting applies the events of p up to, but excluding, the first one that [openFrames.fit]
// rejects. It returns their number.
func fitting(threads []openFrames, p []Event) int {
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(threads) || !threads[e.Thread].fit(e.Method, min(e.Action, 1)) {
			return i
		}
	}
	return len(p)
}

// fit applies an event of method m; leaves is 1 for an exit. It reports false, without a change, if
// an exit does not match or the slice has no room. As in [DepthAfter], no branch depends on the
// action of a matching event.
func (t *openFrames) fit(m MethodID, leaves Action) bool {
	top := t.top
	next := top + 1 - 2*int(leaves)
	if top < 1 || next >= len(t.methods) {
		return false
	}
	none := MethodID(uint(top-2) >> (bits.UintSize - 1)) // 1: no frame is open
	if (none|(t.methods[top-1]^m))&-MethodID(leaves) != 0 {
		return false
	}
	t.methods[top] = m
	t.top = next
	return true
}

// applyRare applies an event that does not match, or needs more room.
func (s *Stacks) applyRare(id ThreadID, m MethodID, a Action) Effect {
	for int(id) >= len(s.threads) {
		s.threads = append(s.threads, openFrames{})
	}
	t := &s.threads[id]
	t.top = max(t.top, 1)
	e := Event{Method: m, Action: a}
	for len(t.methods) <= DepthAfter(&e, t.top) || len(t.methods) <= t.top {
		t.methods = append(t.methods, 0)
	}
	effect := EffectOf(&e, t.top-1, t.methods[t.top-1])
	t.methods[t.top] = m
	t.top = 1 + DepthAfter(&e, t.top-1)
	return effect
}

// deepest returns the maximum number of frames that any thread had open.
func (s *Stacks) deepest() int {
	room := 2 // length of the slice for no frames: the sentinel and the method of an orphan exit
	for i := range s.threads {
		room = max(room, len(s.threads[i].methods))
	}
	return room - 2
}

// Of returns the open frames of a thread, outermost first. It is valid until
// the next Apply.
func (s *Stacks) Of(id ThreadID) []MethodID {
	if int(id) >= len(s.threads) || s.threads[id].top == 0 {
		return nil
	}
	t := &s.threads[id]
	return t.methods[1:t.top]
}

// closed returns the method of the frame that the thread's last event closed.
func (s *Stacks) closed(id ThreadID) MethodID {
	t := &s.threads[id]
	return t.methods[t.top] // no later event has overwritten it
}

// Threads returns the number of threads that may have a stack: the highest index in the events plus
// one.
func (s *Stacks) Threads() int { return len(s.threads) }

// Nesting counts mismatched exits (see [EffectOf]). A mismatch closes the innermost frame, which
// deserves a warning. An orphan is normal: every trace that begins in the middle of a program has
// some. The zero value is ready to use.
type Nesting struct {
	Mismatches int64 // exits of a method other than the innermost
	First      Event // the first mismatch
	Orphans    int64 // exits with no open frame

	stacks Stacks
}

// Add applies events. For each thread they continue the events of earlier calls.
func (n *Nesting) Add(events []Event) {
	for len(events) > 0 {
		k, _ := n.next(events)
		events = events[k:]
	}
}

// next applies events up to and including the first mismatched exit, see [Stacks.ApplyMany].
func (n *Nesting) next(events []Event) (k int, misfit Effect) {
	k, misfit = n.stacks.ApplyMany(events)
	switch misfit {
	case Orphan:
		n.Orphans++
	case Mismatch:
		if n.Mismatches == 0 {
			n.First = events[k-1]
		}
		n.Mismatches++
	}
	return k, misfit
}

// Depth returns the number of open frames of a thread.
func (n *Nesting) Depth(id ThreadID) int { return len(n.stacks.Of(id)) }

// Deepest returns the maximum number of frames that any thread had open.
func (n *Nesting) Deepest() int { return n.stacks.deepest() }

// Warning returns a warning about the mismatches; ok is false if there are none. name is the file's
// name, clock the clock of its times, and s the symbols of its events.
func (n *Nesting) Warning(name string, clock Clock, s *Symbols) (w Warning, ok bool) {
	if n.Mismatches == 0 {
		return w, false
	}
	place := [...]any{n.First.Time(clock), s.Thread(n.First.Thread).String(), s.Method(n.First.Method).FullName()}
	if n.Mismatches == 1 {
		return Warnf(WarnNesting, name, "the exit at %s on thread %s names %s, which is not the innermost method; the exit closes the innermost frame", place[:]...), true
	}
	return Warnf(WarnNesting, name, "%d exits do not name the innermost method, the first at %s on thread %s (it names %s); each closes the innermost frame",
		append([]any{n.Mismatches}, place[:]...)...), true
}
