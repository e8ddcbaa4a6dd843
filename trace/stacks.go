package trace

import "math/bits"

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
