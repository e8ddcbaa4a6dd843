package recorder

import "artifice/trace"

// Handoffs matches objects that threads hand to each other (a lock, an item of a queue, a result
// of a future) with the threads that wait for them. T is the time of the handoff: a wall time, or
// one for each of several tracers. The zero value has no handoffs.
type Handoffs[T any] struct{ queues map[uint16]*handoffQueue[T] }

// handoffQueue holds the handoffs of one object.
type handoffQueue[T any] struct {
	given []T
	taken int // number of given already taken
}

// Give adds the handoff of a call with the link l, which is of kind [trace.Gives].
func (h *Handoffs[T]) Give(l trace.Link, given T) {
	q := h.queues[l.Object]
	if q == nil {
		if h.queues == nil {
			h.queues = map[uint16]*handoffQueue[T]{}
		}
		q = &handoffQueue[T]{}
		h.queues[l.Object] = q
	}
	if q.taken > len(q.given)/2 {
		q.given, q.taken = append(q.given[:0], q.given[q.taken:]...), 0
	}
	q.given = append(q.given, given)
}

// Match returns the handoff for which a call with the link l waits. ok is false if there is none,
// for example for a lock that no thread has held, or if the call waits for no handoff.
func (h *Handoffs[T]) Match(l trace.Link) (given T, ok bool) {
	if l.Does <= trace.Gives {
		return given, false
	}
	q := h.queues[l.Object]
	if q == nil || q.taken == len(q.given) {
		return given, false
	}
	given = q.given[q.taken]
	if l.Does == trace.Takes {
		q.taken++
	}
	return given, true
}
