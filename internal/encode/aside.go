package encode

import (
	"runtime"
	"sync"

	"artifice/trace"
)

// How events are handed over to a second core: so many at a time, and so many times before
// the first of them have to be done. To wake a core takes as long as to add a thousand
// events up, so whoever is faster must find more than one batch when it is awake.
const (
	asideEvents  = 2 * trace.BatchSize
	asideBatches = 4
)

// aside is a [trace.Writer] that has events added up on a second core, where there is one,
// while the next ones are read. Its goroutine ends when there is nothing to add, so that
// nothing is left behind by those who stop before they wait.
type aside struct {
	add     func([]trace.Event)
	filling []trace.Event
	free    chan []trace.Event // batches to fill; nil where there is one core
	full    chan []trace.Event // batches to add, in order
	mutex   sync.Mutex
	running bool // a goroutine adds what is in full
}

func newAside(add func([]trace.Event)) *aside {
	a := &aside{add: add}
	if runtime.GOMAXPROCS(0) > 1 {
		a.free, a.full = make(chan []trace.Event, asideBatches), make(chan []trace.Event, asideBatches)
		for range asideBatches {
			a.free <- nil
		}
	}
	return a
}

// WriteEvents implements [trace.Writer]. It never fails.
func (a *aside) WriteEvents(events []trace.Event) error {
	if a.free == nil {
		a.add(events)
		return nil
	}
	for len(events) > 0 {
		if a.filling == nil {
			a.filling = a.empty()
		}
		n := min(len(events), asideEvents-len(a.filling))
		a.filling = append(a.filling, events[:n]...)
		events = events[n:]
		if len(a.filling) == asideEvents {
			a.handOver()
		}
	}
	return nil
}

// empty returns a batch to fill, after it has waited for one.
func (a *aside) empty() []trace.Event {
	b := <-a.free
	if b == nil {
		b = make([]trace.Event, 0, asideEvents)
	}
	return b[:0]
}

// handOver has the batch that was filled added.
func (a *aside) handOver() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.full <- a.filling // there is room for all
	if !a.running {
		a.running = true
		go a.work()
	}
	a.filling = nil
}

// work adds what was handed over.
func (a *aside) work() {
	for {
		a.mutex.Lock()
		if len(a.full) == 0 {
			a.running = false
			a.mutex.Unlock()
			return
		}
		a.mutex.Unlock()
		batch := <-a.full
		a.add(batch)
		a.free <- batch
	}
}

// wait waits until all events have been added. It is called once, after the last of them.
func (a *aside) wait() {
	if a.free == nil {
		return
	}
	if a.filling != nil {
		a.handOver()
	}
	for range asideBatches {
		<-a.free
	}
}
