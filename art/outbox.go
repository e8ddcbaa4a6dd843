package art

import "artifice/trace"

// outbox holds the events that are in the file, in file order, until somebody
// takes them. The zero value is empty.
type outbox struct {
	chunks [][]trace.Event // oldest first
	taken  int             // events of the first chunk that are gone
	free   [][]trace.Event // emptied ones of chunkSize, to be used again
}

// chunkSize is the capacity of a chunk that add fills.
const chunkSize = trace.BatchSize

// add appends one event.
func (o *outbox) add(e trace.Event) {
	n := len(o.chunks)
	if n == 0 || len(o.chunks[n-1]) == cap(o.chunks[n-1]) {
		o.chunks = append(o.chunks, o.fresh())
		n++
	}
	o.chunks[n-1] = append(o.chunks[n-1], e)
}

func (o *outbox) fresh() []trace.Event {
	if n := len(o.free); n > 0 {
		c := o.free[n-1]
		o.free = o.free[:n-1]
		return c
	}
	return make([]trace.Event, 0, chunkSize)
}

// empty reports whether there is nothing to take.
func (o *outbox) empty() bool { return len(o.chunks) == 0 }

// take moves up to len(p) events to p and returns how many.
func (o *outbox) take(p []trace.Event) (n int) {
	for n < len(p) && len(o.chunks) > 0 {
		first := o.chunks[0]
		k := copy(p[n:], first[o.taken:])
		n, o.taken = n+k, o.taken+k
		if o.taken < len(first) {
			return n
		}
		o.taken = 0
		if len(o.free) < 4 {
			o.free = append(o.free, first[:0])
		}
		o.chunks = o.chunks[1:]
	}
	return n
}
