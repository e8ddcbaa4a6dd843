package encode

import (
	"runtime"
	"sync"

	"artifice/trace"
)

// Events are passed to a second core in batches. Waking a core takes as long as aggregating a
// thousand events, so several batches are queued: the faster side must find more than one when it
// wakes.
const (
	asyncEvents  = 2 * trace.BatchSize
	asyncBatches = 4
)

// asyncWriter passes events to another [trace.Writer] on a second core, if there is one, while the
// caller reads the next ones. Its goroutine ends when no batch is queued, so a caller that returns
// without calling wait leaks no goroutine.
type asyncWriter struct {
	to      trace.Writer // its errors are ignored: a calltree.Builder never fails
	filling []trace.Event
	free    chan []trace.Event // batches to fill; nil on a single core
	full    chan []trace.Event // batches to write, in order
	mutex   sync.Mutex
	running bool // a goroutine writes the batches in full
}

func newAsyncWriter(to trace.Writer) *asyncWriter {
	a := &asyncWriter{to: to}
	if runtime.GOMAXPROCS(0) > 1 {
		a.free, a.full = make(chan []trace.Event, asyncBatches), make(chan []trace.Event, asyncBatches)
		for range asyncBatches {
			a.free <- nil
		}
	}
	return a
}

// WriteEvents implements [trace.Writer]. It never fails.
func (a *asyncWriter) WriteEvents(events []trace.Event) error {
	if a.free == nil {
		a.to.WriteEvents(events)
		return nil
	}
	for len(events) > 0 {
		if a.filling == nil {
			a.filling = a.empty()
		}
		n := min(len(events), asyncEvents-len(a.filling))
		a.filling = append(a.filling, events[:n]...)
		events = events[n:]
		if len(a.filling) == asyncEvents {
			a.handOver()
		}
	}
	return nil
}

// empty waits for an empty batch and returns it.
func (a *asyncWriter) empty() []trace.Event {
	b := <-a.free
	if b == nil {
		b = make([]trace.Event, 0, asyncEvents)
	}
	return b[:0]
}

// handOver queues the filled batch.
func (a *asyncWriter) handOver() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.full <- a.filling // its capacity is asyncBatches
	if !a.running {
		a.running = true
		go a.work()
	}
	a.filling = nil
}

// work writes the queued batches.
func (a *asyncWriter) work() {
	for {
		a.mutex.Lock()
		if len(a.full) == 0 {
			a.running = false
			a.mutex.Unlock()
			return
		}
		a.mutex.Unlock()
		batch := <-a.full
		a.to.WriteEvents(batch)
		a.free <- batch
	}
}

// wait returns when all events have been written. It is called once, after the last of them.
func (a *asyncWriter) wait() {
	if a.free == nil {
		return
	}
	if a.filling != nil {
		a.handOver()
	}
	for range asyncBatches {
		<-a.free
	}
}
