package sampler

import (
	"io"
	"math"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// windowSize is the number of events of the truth that are read ahead, so that a sample between two
// events of a thread has access to the second.
const windowSize = 8192

// never is later than everything.
const never = time.Duration(math.MaxInt64)

// unknownLimit is a limit that has not been computed.
const unknownLimit = time.Duration(math.MinInt64)

// feed reads the truth in full windows, so that results do not depend on the batches of the source.
// It reads one window ahead, so that the next event of a thread is usually available.
type feed struct {
	src       trace.Reader
	now, next *window // the current one and the one after it
	err       error   // error of the source; io.EOF at its end
	ahead     bool    // compute successors and limits

	epoch   uint64      // number of the window in next
	threads []feedPlace // by thread index
	tails   []tail      // the last event of each thread met in next
}

// window is a piece of the truth.
type window struct {
	events []trace.Event // in time order

	// limits contains the CPU time of each event's successor on its thread: the maximum that the
	// thread can have used by then. It is the event's own CPU time if the successor is not in the
	// windows: the thread is assumed to wait. It is nil without lookahead or CPU times.
	limits []time.Duration

	// after contains the successors; nil without lookahead.
	after []successor
}

// successor is the next event of an event's thread.
type successor struct {
	wall  time.Duration      // never: not in the windows
	event recorder.WakeEvent // what ends a wait before it
}

// limit returns the CPU time of the thread at the event after the i-th, or unknownLimit without
// lookahead.
func (w *window) limit(i int) time.Duration {
	if w.limits == nil {
		return unknownLimit
	}
	return w.limits[i]
}

// feedPlace is the place of a thread's last events.
type feedPlace struct {
	epoch     uint64 // the window
	tail      int32  // its last event there
	tailEpoch uint64 // the window that tail is in
	nextCPU   time.Duration
	next      successor
}

type tail struct {
	thread trace.ThreadID
	event  int32
}

// newFeed returns a feed of a source. With ahead it computes each event's successor and, with cpu,
// the limits.
func newFeed(src trace.Reader, ahead, cpu bool) *feed {
	fresh := func() *window {
		w := &window{events: make([]trace.Event, 0, windowSize)}
		if ahead {
			w.after = make([]successor, windowSize)
		}
		if ahead && cpu {
			w.limits = make([]time.Duration, windowSize)
		}
		return w
	}
	return &feed{src: src, now: fresh(), next: fresh(), ahead: ahead}
}

// setSource replaces the source, before anything is read.
func (f *feed) setSource(src trace.Reader) { f.src = src }

// limiter receives the CPU time of a thread's next event if the feed reads that event after the
// window of the thread's last one.
type limiter interface {
	limitCPU(id trace.ThreadID, cpu time.Duration)
}

// advance makes the next window the current one and reads one more.
func (f *feed) advance(late limiter) {
	f.now, f.next = f.next, f.now
	w := f.next
	w.events = w.events[:0]
	for f.err == nil && len(w.events) < windowSize {
		n, err := f.src.ReadEvents(w.events[len(w.events):windowSize])
		w.events = w.events[:len(w.events)+n]
		if n == 0 {
			f.err = err
			if err == nil {
				f.err = io.ErrNoProgress
			}
		}
	}
	if f.ahead {
		f.epoch++
		f.linkWindow()
		f.linkTails(late)
	}
}

// linkWindow computes the limits within the window just read, backwards.
func (f *feed) linkWindow() {
	events, epoch := f.next.events, f.epoch
	limits, after, threads := f.next.limits, f.next.after[:len(events)], f.threads
	f.tails = f.tails[:0]
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		if int(e.Thread) >= len(threads) || threads[e.Thread].epoch != epoch {
			f.meet(e, i)
			threads = f.threads
		}
		t := &threads[e.Thread]
		if limits != nil {
			limits[i] = t.nextCPU
		}
		after[i] = t.next
		t.nextCPU, t.next = e.CPU, successor{e.Wall, recorder.WakeEvent{Thread: e.Thread, Method: e.Method, Action: e.Action}}
	}
}

