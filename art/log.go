package art

import (
	"slices"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// warnDeaf warns that the runtime stopped recording at its first full buffer.
const warnDeaf trace.WarningCode = "deaf"

// warnNames warns that names of threads differ from the truth's.
const warnNames trace.WarningCode = "names"

// Log is the trace kept by one runtime: it accepts events in the order in which they happen and
// returns them in the order of the file. Its memory is bounded by the runtime's thread buffers and
// by the events not yet taken.
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
	dropped  int64 // events not in the file
	removed  bool  // Trace::RemoveListeners was called: recording has ended
	starting bool  // see Starting
	err      error
}

// thread is the state of one thread of the truth.
type thread struct {
	out      int32  // index in out.Symbols; -1 before the first event
	vm       uint32 // Dalvik's number of the thread; 0 before it is attached
	attached bool
	buffered bool           // has a thread buffer
	run      eventlog.Queue // contents of the buffer, with the truth's indexes
	words    int            // used words of the buffer
}

// NewLog returns the log of a trace of truth started with cfg, with no thread attached. It uses the
// symbols and the info of truth, not its events.
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

// pid returns the process id, which is the tid of the main thread. Dalvik does not record it.
func (l *Log) pid() int {
	switch {
	case l.rt.VM != "art":
		return 0
	case l.truth.Info.PID == 0 && len(l.truth.Symbols.Threads) > 0:
		return int(l.truth.Symbols.Threads[0].TID)
	}
	return l.truth.Info.PID
}

// Recording returns the recording that a reader of the file would return, without Events. Info and
// Source are complete after Stop; symbols are added before the first event that uses them.
func (l *Log) Recording() *trace.Recording { return l.out }

// Active reports whether events have a tracing cost: they are recorded, or dropped individually.
// After a full buffer some runtimes remove their listeners, and the app runs without the cost of
// events.
func (l *Log) Active() bool { return !l.removed }

// Attach appends a thread to the list of threads.
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

// Starting(true) marks the following events, up to Starting(false), as enters of the frames that
// were on the stacks when tracing started. In format V2 the threads of these events precede all
// methods. Trace::Start hands the packets of the methods to a worker, which cannot attach to the
// runtime before the app resumes; RecordThreadInfo writes to the file at once.
func (l *Log) Starting(is bool) { l.starting = is }

// sync allocates state for threads and methods added to the truth.
func (l *Log) sync() {
	for range l.truth.Symbols.Threads[len(l.threads):] {
		l.threads = append(l.threads, thread{out: -1, run: l.box.blocks.Queue()})
	}
	for range l.truth.Symbols.Methods[len(l.methods):] {
		l.methods = append(l.methods, -1)
	}
}

// WriteEvents implements [trace.Writer]: the events of p happen in this order. A thread that is not
// attached is attached by its first event.
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

// End removes a thread from the list, as Thread::Destroy and ThreadList::Unregister do: its buffer
// is flushed and its name remembered. A later event of the thread attaches it again.
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

// Stop ends the trace: it flushes thread buffers in list order, reads the time since the start,
// which is elapsed, and writes the tables.
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

// Take moves up to len(p) events to p, in file order, and returns their number. The symbols that
// they use are in the recording's Symbols then.
func (l *Log) Take(p []trace.Event) int { return l.box.take(p) }

// Drop counts n events that happen when the file is known to be full.
func (l *Log) Drop(n int64) { l.dropped += n }

// emit adds an event to the file and defines its method and thread if necessary. It clears the call
// site, because files contain none.
func (l *Log) emit(e trace.Event) {
	l.name(&e)
	e.Site = 0
	l.box.add(e)
	l.written++
}

// name replaces the indexes of an event by those of the file's symbols.
func (l *Log) name(e *trace.Event) {
	if !l.cfg.KeepSymbols {
		e.Method = l.names.method(e.Method)
		e.Thread = l.names.thread(e.Thread)
	}
}

// fail records the first error.
func (l *Log) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// warn adds warnings about events missing in the file.
func (l *Log) warn() {
	warn := func(code trace.WarningCode, format string, args ...any) {
		l.out.Warnings = append(l.out.Warnings, trace.Warnf(code, "", format, args...))
	}
	if l.names.cleaned > 0 {
		warn(warnNames, "tabs and line ends are removed from thread names, as in %q; --exact keeps tabs and line ends, as ART does", l.names.example)
	}
	if l.removed {
		warn(warnDeaf, "%s stopped recording when the first thread buffer was full: the file has %d events and lacks %d; use --streaming, or another --runtime",
			l.rt.Name, l.written, l.dropped)
		return
	}
	if l.out.Info.Overflow {
		warn(trace.WarnOverflow, "the buffer of %d bytes was full: the file has %d events and lacks %d; use a larger --buffer, or --streaming",
			l.cfg.BufferSize, l.written, l.dropped)
	}
}

// outbox is a queue of the events in the file, in file order, until Take removes them. The zero
// value is empty.
type outbox struct {
	items  []item          // oldest first
	taken  int             // single events of the first item that were taken
	free   [][]trace.Event // empty slices of capacity chunkSize for reuse
	blocks eventlog.Pool
}

// item is a sequence of events: single events, or a run.
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

// take moves up to len(p) events to p and returns their number.
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

// finish removes the first item after all its events were taken.
func (o *outbox) finish(first *item) {
	if first.events != nil && len(o.free) < 4 {
		o.free = append(o.free, first.events[:0])
	}
	first.run.Drop()
	o.items = o.items[1:]
	o.taken = 0
}
