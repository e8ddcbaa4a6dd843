package art

import (
	"slices"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// warnDeaf says that the runtime ended the recording at its first full buffer.
const warnDeaf trace.WarningCode = "deaf"

// Log is the trace that one runtime keeps: it takes what happens in the order in
// which it happens and gives back events in the order of the file. Memory is
// bounded by the thread buffers of the runtime and by what has not been taken yet.
//
// A Log follows ART's Trace and TraceWriter: LogMethodTraceEvent,
// PrepareBufferForNewEntries, FlushBuffer, StopTracing, FinishTracing.
type Log struct {
	cfg      Config
	rt       *Runtime
	truth    *trace.Recording
	out      *trace.Recording
	source   *trace.Source
	threads  []thread         // by the truth's index
	list     []trace.ThreadID // live threads in list order
	methods  []int32          // index in out.Symbols by the truth's index; -1 before the first use
	names    naming
	box      outbox
	room     int64 // bytes left in the buffer of a file
	written  int64 // events in the file
	dropped  int64 // events that are not
	removed  bool  // Trace::RemoveListeners was called: nothing is recorded any more
	starting bool  // see Starting
	err      error
}

// thread is what the log knows of one true thread.
type thread struct {
	out      int32  // index in out.Symbols; -1 before the first event
	vm       uint32 // Dalvik's number of it; 0 before it is attached
	attached bool
	buffered bool           // has a thread buffer
	run      eventlog.Queue // its contents, with the truth's indexes
	words    int            // of the buffer that are in use
}

// NewLog returns the log of a trace of truth that is started as cfg says, with
// no thread attached. Of truth it uses the symbols and the info, not the events.
func NewLog(truth *trace.Recording, cfg Config) (*Log, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	l := &Log{cfg: cfg, rt: cfg.Runtime, truth: truth, room: cfg.BufferSize - headerSize}
	if cfg.V2 && l.rt.emptyBlocks {
		l.room = cfg.BufferSize
	}
	l.names = naming{
		log: l, numbers: map[uint32]uint32{}, announced: map[uint32]bool{},
		exited: map[uint32]string{}, interfaces: map[string]uint64{},
	}
	if l.names.variant, err = dmformat.ByName(cfg.format()); err != nil {
		return nil, err
	}
	l.out = &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{
		Clock: cfg.Clock, Start: truth.Info.Start, ClockOverhead: cfg.ClockOverhead,
		VM: l.rt.VM, PID: l.pid(), Technique: cfg.Technique, Events: -1,
	}}
	if cfg.Technique == trace.Sampled {
		l.out.Info.Interval = truth.Info.Interval
	}
	if cfg.KeepSymbols {
		l.out.Symbols = truth.Symbols
		return l, nil
	}
	l.source = &trace.Source{Format: cfg.format()}
	if l.rt.padsSingle && cfg.Streaming && cfg.Clock != trace.Dual {
		l.source.RecordSize, l.source.StatedSize = int(RecordSize(trace.Dual)), int(RecordSize(cfg.Clock))
	}
	l.out.Source = l.source
	if cfg.V2 {
		l.names.knowLoaded()
	}
	return l, l.err
}

// pid returns the id of the process: that of its main thread. Dalvik does not
// tell it.
func (l *Log) pid() int {
	switch {
	case l.rt.VM != "art":
		return 0
	case l.truth.Info.PID == 0 && len(l.truth.Symbols.Threads) > 0:
		return int(l.truth.Symbols.Threads[0].TID)
	}
	return l.truth.Info.PID
}

// Recording returns what a reader of the file would get, but for its Events,
// which are nil. Info and Source are complete after Stop; symbols come before
// the first event that uses them.
func (l *Log) Recording() *trace.Recording { return l.out }

// Active reports whether events are still recorded, or at least dropped one by
// one. After a full buffer some runtimes take their listeners away, and the
// app runs without the cost of events.
func (l *Log) Active() bool { return !l.removed }

// Attach puts a thread at the end of the list of threads.
func (l *Log) Attach(id trace.ThreadID) {
	l.sync()
	if t := &l.threads[id]; !t.attached {
		if l.truth.Symbols.Threads[id].Start > 0 {
			l.names.attachSampling()
		}
		t.attached = true
		l.list = append(l.list, id)
		l.names.attach(id)
	}
}

// Starting tells that the events to come are the frames on the stacks when the trace starts, until it is called with
// false. In format V2 the threads of such come before all methods: Trace::Start hands the packets of the methods to
// a worker, which cannot attach to the runtime before the app goes on, and RecordThreadInfo writes
// to the file at once.
func (l *Log) Starting(is bool) { l.starting = is }

// sync makes room for threads and methods that the truth has added.
func (l *Log) sync() {
	for range l.truth.Symbols.Threads[len(l.threads):] {
		l.threads = append(l.threads, thread{out: -1, run: l.box.blocks.Queue()})
	}
	for range l.truth.Symbols.Methods[len(l.methods):] {
		l.methods = append(l.methods, -1)
	}
}

