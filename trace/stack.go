package trace

import (
	"math/bits"
)

// Effect is what an event does to its thread's stack.
type Effect uint8

const (
	Pushed   Effect = iota // an enter: the method is now innermost
	Popped                 // an exit or unwind of the innermost frame
	Orphan                 // an exit or unwind with no frame open: the call began before the trace; the stack stays empty
	Mismatch               // an exit or unwind of another method than the innermost: it closes the innermost frame
)

// Closes reports whether the event closed a frame.
func (f Effect) Closes() bool { return f == Popped || f == Mismatch }

// EffectOf returns what e does to a stack of depth frames whose innermost one
// is of method innermost (which is not looked at when depth is 0). It is the one
// place that decides about exits that do not fit, for every reader of events in
// this module:
//
//   - With no frame open the exit is an orphan. It changes nothing; a sum of
//     times may put its call around all that the thread did before.
//   - An exit of another method than the innermost closes the innermost frame all
//     the same, as Perfetto, androidx.benchmark and the Firefox Profiler do: a
//     trace that lost events stays readable, and its depth does not run away.
//     Debian's dmtracedump and Android Studio up to 2021 refuse such a trace.
//   - The action 3, which nothing ever meant, counts as an exit, as in dmtracedump.
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

// DepthAfter returns how many frames are open after e when depth were before, as
// [EffectOf] has it, for callers that need nothing else. It does not branch on whether e enters
// or leaves, which is unpredictable.
func DepthAfter(e *Event, depth int) int {
	by := -1
	if e.Action == Enter {
		by = 1
	}
	return max(depth+by, 0)
}

// Frame is an open call: its method, and a value of the stack's user.
type Frame[V any] struct {
	Method MethodID
	Value  V
}

// Stack is the open frames of one thread, outermost first, each with a value of
// its user's, for example when it was entered. The zero value is an empty stack.
type Stack[V any] struct {
	methods []MethodID
	values  []V
}

// Apply changes the stack as [EffectOf] says. An enter pushes a frame with
// the value v; for an event that closes a frame, closed is that frame.
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

// Depth returns how many frames are open.
func (s *Stack[V]) Depth() int { return len(s.methods) }

// Methods returns the methods of the open frames, outermost first. It is valid
// until the next Apply.
func (s *Stack[V]) Methods() []MethodID { return s.methods }

// Values returns the values of the open frames, outermost first. It is valid
// until the next Apply; its elements may be changed.
func (s *Stack[V]) Values() []V { return s.values }

// Innermost returns the method that runs now; ok is false when no frame is open.
func (s *Stack[V]) Innermost() (m MethodID, ok bool) {
	if len(s.methods) == 0 {
		return 0, false
	}
	return s.methods[len(s.methods)-1], true
}

// Stacks follows the open frames of every thread of a trace. The zero value has
// every thread's stack empty.
type Stacks struct {
	threads []openFrames
}

// openFrames is what [Stacks] knows of a thread: methods[1:top] are its open frames.
// The first method is none of a frame, so that there is always an innermost one to compare
// with. There is room for the thread's deepest stack and no more, so that the room tells how deep
// that was.
type openFrames struct {
	methods []MethodID
	top     int // 0 in a thread that had no event
}

// Apply lets e change its thread's stack and says how, as [EffectOf] does.
func (s *Stacks) Apply(e Event) Effect { return s.apply(e.Thread, e.Method, e.Action) }

// apply is Apply of what counts.
func (s *Stacks) apply(id ThreadID, m MethodID, a Action) Effect {
	if int(id) < len(s.threads) && s.threads[id].fit(m, min(a, 1)) {
		return Effect(min(a, 1)) // Pushed or Popped
	}
	return s.applyRare(id, m, a)
}

// ApplyMany lets events of p change their threads' stacks, up to the first exit that does
// not fit. It returns how many it took in; if there is such an exit, the last of them is it, and
// misfit is [Orphan] or [Mismatch], else 0.
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

// fitting takes in those of p before the first that [openFrames.fit] does not, and returns how
// many these are.
func fitting(threads []openFrames, p []Event) int {
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(threads) || !threads[e.Thread].fit(e.Method, min(e.Action, 1)) {
			return i
		}
	}
	return len(p)
}

// fit takes in an event of method m, leaves being 1 for an exit, and reports whether it did: whether it
// is no exit that does not fit, and there is room. As in [DepthAfter], no branch depends on
// whether an event that fits enters or leaves.
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

// applyRare is Apply of what does not fit, or has no room yet.
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

// deepest returns how many frames a thread had open at most.
func (s *Stacks) deepest() int {
	room := 2 // of a thread without frames: for none, and for the method of an orphan exit
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

// closed returns the method of the frame that the last event of a thread closed.
func (s *Stacks) closed(id ThreadID) MethodID {
	t := &s.threads[id]
	return t.methods[t.top] // no other event has taken its place
}

// Threads returns how many threads may have a stack: one more than the highest
// index seen.
func (s *Stacks) Threads() int { return len(s.threads) }

// Nesting counts the exits that do not fit (see [EffectOf]). Those of another method than
// the innermost close the innermost frame all the same, so that a reader of stacks has
// something to warn of; every trace that begins in the middle has exits with no frame open. The
// zero value has counted nothing.
type Nesting struct {
	Mismatches int64 // exits of another method than the innermost
	First      Event // the first of them
	Orphans    int64 // exits with no frame open

	stacks Stacks
}

// Add takes in the events that follow those before on their threads.
func (n *Nesting) Add(events []Event) {
	for len(events) > 0 {
		k, _ := n.next(events)
		events = events[k:]
	}
}

// next takes in events up to the first exit that does not fit, as [Stacks.ApplyMany] does.
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

// Depth returns how many frames a thread has open.
func (n *Nesting) Depth(id ThreadID) int { return len(n.stacks.Of(id)) }

// Deepest returns how many frames a thread had open at most.
func (n *Nesting) Deepest() int { return n.stacks.deepest() }

// Warning returns what there is to say of the trace in the file of that name,
// which clock its times are of and which symbols its events have; ok is false
// when every exit fitted.
func (n *Nesting) Warning(name string, clock Clock, s *Symbols) (w Warning, ok bool) {
	if n.Mismatches == 0 {
		return w, false
	}
	place := [...]any{n.First.Time(clock), s.Thread(n.First.Thread).String(), s.Method(n.First.Method).FullName()}
	if n.Mismatches == 1 {
		return Warnf(WarnNesting, name, "the exit at %s on thread %s is of %s, which is not the innermost method; it closes the innermost frame", place[:]...), true
	}
	return Warnf(WarnNesting, name, "%d exits are not of the innermost method, the first at %s on thread %s (of %s); each closes the innermost frame",
		append([]any{n.Mismatches}, place[:]...)...), true
}
