package writer

import (
	"runtime"

	"artifice/trace"
)

// asideEvents is how many events are handed over at a time: waking a goroutine takes as
// long as adding up a thousand.
const asideEvents = 4 * trace.BatchSize

// aside is a [trace.Writer] that has events added up on a second core, where there is one,
// while the next ones are read. A goroutine ends with its events, so that nothing is left
// behind by those who stop before they wait.
type aside struct {
	add     func([]trace.Event)
	filling []trace.Event
	adding  []trace.Event
	done    chan struct{} // receives when what is being added has been; nil where there is one core
	busy    bool          // done has not received
}

func newAside(add func([]trace.Event)) *aside {
	a := &aside{add: add}
	if runtime.GOMAXPROCS(0) > 1 {
		a.done = make(chan struct{}, 1)
	}
	return a
}

// WriteEvents implements [trace.Writer]. It never fails.
func (a *aside) WriteEvents(events []trace.Event) error {
	if a.done == nil {
		a.add(events)
		return nil
	}
	if a.filling == nil {
		a.filling = make([]trace.Event, 0, asideEvents)
	}
	a.filling = append(a.filling, events...)
	if len(a.filling) < asideEvents {
		return nil
	}
	a.join()
	a.filling, a.adding = a.adding[:0], a.filling
	a.busy = true
	go func() {
		a.add(a.adding)
		a.done <- struct{}{}
	}()
	return nil
}

// join waits until the events that were handed over have been added.
func (a *aside) join() {
	if a.busy {
		<-a.done
		a.busy = false
	}
}

// wait waits until all events have been added.
func (a *aside) wait() {
	a.join()
	a.add(a.filling)
	a.filling = a.filling[:0]
}
