package instrument

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/recorder"
	"artifice/trace"
)

// LongRunningConfig configures long-running-methods tracing. The zero value is ART's configuration.
type LongRunningConfig struct {
	// Format names the generation, a variant of package format/dmtrace: art-longrun-2025-02
	// or art-longrun-16. "" is the latter.
	Format string

	// Threshold is the minimum length of a recorded call; 0 is the generation's: 2^22 or 2^23 ticks
	// of the counter (kLongRunningMethodThreshold), 170.7 and 341.3 ms at 24.576 MHz.
	Threshold time.Duration

	// CounterHz is the frequency of the timestamp counter; 0 is 24.576 MHz.
	CounterHz uint64

	// Event is the cost of reporting a call's start or end, kept or not, for methods with their own
	// compiled code. The recorded times do not contain it.
	Event time.Duration
}

// unseen are the flags of methods without their own compiled code to report them: native methods
// run through a stub, inlined ones in their caller, interpreted ones in the interpreter.
const unseen = trace.Native | trace.RuntimeInternal | trace.Inlined | trace.Interpreted

// RecordLongRunning returns the recording that ART's long-running-methods tracing ("low overhead"
// tracing, of 2025) makes of truth, with events in time order. It keeps the calls that last at
// least a threshold in ticks of the timestamp counter, at the cost of a few instructions per call.
// The events are in the order in which the tracer's blocks were flushed, each thread's in its own
// order; Source.Blocks are the blocks. The recording has one clock, wall.
//
// A call is kept or removed at its exit, as in ART:
//
//  1. An enter is added to the thread's buffer of 2048 words (2 words).
//  2. If an exit directly follows its enter (no entry in between was kept) and the call was
//     shorter than the threshold, the exit removes the enter. The enter's tick has lost its lowest
//     bit by then.
//  3. Any other exit is added to the buffer (1 word): its call contains a kept call, or began
//     before the trace.
//  4. A full buffer is flushed up to its last exit, excluding that exit. It is flushed completely
//     if more than 1024 words would remain. An enter after the last exit may still be removed.
//
// The frames on the stack at the start are entered then, and never removed. ART itself stops this
// tracing after 2 s (kDefaultTraceDurationNs) unless a duration is given or it is started again,
// and writes its data on request while it runs (TraceProfiler::Dump): the end of the truth is that
// request.
//
// A thread that ends loses the contents of its buffer: ART releases the buffer and dumps only the
// buffers of living threads. The threads of a truth end at their stated times; those of a recorded
// trace do not end before the trace.
func RecordLongRunning(truth *trace.Recording, cfg LongRunningConfig) (*trace.Recording, error) {
	if !truth.Info.Clock.HasWall() {
		return nil, errors.New("long-running-methods tracing needs a wall clock; the trace has thread CPU time only")
	}
	if cfg.Threshold < 0 {
		return nil, fmt.Errorf("threshold %s is negative", cfg.Threshold)
	}
	if cfg.CounterHz == 0 {
		cfg.CounterHz = dmformat.DefaultCounterHz
	}
	gen := dmformat.DefaultLongRun()
	if cfg.Format != "" {
		if gen = dmformat.LongRunByName(cfg.Format); gen == nil {
			return nil, fmt.Errorf("%s is not a version of long-running-methods tracing", cfg.Format)
		}
	}
	t := &longTracer{truth: truth, order: recorder.NewOrder(truth), cost: cfg.Event, hz: cfg.CounterHz, threshold: gen.Threshold}
	if cfg.Threshold > 0 {
		t.threshold = dmformat.TimeToTicks(cfg.Threshold, t.hz)
	}
	info := truth.Info
	info.Clock, info.Technique, info.Interval = trace.Wall, trace.Instrumented, 0
	t.reader = recorder.NewReader(truth, info, t, "")
	t.rec = t.reader.Record
	t.rec.Source = &trace.Source{Format: gen.Name}
	return t.rec, nil
}

// longTracer is called at each method call and keeps the long calls. It is a [recorder.Tracer].
type longTracer struct {
	truth     *trace.Recording
	rec       *trace.Recording
	reader    *recorder.Reader
	order     recorder.Order
	cost      time.Duration // of an event
	hz        uint64
	threshold uint64 // ticks
	threads   []longThread
	handoffs  recorder.Handoffs[time.Duration]
}

// Cost implements [recorder.Tracer].
func (t *longTracer) Cost() recorder.Cost {
	c := recorder.Cost{WithoutOverhead: true}
	for i := range t.threads {
		th := &t.threads[i]
		end, _ := t.order.End(th.id)
		c.Taken, c.Late = append(c.Taken, th.Total), append(c.Late, th.Late)
		c.Delay = max(c.Delay, th.End(end)-t.order.Length())
	}
	return c
}

// Delay implements [recorder.Tracer].
func (t *longTracer) Delay(id trace.ThreadID) *recorder.Delay { return &t.thread(id).Delay }

// Keeps implements [recorder.Tracer]: no event waits for its place.
func (t *longTracer) Keeps(*trace.Event) bool { return true }

// End implements [recorder.Tracer].
func (t *longTracer) End() (time.Duration, error) {
	t.dump()
	return t.order.Length(), nil
}

