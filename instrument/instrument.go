package instrument

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"artifice/art"
	"artifice/internal/eventlog"
	"artifice/internal/recorder"

	"artifice/trace"
)

// Record returns the runtime's recording of truth. The truth's events must be in time order. The
// recording's events are in the order of the runtime's file and can be read once; its info, tables
// and warnings are complete when all events have been read.
//
// Each thread is delayed by the cost of its own events. Waits last as long as in the truth, except
// for waits that the truth states to end at a deadline or by an action of another thread (package
// recorder). The trace stops when the app has completed the truth: the cost lengthens the trace and
// never truncates it.
//
// Memory is bounded by the threads' buffers. Events of threads with large delays wait in a
// temporary file.
func Record(truth *trace.Recording, cfg Config) (*trace.Recording, error) {
	if err := cfg.check(truth); err != nil {
		return nil, err
	}
	if cfg.CountObjects {
		cfg.objects = art.CountObjects(truth)
	}
	log, err := art.NewLog(truth, cfg.log())
	if err != nil {
		return nil, err
	}
	if cfg.Runtime == nil {
		cfg.Runtime = art.Default()
	}
	t := &tracer{
		truth: truth, cfg: cfg, rt: cfg.Runtime, log: log, rec: log.Recording(),
		timing: cfg.timing(), starting: true, withTID: map[uint32]trace.ThreadID{}, nextStart: never,
		rng: rand.New(rand.NewPCG(cfg.Seed, 0x1257)), batch: make([]trace.Event, trace.BatchSize),
		sorter: eventlog.NewLog(cfg.TempDir, eventlog.Memory),
	}
	if t.timing.whole > 0 && truth.Info.Technique == trace.Truth {
		// a truth's clocks have the stated readings, and a reading of 0 means none
		t.timing.birth = 0
	}
	t.hidesOrphans = t.rt.HidesCompiled && t.cfg.NotDebuggable && truth.Info.Technique != trace.Truth
	t.jitter = t.timing.hook > 0 && !t.perThread()
	t.gather = trace.BatchSize
	if !cfg.Streaming {
		t.limit = t.fileLimit()
		if t.perThread() {
			t.gather = 1 // each event can end the recording
		}
	}
	t.sync()
	for i := range t.threads {
		t.openLeft += t.threads[i].open
	}
	t.rec.Events = t
	if app, ok := truth.Events.(trace.LiveApp); ok {
		t.live = true
		app.Watch((*liveWatcher)(t))
	}
	return t.rec, nil
}

// tracer reads the truth and delivers the recording.
type tracer struct {
	truth  *trace.Recording
	cfg    Config
	rt     *art.Runtime
	log    *art.Log
	rec    *trace.Recording
	timing timing
	rng    *rand.Rand
	jitter bool // events of a shared buffer wait for their place
	live   bool // the app runs live

	threads  []thread
	handoffs recorder.Handoffs[time.Duration]
	treat    []treatment // by method

	hidesOrphans bool // exits of calls that began before a recorded trace are not reported
	gc           collector
	sorter       *eventlog.Log // events waiting for their place
	limit        int           // maximum number of waiting events of a thread; 0: unlimited
	// number of threads attached, or about to be attached by an item in the sorter
	attached int
	withTID  map[uint32]trace.ThreadID // last attached thread with the tid
	ends     []trace.ThreadID          // threads with a known end, by time
	now      time.Duration             // time of the latest event, in the truth
	horizon  time.Duration             // no later event can be earlier than this time
	offset   time.Duration             // wall time that every thread lost during the start of the trace
	last     time.Duration             // when the latest item got its place

	starting  bool
	openLeft  int           // frames on the stacks that have not been delivered yet
	held      []trace.Event // events at time 0 that came before the last of these frames
	nextStart time.Duration // when the next thread is attached

	batch  []trace.Event // of the truth
	ready  []trace.Event // for the log
	gather int           // batch size for the log
	ended  bool          // the truth has been read
	err    error

	loopErr error // error at an event received while the truth ran
}

// Actions for items that are no events.
const (
	attach trace.Action = eventlog.MaxAction - iota
	end
)

const never = time.Duration(1<<63 - 1)

// Cost implements [recorder.CostReporter].
func (t *tracer) Cost() recorder.Cost {
	c := recorder.Cost{Event: t.timing.event}
	for i := range t.threads {
		c.Late = append(c.Late, t.threads[i].Late)
	}
	return c
}

// ReadEvents implements [trace.Reader].
func (t *tracer) ReadEvents(p []trace.Event) (int, error) {
	for {
		if n := t.log.Take(p); n > 0 || len(p) == 0 {
			return n, nil
		}
		if t.err != nil {
			return 0, trace.ReadOnce(&t.err)
		}
		t.err = t.advance()
	}
}

// advance passes events that are due to the log, or takes in one batch of the truth, or stops the
// trace and returns io.EOF.
func (t *tracer) advance() error {
	if first := t.sorter.Peek(); first != nil && first.At <= t.horizon {
		return t.release()
	}
	if t.ended {
		if err := t.sorter.Close(); err != nil {
			return waiting(err)
		}
		return cmp.Or(t.log.Stop(t.stopTime()), io.EOF)
	}
	n, err := t.truth.Events.ReadEvents(t.batch)
	t.sync()
	if n > 0 {
		if t.live { // the live app delivers the events itself
			err = t.loopErr
		} else {
			err = t.takeBatch(t.batch[:n])
		}
		if err != nil {
			return err
		}
		if !t.starting {
			t.horizon = max(t.now, t.offset)
		}
		return t.release()
	}
	if err != io.EOF {
		return fmt.Errorf("reading the source: %w", err)
	}
	t.end()
	return t.release()
}

