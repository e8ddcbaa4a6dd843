package art

import (
	"artifice/internal/eventlog"
	"artifice/trace"
)

// outbox holds the events that are in the file, in file order, until somebody
// takes them. The zero value is empty.
type outbox struct {
	items  []item          // oldest first
	taken  int             // single events of the first item that are gone
	free   [][]trace.Event // emptied ones of chunkSize, to be used again
	blocks eventlog.Pool
}

// item is some events in their order: single ones, or a run.
type item struct {
	events []trace.Event
	run    eventlog.Queue
}

// chunkSize is the capacity of an item of single events.
const chunkSize = trace.BatchSize

// add appends one event.
func (o *outbox) add(e trace.Event) {
	last := len(o.items) - 1
	if last < 0 || o.items[last].events == nil || len(o.items[last].events) == chunkSize {
		o.items = append(o.items, item{events: o.fresh()})
		last++
	}
	o.items[last].events = append(o.items[last].events, e)
}

// addRun appends the events of a run.
func (o *outbox) addRun(run eventlog.Queue) {
	if run.Len() > 0 {
		o.items = append(o.items, item{run: run})
	}
}

func (o *outbox) fresh() []trace.Event {
	if n := len(o.free); n > 0 {
		c := o.free[n-1]
		o.free = o.free[:n-1]
		return c
	}
	return make([]trace.Event, 0, chunkSize)
}

// take moves up to len(p) events to p and returns how many.
func (o *outbox) take(p []trace.Event) (n int) {
	for n < len(p) && len(o.items) > 0 {
		first := &o.items[0]
		if first.events == nil {
			n += first.run.Take(p[n:], &o.blocks)
		} else {
			k := copy(p[n:], first.events[o.taken:])
			n, o.taken = n+k, o.taken+k
		}
		if o.taken < len(first.events) || first.run.Len() > 0 {
			return n
		}
		o.finish(first)
	}
	return n
}

// finish removes the first item, whose events are all taken.
func (o *outbox) finish(first *item) {
	if first.events != nil && len(o.free) < 4 {
		o.free = append(o.free, first.events[:0])
	}
	first.run.Drop(&o.blocks)
	o.items = o.items[1:]
	o.taken = 0
}