// Take implements [recorder.Tracer]. It is the hook called when a method begins or ends.
func (t *longTracer) Take(e *trace.Event) error {
	if err := t.order.CheckNames(e); err != nil {
		return err
	}
	th := t.thread(e.Thread)
	wall, err := t.order.At(e, th.wall)
	if err != nil {
		return err
	}
	th.wall = wall
	th.Arrive(wall)
	th.Match(&t.handoffs, t.truth, e, wall)
	th.SetState(t.truth, e, wall)
	atStart := e.Action == trace.Enter && th.atStart > 0
	if atStart {
		th.atStart--
	}
	if t.rec.Symbols.Method(e.Method).Flags&unseen != 0 {
		return nil
	}
	if !atStart { // the call began before the trace
		th.Take(t.cost)
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
	return nil
}

// thread returns a thread's buffer. A new buffer gets the number of frames from before the trace
// from the symbols.
func (t *longTracer) thread(id trace.ThreadID) *longThread {
	for int(id) >= len(t.threads) {
		open := t.rec.Symbols.Threads[len(t.threads)].Open
		t.threads = append(t.threads, longThread{id: trace.ThreadID(len(t.threads)), atStart: open, used: 1})
	}
	return &t.threads[id]
}

func (t *longTracer) ticks(at time.Duration) uint64 {
	return dmformat.TimeToTicks(t.truth.Info.Start+at, t.hz)
}

// flush makes a block of the first n entries of a thread.
func (t *longTracer) flush(th *longThread, n int) {
	for _, e := range th.events[:n] {
		t.reader.Deliver(e, e.Wall, recorder.Confirmed)
	}
	t.rec.Source.Blocks = append(t.rec.Source.Blocks, trace.Block{
		TID: t.rec.Symbols.Thread(th.id).TID, Events: int64(n), Count: uint32(n)})
}

// ended reports whether a thread had ended when the buffers were dumped.
func (t *longTracer) ended(id trace.ThreadID) bool {
	end, known := t.order.End(id)
	return known && end <= t.order.Read()
}

// dump makes a block of the remaining entries of each living thread, in list order.
func (t *longTracer) dump() {
	for i := range t.rec.Symbols.Threads {
		if t.ended(trace.ThreadID(i)) {
			continue
		}
		th := t.thread(trace.ThreadID(i))
		t.flush(th, len(th.events))
	}
}

// longThread is the buffer of one thread.
type longThread struct {
	recorder.Delay
	id      trace.ThreadID
	wall    time.Duration // of its last event
	events  []trace.Event
	used    int // words, with the placeholder
	atStart int // frames of the start not entered yet

	// placeholder is the number of events before the dummy exit. Because of the dummy, the tracer
	// need not check whether any event precedes an exit.
	placeholder int
}

// words returns the number of words that an event takes in the buffer.
func words(e *trace.Event) int {
	if e.Action == trace.Enter {
		return 2
	}
	return 1
}

// afterExit reports whether the last entry of the buffer is an exit or the placeholder.
func (th *longThread) afterExit() bool {
	n := len(th.events)
	return n == th.placeholder || th.events[n-1].Action != trace.Enter
}

func (th *longThread) push(t *longTracer, e trace.Event) {
	th.events = append(th.events, e)
	th.used += words(&e)
	t.reader.Deliver(e, e.Wall, recorder.Pending)
}

// enterAtStart enters a frame that was on the stack at the start. Frames beyond half of the buffer,
// the innermost ones, are dropped. The placeholder follows these enters, so that their exits are
// kept.
func (th *longThread) enterAtStart(t *longTracer, e trace.Event) {
	if th.used > dmformat.LongRunWords-dmformat.LongRunKept {
		return
	}
	th.push(t, e)
	th.placeholder = len(th.events)
}

func (th *longThread) enter(t *longTracer, e trace.Event) {
	if th.used+2 > dmformat.LongRunWords {
		th.flushBuffer(t)
	}
	th.push(t, e)
}

// exit processes an exit. A full buffer is flushed before the check whether the exit removes its
// enter (art_quick_record_long_running_exit_trace_event, and the end of
// TraceProfiler::FlushBufferAndRecordTraceEvent). It is therefore flushed even if the removal would
// make room.
func (th *longThread) exit(t *longTracer, e trace.Event) {
	if th.used+1 > dmformat.LongRunWords {
		th.flushBuffer(t)
	}
	if !th.afterExit() {
		enter := th.events[len(th.events)-1]
		if t.ticks(e.Wall)-t.ticks(enter.Wall)&^1 < t.threshold {
			th.events = th.events[:len(th.events)-1]
			th.used -= 2
			t.reader.Deliver(enter, enter.Wall, recorder.Retracted)
			return
		}
	}
	th.push(t, e)
}

// flushBuffer flushes the buffer up to its last exit. The enters after it may still be removed. If
// there are too many, all are flushed, and a call among them is kept regardless of its length.
func (th *longThread) flushBuffer(t *longTracer) {
	last := len(th.events)
	words := 0
	for last > 0 && last != th.placeholder && th.events[last-1].Action == trace.Enter {
		last--
		words += 2
	}
	words++ // the exit
	if words > dmformat.LongRunKept {
		t.flush(th, len(th.events))
		th.events, th.used, th.placeholder = th.events[:0], 1, 0
		return
	}
	if last != th.placeholder { // a real exit stays, and replaces the placeholder
		last--
	}
	t.flush(th, last)
	rest := copy(th.events, th.events[last:])
	th.events, th.used, th.placeholder = th.events[:rest], words, 0
	if rest > 0 && th.events[0].Action != trace.Enter {
		th.placeholder = -1 // no longer used
	}
}
