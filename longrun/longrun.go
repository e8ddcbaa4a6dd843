// Package longrun emulates ART's long-running-methods tracing ("low overhead"
// tracing, Android 16 and later): of all calls it keeps those that lasted at
// least 2^22 ticks of the timestamp counter, at the cost of a few instructions a
// call.
//
// It is a filter from a truth in time order to what that profile keeps. Its
// neighbours are instrument, which keeps every call, and sampler, which sees
// none; writer.LongRun writes the recording as ART's file.
package longrun

import (
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// Config says how the tracer runs. The zero value is ART's.
type Config struct {
	// Threshold is the shortest call that is kept; 0 is ART's 2^22 ticks of the
	// counter, 170.7 ms at 24.576 MHz.
	Threshold time.Duration

	// CounterHz is the frequency of the timestamp counter; 0 is 24.576 MHz.
	CounterHz uint64

	// Observer, when set, is told at once what is kept.
	Observer Observer
}

// Observer is told what the tracer does to the buffers of its threads, in the
// order of the truth. The recording tells it later: it has the events of a buffer
// once that is flushed, and never those that a thread loses when it ends.
type Observer interface {
	// Put tells that an event went to the end of its thread's buffer.
	Put(e *trace.Event)

	// TakeBack tells that the last event of a thread's buffer, an enter, went out
	// of it: the call was too short.
	TakeBack(id trace.ThreadID)
}

// unseen are methods without compiled code of their own that could report them:
// native ones run through a stub, inlined ones in their caller.
const unseen = trace.Native | trace.RuntimeInternal | trace.Inlined

// New returns the recording that the tracer makes of truth, whose events must
// come in time order. Its events come in the order in which the tracer's blocks
// were flushed, each thread's in its own; Source.Blocks are the blocks. The
// recording has one clock, wall.
//
// A call is kept or taken back at its exit, as ART does it:
//
//  1. An enter is put into the thread's buffer of 2048 words (2 words).
//  2. An exit right after its enter, so that nothing was kept in between, takes
//     the enter back when the call was shorter than the threshold.
//  3. Any other exit is put into the buffer (1 word): the call holds one that was
//     kept, or began before the trace.
//  4. A full buffer is flushed up to its last exit, that exit excluded; wholly
//     when more than 1024 words would be left. What stands behind the last exit
//     may still be taken back.
//
// The frames on the stack at the start are entered then, and never taken back.
// A thread that ends loses what it has in its buffer: ART releases that and dumps
// the buffers of living threads only. The threads of a truth end when it says,
// those of a recorded trace not before the trace.
func New(truth *trace.Recording, cfg Config) (*trace.Recording, error) {
	if !truth.Info.Clock.HasWall() {
		return nil, errors.New("long-running-methods tracing needs a wall clock; the trace has thread CPU time only")
	}
	if cfg.Threshold < 0 {
		return nil, fmt.Errorf("threshold %s is negative", cfg.Threshold)
	}
	if cfg.CounterHz == 0 {
		cfg.CounterHz = dmformat.DefaultCounterHz
	}
	t := &tracer{truth: truth, observer: cfg.Observer, hz: cfg.CounterHz, threshold: dmformat.LongRunThreshold, batch: make([]trace.Event, trace.BatchSize)}
	if cfg.Threshold > 0 {
		t.threshold = dmformat.TimeToTicks(cfg.Threshold, t.hz)
	}
	info := truth.Info
	info.Clock, info.Technique, info.Interval, info.Events = trace.Wall, trace.Instrumented, 0, -1
	t.rec = &trace.Recording{Info: info, Symbols: truth.Symbols, Events: t, Source: &trace.Source{Format: dmformat.LongRun}}
	return t.rec, nil
}

// tracer is the recording's Reader.
type tracer struct {
	truth     *trace.Recording
	rec       *trace.Recording
	observer  Observer // nil: none
	hz        uint64
	threshold uint64 // ticks
	threads   []thread
	batch     []trace.Event
	ready     []trace.Event // flushed, not yet delivered
	delivered int           // of ready
	now       time.Duration
	err       error
}

// ReadEvents implements [trace.Reader].
func (t *tracer) ReadEvents(p []trace.Event) (int, error) {
	if len(p) == 0 {
		return 0, t.err
	}
	for t.delivered == len(t.ready) && t.err == nil {
		t.ready, t.delivered = t.ready[:0], 0
		t.err = t.advance()
	}
	if t.delivered == len(t.ready) {
		return 0, t.err
	}
	n := copy(p, t.ready[t.delivered:])
	t.delivered += n
	return n, nil
}

// advance takes in a batch of the truth; at its end it dumps the buffers.
func (t *tracer) advance() error {
	n, err := t.truth.Events.ReadEvents(t.batch)
	for i := range t.batch[:n] {
		t.event(&t.batch[i])
	}
	if n == 0 && err == io.EOF {
		t.rec.Info.Elapsed = max(t.truth.Info.Elapsed, t.now)
		t.dump()
	}
	if n == 0 {
		return err
	}
	return nil
}

// event is the hook of a method's enter or exit.
func (t *tracer) event(e *trace.Event) {
	t.now = max(t.now, e.Wall)
	th := t.thread(e.Thread)
	atStart := e.Action == trace.Enter && th.atStart > 0
	if atStart {
		th.atStart--
	}
	if t.rec.Symbols.Method(e.Method).Flags&unseen != 0 {
		return
	}
	kept := trace.Event{Wall: e.Wall, Method: e.Method, Thread: e.Thread, Action: min(e.Action, trace.Exit)}
	switch {
	case e.Action != trace.Enter:
		th.exit(t, kept)
	case atStart:
		th.enterAtStart(t, kept)
	default:
		th.enter(t, kept)
	}
}

// thread returns a thread's buffer. The frames of its first events that were
// there before the trace are known from the symbols.
func (t *tracer) thread(id trace.ThreadID) *thread {
	for int(id) >= len(t.threads) {
		open := t.rec.Symbols.Threads[len(t.threads)].Open
		t.threads = append(t.threads, thread{id: trace.ThreadID(len(t.threads)), atStart: open, used: 1})
	}
	return &t.threads[id]
}

func (t *tracer) ticks(at time.Duration) uint64 {
	return dmformat.TimeToTicks(t.truth.Info.Start+at, t.hz)
}

// flush makes a block of the first n entries of a thread.
func (t *tracer) flush(th *thread, n int) {
	for _, e := range th.entries[:n] {
		t.ready = append(t.ready, e.event)
	}
	t.rec.Source.Blocks = append(t.rec.Source.Blocks, trace.Block{
		TID: t.rec.Symbols.Thread(th.id).TID, Events: int64(n), Count: uint32(n)})
}

// ended reports whether a thread was gone when the buffers were dumped. A
// recorded trace knows of no thread when it ended, only its last event.
func (t *tracer) ended(id trace.ThreadID) bool {
	end := t.rec.Symbols.Thread(id).End
	return t.truth.Info.Technique == trace.Truth && end != 0 && end <= t.now
}

// dump makes a block of what is left of each living thread, in list order.
func (t *tracer) dump() {
	for i := range t.rec.Symbols.Threads {
		if t.ended(trace.ThreadID(i)) {
			continue
		}
		th := t.thread(trace.ThreadID(i))
		t.flush(th, len(th.entries))
	}
}