// meet records that the i-th event is the last one of its thread in the window just read.
func (f *feed) meet(e *trace.Event, i int) {
	if int(e.Thread) >= len(f.threads) {
		f.threads = append(f.threads, make([]feedPlace, int(e.Thread)+1-len(f.threads))...)
	}
	t := &f.threads[e.Thread]
	t.epoch, t.nextCPU, t.next = f.epoch, e.CPU, successor{wall: never}
	f.tails = append(f.tails, tail{e.Thread, int32(i)})
}

// linkTails links the last events before the window just read to their threads' first events in it.
func (f *feed) linkTails(late limiter) {
	for _, tail := range f.tails {
		t := &f.threads[tail.thread]
		if t.tailEpoch == f.epoch-1 && t.tailEpoch > 0 {
			if f.now.limits != nil {
				f.now.limits[t.tail] = t.nextCPU
			}
			f.now.after[t.tail] = t.next
		} else if f.next.limits != nil {
			late.limitCPU(tail.thread, t.nextCPU)
		}
		t.tail, t.tailEpoch = tail.event, f.epoch
	}
}

// lookahead reads a truth for a pass, and ahead of the pass for coreTicks. It keeps an event until
// all readers have read it. It is a [trace.Reader].
type lookahead struct {
	src      trace.Reader
	err      error // the source's, at its end
	events   []linkedEvent
	base     int // number of the first event in events
	passed   int // number of the next event for the pass
	handoffs recorder.Handoffs[int]
	count    int // handoffs so far
	truth    *trace.Recording
	cores    []*coreTicks
}

// newLookahead returns the lookahead of a truth that has not been read.
func newLookahead(truth *trace.Recording) *lookahead {
	return &lookahead{src: truth.Events, truth: truth}
}

// linkedEvent is an event of the truth with its handoff, in the truth's order.
type linkedEvent struct {
	trace.Event
	handoff int  // number of the handoff that it gives or waits for; 0: none
	gives   bool // it gives the handoff
}

// ReadEvents implements [trace.Reader].
func (a *lookahead) ReadEvents(p []trace.Event) (n int, err error) {
	if !a.load(a.passed) {
		return 0, a.err
	}
	for n < len(p) && a.passed < a.base+len(a.events) {
		p[n] = a.events[a.passed-a.base].Event
		n++
		a.passed++
	}
	a.forget()
	return n, nil
}

// load reads up to the event with a number, and reports whether it exists.
func (a *lookahead) load(number int) bool {
	for number >= a.base+len(a.events) && a.err == nil {
		var some [512]trace.Event
		n, err := a.src.ReadEvents(some[:])
		for i := range some[:n] {
			a.events = append(a.events, a.linked(&some[i]))
		}
		if n == 0 {
			a.err = err
			if err == nil {
				a.err = io.ErrNoProgress
			}
		}
	}
	return number < a.base+len(a.events)
}

// at returns the event with a number, which must be loaded.
func (a *lookahead) at(number int) *linkedEvent { return &a.events[number-a.base] }

// linked returns an event with its handoff.
func (a *lookahead) linked(e *trace.Event) linkedEvent {
	l := linkedEvent{Event: *e}
	if e.Action == trace.Enter && int(e.Method) < len(a.truth.Symbols.Methods) {
		link := a.truth.Symbols.Methods[e.Method].Link
		if l.gives = link.Does == trace.Gives; l.gives {
			a.count++
			l.handoff = a.count
			a.handoffs.Give(link, a.count)
		} else {
			l.handoff, _ = a.handoffs.Match(link)
		}
	}
	return l
}

// forget drops the events that all readers have read.
func (a *lookahead) forget() {
	first := a.passed
	for _, c := range a.cores {
		first = min(first, c.read)
	}
	if n := first - a.base; n >= 1<<14 && n > len(a.events)/2 {
		a.events = append(a.events[:0], a.events[n:]...)
		a.base = first
	}
}