// sync makes room for new threads and methods of the truth.
func (t *tracer) sync() {
	for _, th := range t.truth.Symbols.Threads[len(t.threads):] {
		state := thread{}
		if t.truth.Info.Technique == trace.Truth {
			state.open = th.Open
		}
		t.threads = append(t.threads, state)
		t.scheduleEnd(trace.ThreadID(len(t.threads) - 1))
	}
	for i := len(t.treat); i < len(t.truth.Symbols.Methods); i++ {
		t.treat = append(t.treat, treatmentOf(&t.truth.Symbols.Methods[i]))
	}
	t.scheduleStart()
}

// waiting adds the failed operation to err.
func waiting(err error) error { return fmt.Errorf("buffered events: %w", err) }

// check rejects events that are out of time order or have no symbols. An event earlier than the
// previous event of its thread is treated as simultaneous with that event, because the clocks of
// some real devices step back.
func (t *tracer) check(p []trace.Event) error {
	for i := range p {
		e := &p[i]
		if int(e.Thread) >= len(t.threads) || int(e.Method) >= len(t.treat) {
			return fmt.Errorf("event at %s of thread %d and method %d: the truth has %d threads and %d methods",
				e.Wall, e.Thread, e.Method, len(t.threads), len(t.treat))
		}
		th := &t.threads[e.Thread]
		e.Wall = max(e.Wall, th.wall)
		if e.Wall < t.now {
			return fmt.Errorf("event at %s after one at %s: the source must be in time order", e.Wall, t.now)
		}
		t.now, th.wall = e.Wall, e.Wall
	}
	return nil
}

// takeBatch takes in events of the truth.
func (t *tracer) takeBatch(p []trace.Event) error {
	if err := t.check(p); err != nil {
		return err
	}
	t.takeAll(p)
	return nil
}

func (t *tracer) takeAll(p []trace.Event) {
	for i := range p {
		if t.starting && t.takeOpen(&p[i]) {
			continue
		}
		t.take(&p[i])
	}
}

// take reports one event of the truth.
func (t *tracer) take(e *trace.Event) {
	if e.Wall >= t.nextStart {
		t.startUntil(e.Wall)
	}
	if len(t.ends) > 0 {
		t.endUntil(e.Wall)
	}
	th := &t.threads[e.Thread]
	wait := th.Arrive(e.Wall)
	if t.timing.code > 0 && !t.live {
		t.slow(th, e)
	}
	if !t.cfg.OneClock {
		th.Match(&t.handoffs, t.truth, e, e.Wall)
	}
	th.paid.wait(wait, th.Late)
	t.setState(th, e)
	if !th.due {
		t.scheduleEnd(e.Thread)
	}
	treat := t.treat[e.Method]
	if treat == skip || th.stack.Depth() > 0 && t.hides(th, e) || t.hidesOrphans && t.hidesOrphan(th, e) {
		return
	}
	if treat == proxy {
		t.takeProxy(th, e)
		return
	}
	if t.collects(e.Method) {
		t.takeCollection(th, e)
		return
	}
	t.record(th, e)
}

// release passes the events up to the horizon to the log, a batch at a time. No earlier event can
// follow.
func (t *tracer) release() error {
	for range trace.BatchSize {
		first := t.sorter.Peek()
		if first == nil || first.At > t.horizon {
			break
		}
		t.happen(&first.Event, first.At)
		t.sorter.Pop()
	}
	if err := t.sorter.Err(); err != nil {
		return waiting(err)
	}
	return t.flushReady()
}

// happen passes one event, or the start or end of a thread, to the log.
func (t *tracer) happen(e *trace.Event, at time.Duration) {
	if t.log.Active() {
		t.last = max(t.last, at) // later events are too late: see payments
	}
	switch e.Action {
	case attach, end:
		t.flushReady() // the log keeps its first error, which release returns
		if e.Action == attach {
			t.log.Attach(e.Thread)
		} else {
			t.log.End(e.Thread)
		}
		return
	}
	if t.log.Active() {
		t.threads[e.Thread].paid.record(t.timing.event)
	}
	if t.ready = append(t.ready, *e); len(t.ready) >= t.gather {
		t.flushReady()
	}
}

func (t *tracer) flushReady() error {
	err := t.log.WriteEvents(t.ready)
	t.ready = t.ready[:0]
	return err
}

// perThread reports whether each thread has its own buffer.
func (t *tracer) perThread() bool {
	if t.cfg.Streaming {
		return t.rt.Stream == art.PerThread
	}
	return t.rt.File == art.PerThread
}

// fileLimit returns the maximum number of events of one thread that can wait for their place. Later
// events cannot be in the file, because they exceed the combined capacity of the file and, if there
// is one, of the thread's buffer.
func (t *tracer) fileLimit() int {
	size := t.cfg.BufferSize
	if size == 0 {
		size = art.DefaultBuffer
	}
	const smallestRecord = 10
	limit := int(size / smallestRecord)
	if t.perThread() {
		limit += art.BufferWords
	}
	return limit
}
