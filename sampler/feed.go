// Package feed reads a truth in windows, one ahead of the work, so that the event with which a thread goes on is mostly
// known.
package sampler

import (
	"io"
	"math"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// WindowSize is how many events of the truth are read ahead, so
// that a sample between two events of a thread knows the second.
const WindowSize = 8192

// Never is later than everything.
const Never = time.Duration(math.MaxInt64)

// Untold is a limit that nobody has looked for.
const Untold = time.Duration(math.MinInt64)

// Feed reads the truth in full windows, so that results do not depend on how
// the source cuts its batches. It stays a window ahead.
type Feed struct {
	src       trace.Reader
	Now, Next *Window // at hand, and the one after it
	Err       error   // what ended the source; io.EOF at its proper end
	ahead     bool    // whether to find the events' limits

	epoch   uint64      // number of the window in next
	threads []feedPlace // by thread index
	tails   []tail      // the last event of each thread met in next
}

// Window is a piece of the truth.
type Window struct {
	Events []trace.Event // in time order

	// limits has the CPU time of each event's successor on its thread: what the
	// thread can have used by then. It is the event's own CPU time when the
	// successor is not near enough to be known: the thread counts as waiting.
	// nil where nobody looks ahead, or there are no CPU times.
	limits []time.Duration

	// After has the successors; nil where nobody looks ahead.
	After []Successor
}

// Successor is the event with which a thread goes on after another one.
type Successor struct {
	Wall  time.Duration    // Never: it is not near enough to be known
	Event recorder.WaitEnd // what ends a wait before it
}

// Limit returns what a thread can have used by the event after the i-th, Untold where nobody looks ahead.
func (w *Window) Limit(i int) time.Duration {
	if w.limits == nil {
		return Untold
	}
	return w.limits[i]
}

// feedPlace is where a thread's events were met last.
type feedPlace struct {
	epoch     uint64 // the window
	tail      int32  // its last event there
	tailEpoch uint64 // the window that tail is in
	nextCPU   time.Duration
	next      Successor
}

type tail struct {
	thread trace.ThreadID
	event  int32
}

// NewFeed returns a feed of a source. One that looks ahead finds each event's successor, and where the
// source has CPU times the limits.
func NewFeed(src trace.Reader, ahead, cpu bool) *Feed {
	fresh := func() *Window {
		w := &Window{Events: make([]trace.Event, 0, WindowSize)}
		if ahead {
			w.After = make([]Successor, WindowSize)
		}
		if ahead && cpu {
			w.limits = make([]time.Duration, WindowSize)
		}
		return w
	}
	return &Feed{src: src, Now: fresh(), Next: fresh(), ahead: ahead}
}

// Source has the feed read from another source, before it has read from its own.
func (f *Feed) Source(src trace.Reader) { f.src = src }

// Advance makes the next window the current one and reads one more. When that
// shows the successor of an event in a window already gone, late is called
// with its thread and CPU time.
func (f *Feed) Advance(late func(trace.ThreadID, time.Duration)) {
	f.Now, f.Next = f.Next, f.Now
	w := f.Next
	w.Events = w.Events[:0]
	for f.Err == nil && len(w.Events) < WindowSize {
		n, err := f.src.ReadEvents(w.Events[len(w.Events):WindowSize])
		w.Events = w.Events[:len(w.Events)+n]
		if n == 0 {
			f.Err = err
			if err == nil {
				f.Err = io.ErrNoProgress
			}
		}
	}
	if f.ahead {
		f.epoch++
		f.linkWindow()
		f.linkTails(late)
	}
}

// linkWindow finds the limits within the window just read, going backwards.
func (f *Feed) linkWindow() {
	events, epoch := f.Next.Events, f.epoch
	limits, after, threads := f.Next.limits, f.Next.After[:len(events)], f.threads
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
		t.nextCPU, t.next = e.CPU, Successor{e.Wall, recorder.WaitEnd{Thread: e.Thread, Method: e.Method, Action: e.Action}}
	}
}

// meet notes that the i-th event is the last one of its thread in the window just read.
func (f *Feed) meet(e *trace.Event, i int) {
	if int(e.Thread) >= len(f.threads) {
		f.threads = append(f.threads, make([]feedPlace, int(e.Thread)+1-len(f.threads))...)
	}
	t := &f.threads[e.Thread]
	t.epoch, t.nextCPU, t.next = f.epoch, e.CPU, Successor{Wall: Never}
	f.tails = append(f.tails, tail{e.Thread, int32(i)})
}

// linkTails joins the threads met in the window just read to their last events
// before it.
func (f *Feed) linkTails(late func(trace.ThreadID, time.Duration)) {
	for _, tail := range f.tails {
		t := &f.threads[tail.thread]
		if t.tailEpoch == f.epoch-1 && t.tailEpoch > 0 {
			if f.Now.limits != nil {
				f.Now.limits[t.tail] = t.nextCPU
			}
			f.Now.After[t.tail] = t.next
		} else if f.Next.limits != nil {
			late(tail.thread, t.nextCPU)
		}
		t.tail, t.tailEpoch = tail.event, f.epoch
	}
}

// Ahead reads a truth for a pass, and before the pass for those who have to know what comes: when the threads of the
// app begin to wait. What has been read is kept until the pass and all of them have it. It is a [trace.Reader].
type Ahead struct {
	src    trace.Reader
	err    error // the source's, at its end
	events []linked
	base   int // number of the first in events
	passed int // number of the next that the pass gets
	gifts  recorder.LatenessGifts[int]
	given  int // numbers of gifts so far
	truth  *trace.Recording
	cores  []*Cores
}

// NewAhead returns what reads a truth of which nothing has been read.
func NewAhead(truth *trace.Recording) *Ahead { return &Ahead{src: truth.Events, truth: truth} }

// linked is an event of the truth with its part in a link between threads, which is by the truth's order.
type linked struct {
	trace.Event
	gift  int  // number of what it gives or waits for; 0: nothing
	gives bool // it gives it
}

// ReadEvents implements [trace.Reader].
func (a *Ahead) ReadEvents(p []trace.Event) (n int, err error) {
	if !a.has(a.passed) {
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

// has reports whether there is an event of a number, which is read if it has not been.
func (a *Ahead) has(number int) bool {
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

// at returns the event of a number that there is.
func (a *Ahead) at(number int) *linked { return &a.events[number-a.base] }

// linked adds its link to an event.
func (a *Ahead) linked(e *trace.Event) linked {
	l := linked{Event: *e}
	if e.Action == trace.Enter && int(e.Method) < len(a.truth.Symbols.Methods) {
		link := a.truth.Symbols.Methods[e.Method].Link
		l.gives = link.Does == trace.Gives
		l.gift, _ = a.gifts.Meet(link, func() int { a.given++; return a.given })
		if l.gives {
			l.gift = a.given
		}
	}
	return l
}

// forget drops what all have.
func (a *Ahead) forget() {
	first := a.passed
	for _, c := range a.cores {
		first = min(first, c.read)
	}
	if n := first - a.base; n >= 1<<14 && n > len(a.events)/2 {
		a.events = append(a.events[:0], a.events[n:]...)
		a.base = first
	}
}
