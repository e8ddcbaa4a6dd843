package trace

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
