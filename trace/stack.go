package trace

import "time"

// Snapshot is one thread's stack at one instant, and for how many samples in a
// row it was seen so. It is valid until the next one: who keeps Stack copies it.
type Snapshot struct {
	Thread ThreadID
	Wall   time.Duration // when it was first seen so
	CPU    time.Duration // thread CPU time then
	Until  time.Duration // wall time of the first sample that saw something else, or of the thread's last sample
	Count  int64         // samples that saw this stack, at least 1
	Stack  []MethodID    // outermost first
}

// SnapshotWriter takes the stacks that a sampler saw, in order per thread. A
// stack that several samples in a row saw comes once, with their count.
type SnapshotWriter interface {
	WriteSnapshot(s *Snapshot) error
}

// Effect is what an event did to its thread's stack.
type Effect uint8

const (
	Pushed   Effect = iota // an enter: the method is now innermost
	Popped                 // an exit or unwind of the innermost frame
	Orphan                 // an exit or unwind with no frame open: the call began before the trace
	Mismatch               // an exit or unwind of another method than the innermost; the stack is unchanged
)

// Stacks follows the open frames of every thread of a trace. The zero value has
// every thread's stack empty.
type Stacks struct {
	threads [][]MethodID
}

// Apply lets e change its thread's stack and says how.
func (s *Stacks) Apply(e Event) Effect {
	if int(e.Thread) >= len(s.threads) {
		s.threads = append(s.threads, make([][]MethodID, int(e.Thread)+1-len(s.threads))...)
	}
	stack := s.threads[e.Thread]
	switch {
	case e.Action == Enter:
		s.threads[e.Thread] = append(stack, e.Method)
		return Pushed
	case len(stack) == 0:
		return Orphan
	case stack[len(stack)-1] != e.Method:
		return Mismatch
	}
	s.threads[e.Thread] = stack[:len(stack)-1]
	return Popped
}

// Of returns the open frames of a thread, outermost first. It is valid until
// the next Apply.
func (s *Stacks) Of(id ThreadID) []MethodID {
	if int(id) >= len(s.threads) {
		return nil
	}
	return s.threads[id]
}

// Threads returns how many threads may have a stack: one more than the highest
// index seen.
func (s *Stacks) Threads() int { return len(s.threads) }
