package instrument

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/recorder"
	"artifice/trace"
)

// LongRunningConfig says how long-running-methods tracing runs. The zero value is
// ART's.
type LongRunningConfig struct {
	// Format names the generation, a variant of package format/dmtrace: art-longrun-2025-02
	// or art-longrun-16. "" is the latter.
	Format string

	// Threshold is the shortest call that is kept; 0 is the generation's: 2^22 or
	// 2^23 ticks of the counter (kLongRunningMethodThreshold), 170.7 and 341.3 ms at
	// 24.576 MHz.
	Threshold time.Duration

	// CounterHz is the frequency of the timestamp counter; 0 is 24.576 MHz.
	CounterHz uint64

	// Event is what the report of a call's begin or end takes, kept or not, of methods that have
	// compiled code of their own. The record does not show it.
	Event time.Duration
}

// unseen are methods without compiled code of their own that could report them:
// native ones run through a stub, inlined ones in their caller, interpreted ones in
// the interpreter.
const unseen = trace.Native | trace.RuntimeInternal | trace.Inlined | trace.Interpreted

// RecordLongRunning returns what ART's long-running-methods tracing ("low
// overhead" tracing, of 2025) keeps of truth, whose events must be in time
// order: of all calls those that lasted at least so many ticks of the timestamp
// counter, at the cost of a few instructions a call. The events are in the order
// in which the tracer's blocks were flushed, each thread's in its own;
// Source.Blocks are the blocks. The recording has one clock, wall.
//
// A call is kept or taken back at its exit, as in ART:
//
//  1. An enter is put into the thread's buffer of 2048 words (2 words).
//  2. An exit right after its enter, so that nothing was kept in between, takes
//     the enter back when the call was shorter than the threshold. The enter's tick
//     has lost its lowest bit by then.
//  3. Any other exit is put into the buffer (1 word): the call holds one that was
//     kept, or began before the trace.
//  4. A full buffer is flushed up to its last exit, that exit excluded; wholly
//     when more than 1024 words would be left. What stands behind the last exit
//     may still be taken back.
//
// The frames on the stack at the start are entered then, and never taken back.
// ART itself stops this tracing after 2 s (kDefaultTraceDurationNs) unless it is
// told a duration or started again, and writes what it has when it is asked while it
// runs (TraceProfiler::Dump): the end of the truth is that moment.
//
// A thread that ends loses what it has in its buffer: ART releases that and dumps
// the buffers of living threads only. The threads of a truth end when it says,
// those of a recorded trace not before the trace.
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
			return nil, fmt.Errorf("%s is no generation of long-running-methods tracing", cfg.Format)
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

// longTracer is told of each call, and keeps the long ones. It is a [recorder.Tracer].
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

// Take implements [recorder.Tracer]: it is the hook of a method's enter or exit.
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
	th.GoesOn(t.truth, e, wall)
	atStart := e.Action == trace.Enter && th.atStart > 0
	if atStart {
		th.atStart--
	}
	if t.rec.Symbols.Method(e.Method).Flags&unseen != 0 {
		return nil
	}
	if !atStart { // it began before
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

// thread returns a thread's buffer. The frames of its first events that were
// there before the trace are known from the symbols.
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

// ended reports whether a thread was gone when the buffers were dumped.
func (t *longTracer) ended(id trace.ThreadID) bool {
	end, known := t.order.End(id)
	return known && end <= t.order.Read()
}

// dump makes a block of what is left of each living thread, in list order.
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
	atStart int // frames of the start still to come

	// placeholder is how many events stand in front of the exit that is none: it
	// spares the tracer the question whether there is an event before an exit.
	placeholder int
}

// words returns how many words of the buffer an event takes.
func words(e *trace.Event) int {
	if e.Action == trace.Enter {
		return 2
	}
	return 1
}

// afterExit reports whether the last thing in the buffer is an exit, be it the
// placeholder.
func (th *longThread) afterExit() bool {
	n := len(th.events)
	return n == th.placeholder || th.events[n-1].Action != trace.Enter
}

func (th *longThread) push(t *longTracer, e trace.Event) {
	th.events = append(th.events, e)
	th.used += words(&e)
	t.reader.Deliver(e, e.Wall, recorder.Pending)
}

// enterAtStart takes a frame that was on the stack at the start. Frames beyond
// half of the buffer, the innermost ones, are left out. The placeholder stands
// behind these enters, so that their exits are kept.
func (th *longThread) enterAtStart(t *longTracer, e trace.Event) {
	if th.used > dmformat.LongRunWords-dmformat.LongRunKept {
		return
	}
	th.push(t, e)
	th.placeholder = len(th.events)
}

func (th *longThread) enter(t *longTracer, e trace.Event) {
	if th.used+2 > dmformat.LongRunWords {
		th.makeRoom(t)
	}
	th.push(t, e)
}

// exit takes an exit. A full buffer is emptied before the question whether the exit takes
// its enter back (art_quick_record_long_running_exit_trace_event, and the end of
// TraceProfiler::FlushBufferAndRecordTraceEvent), so it is emptied even where that leaves
// room.
func (th *longThread) exit(t *longTracer, e trace.Event) {
	if th.used+1 > dmformat.LongRunWords {
		th.makeRoom(t)
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

// makeRoom flushes the buffer up to its last exit. The enters after it may
// still be taken back; if they are too many all go, and a call among them is
// kept however short it is.
func (th *longThread) makeRoom(t *longTracer) {
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
	if last != th.placeholder { // a true exit stays, and takes the placeholder's part
		last--
	}
	t.flush(th, last)
	rest := copy(th.events, th.events[last:])
	th.events, th.used, th.placeholder = th.events[:rest], words, 0
	if rest > 0 && th.events[0].Action != trace.Enter {
		th.placeholder = -1 // none any more
	}
}
