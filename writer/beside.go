package writer

import (
	"runtime"
	"sync"

	"artifice/calltree"
	"artifice/trace"
)

// beside has a tree built in a goroutine of its own, where there is a second core: who
// writes events makes the next ones while the last ones are added. Between two lots
// there is no goroutine, so that nothing is left behind where nobody comes to the end.
type beside struct {
	builder *calltree.Builder
	gather  []trace.Event // the next lot
	lot     []trace.Event // being added
	busy    sync.WaitGroup
	alone   bool // there is one core
	short   int  // events that are added at once, so far
}

// shortTrace is up to how many events are added at once: a few milliseconds are not
// worth the memory that the collector finds later where two cores make garbage.
const shortTrace = 1 << 19

// lotSize is how many events are handed over at a time, 384 KiB. To wake another core
// takes as long as to add some thousands.
const lotSize = 1 << 14

func newBeside(b *calltree.Builder) *beside {
	return &beside{builder: b, alone: runtime.GOMAXPROCS(0) == 1}
}

// WriteEvents implements [trace.Writer]. It never fails.
func (b *beside) WriteEvents(events []trace.Event) error {
	if b.alone || b.short < shortTrace {
		b.short += len(events)
		return b.builder.WriteEvents(events)
	}
	for len(events) > 0 {
		if b.gather == nil {
			b.gather = make([]trace.Event, 0, lotSize)
		}
		n := min(len(events), lotSize-len(b.gather))
		b.gather = append(b.gather, events[:n]...)
		if len(b.gather) == lotSize {
			b.hand()
		}
		events = events[n:]
	}
	return nil
}

// hand lets what was gathered be added.
func (b *beside) hand() {
	b.busy.Wait()
	b.gather, b.lot = b.lot[:0], b.gather
	b.busy.Go(func() { b.builder.WriteEvents(b.lot) })
}

// done returns the builder when it has all events.
func (b *beside) done() *calltree.Builder {
	if len(b.gather) > 0 {
		b.hand()
	}
	b.busy.Wait()
	return b.builder
}