// WriteEvents implements [trace.Writer]: the events of p happen, one after the
// other. A thread that is not attached is attached by its first event.
func (l *Log) WriteEvents(p []trace.Event) error {
	l.sync()
	perThread := l.cfg.buffering() == PerThread
	for i := range p {
		t := &l.threads[p[i].Thread]
		if !t.attached {
			l.Attach(p[i].Thread)
		}
		if perThread {
			l.logToThread(t, p[i])
		} else {
			l.logShared(p[i])
		}
	}
	return l.err
}

// End takes a thread out of the list, as Thread::Destroy and
// ThreadList::Unregister do: its buffer is flushed and its name remembered. An
// event that the thread has after all attaches it anew.
func (l *Log) End(id trace.ThreadID) {
	l.sync()
	t := &l.threads[id]
	if l.rt.HoldsThreads || !t.attached {
		return
	}
	if t.buffered {
		l.flush(id)
	}
	l.names.exit(id)
	*t = thread{out: t.out, vm: t.vm, run: l.box.blocks.Queue()}
	l.list = slices.DeleteFunc(l.list, func(live trace.ThreadID) bool { return live == id })
}

// Stop ends the trace: thread buffers are flushed in list order, then the time
// since the start is read, which is elapsed, and the tables are made.
func (l *Log) Stop(elapsed time.Duration) error {
	l.sync()
	for _, id := range l.list {
		if l.threads[id].buffered {
			l.flush(id)
		}
	}
	info := &l.out.Info
	info.Elapsed = elapsed
	if !l.cfg.Streaming {
		info.Events = l.written
	}
	if l.source != nil {
		l.layOut()
	}
	l.warn()
	return l.err
}

// Take moves up to len(p) events to p, in file order, and returns how many. The
// symbols they use are in the recording's Symbols by then.
func (l *Log) Take(p []trace.Event) int { return l.box.take(p) }

// Drop counts events that happen when the file is full beyond doubt.
func (l *Log) Drop(n int64) { l.dropped += n }

// emit puts an event into the file, whose method and thread become known by it.
// Where it was called from is nothing that a file says.
func (l *Log) emit(e trace.Event) {
	l.name(&e)
	e.Site = 0
	l.box.add(e)
	l.written++
}

// name gives an event the indexes of the file's symbols.
func (l *Log) name(e *trace.Event) {
	if !l.cfg.KeepSymbols {
		e.Method = l.names.method(e.Method)
		e.Thread = l.names.thread(e.Thread)
	}
}

// fail keeps the first error.
func (l *Log) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// warn says what is missing in the file.
func (l *Log) warn() {
	warn := func(code trace.WarningCode, format string, args ...any) {
		l.out.Warnings = append(l.out.Warnings, trace.Warnf(code, "", format, args...))
	}
	if l.removed {
		warn(warnDeaf, "%s ended the recording when the first thread buffer was full: %d events are in the file, %d are not; stream, or take another runtime",
			l.rt.Name, l.written, l.dropped)
		return
	}
	if l.out.Info.Overflow {
		warn(trace.WarnOverflow, "the buffer of %d bytes was full: %d events are in the file, %d are not; take a larger one, or stream",
			l.cfg.BufferSize, l.written, l.dropped)
	}
}

// outbox holds the events that are in the file, in file order, until somebody
// takes them. The zero value is empty.
type outbox struct {
	items  []item          // oldest first
	taken  int             // single events of the first item that are gone
	free   [][]trace.Event // emptied ones of chunkSize, to be used again
	blocks eventlog.Pool
}

// item is some events in their order: single ones, or a run.
type item struct {
	events []trace.Event
	run    eventlog.Queue
}

// chunkSize is the capacity of an item of single events.
const chunkSize = trace.BatchSize

// add appends one event.
func (o *outbox) add(e trace.Event) {
	last := len(o.items) - 1
	if last < 0 || o.items[last].events == nil || len(o.items[last].events) == chunkSize {
		o.items = append(o.items, item{events: o.fresh()})
		last++
	}
	o.items[last].events = append(o.items[last].events, e)
}

// addRun appends the events of a run.
func (o *outbox) addRun(run eventlog.Queue) {
	if run.Len() > 0 {
		o.items = append(o.items, item{run: run})
	}
}

func (o *outbox) fresh() []trace.Event {
	if n := len(o.free); n > 0 {
		c := o.free[n-1]
		o.free = o.free[:n-1]
		return c
	}
	return make([]trace.Event, 0, chunkSize)
}

// take moves up to len(p) events to p and returns how many.
func (o *outbox) take(p []trace.Event) (n int) {
	for n < len(p) && len(o.items) > 0 {
		first := &o.items[0]
		if first.events == nil {
			n += first.run.Take(p[n:])
		} else {
			k := copy(p[n:], first.events[o.taken:])
			n, o.taken = n+k, o.taken+k
		}
		if o.taken < len(first.events) || first.run.Len() > 0 {
			return n
		}
		o.finish(first)
	}
	return n
}

// finish removes the first item, whose events are all taken.
func (o *outbox) finish(first *item) {
	if first.events != nil && len(o.free) < 4 {
		o.free = append(o.free, first.events[:0])
	}
	first.run.Drop()
	o.items = o.items[1:]
	o.taken = 0
}
