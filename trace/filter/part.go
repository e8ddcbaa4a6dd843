package filter

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"artifice/trace"
)

// Part selects a part of a recording: some threads, a time window, or both. The zero value selects
// everything.
//
// A window keeps the time axis of the source: an event at 2.5 s is at 2.5 s in the part. A frame
// that is open when the window begins is entered at its beginning, and a frame known to be open
// beyond its end is left at its end, so that times within the window are complete. Both events are
// edges of the part, not calls or returns. The CPU time of an edge is that of the thread's last
// event before it or, for a ground truth, the CPU time at the edge. Its call site is unknown.
type Part struct {
	Threads []string      // names or tids; empty selects all threads
	From    time.Duration // begin of the window, since the start of the trace
	To      time.Duration // end of the window; 0 means the end of the trace
}

// Check returns an error if the window is empty or has negative times.
func (p Part) Check() error {
	if p.From < 0 || p.To < 0 {
		return fmt.Errorf("the window from %s to %s begins or ends before the trace starts", p.From, p.To)
	}
	if p.To != 0 && p.To <= p.From {
		return fmt.Errorf("the window from %s to %s is empty", p.From, p.To)
	}
	return nil
}

// HasThread reports whether a thread with this name and id is in the part; id -1 means unknown.
func (p Part) HasThread(name string, tid int64) bool {
	return len(p.Threads) == 0 || slices.Contains(p.Threads, name) ||
		tid >= 0 && slices.Contains(p.Threads, strconv.FormatInt(tid, 10))
}

// HasTime reports whether a time since the start of the trace is in the window.
func (p Part) HasTime(at time.Duration) bool { return at >= p.From && (p.To == 0 || at < p.To) }

// Apply returns the part of rec. The result has its own symbols: only the threads and methods that
// it uses, in order of first use, and none if it has no events. For a ground truth it has all
// threads that live within the window, in the truth's order, because a tracer lists the threads
// present at its start first. The window is in wall time if rec has it, else in the CPU time of
// each thread. The result has the display frames that begin and end in the window.
//
// Apply returns an error if the window is empty.
func (p Part) Apply(rec *trace.Recording) (*trace.Recording, error) {
	r, err := p.apply(rec, false)
	if err != nil {
		return nil, err
	}
	return r.result, nil
}

func (p Part) apply(rec *trace.Recording, together bool) (*partReader, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	r := &partReader{source: rec, part: p, together: together, batch: make([]trace.Event, trace.BatchSize)}
	r.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: r}
	r.follow()
	for _, f := range rec.DisplayFrames {
		if f.Begin >= p.From && (p.To == 0 || f.End <= p.To) {
			r.result.DisplayFrames = append(r.result.DisplayFrames, f)
		}
	}
	return r, nil
}

// partReader delivers the events of a part.
type partReader struct {
	source *trace.Recording
	result *trace.Recording
	part   Part

	batch   []trace.Event
	out     []trace.Event // to be delivered
	stacks  trace.Stacks
	threads []partThread
	methods []trace.MethodID // new index + 1 by old index
	last    time.Duration    // latest time of an event
	err     error            // after the events; nil before their end
	listed  bool             // the threads of a truth have been added

	// together keeps all threads, and enters and leaves the frames of all threads at the edges of
	// the window at once: a source in time order then gives a part in time order.
	together bool
	begun    bool

	// watched is set if the source's events are received when they happen, not when they are read.
	watched bool
}

// partThread is the state of one thread of the source.
type partThread struct {
	known  bool
	wanted bool
	id     trace.ThreadID // in the part; valid if named
	named  bool
	begun  bool          // the frames open at From have been entered
	ended  bool          // the frames open at To have been left
	cpu    time.Duration // of its last event
	wall   time.Duration // of its last event
	open   int           // frames open at From
}

// ReadEvents implements [trace.Reader].
func (r *partReader) ReadEvents(p []trace.Event) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, trace.ReadOnce(&r.err)
		}
		r.out = r.out[:0]
		n, err := r.source.Events.ReadEvents(r.batch)
		r.follow()
		if n == 0 {
			if err != io.EOF {
				return 0, err
			}
			r.finish()
			continue
		}
		if r.watched {
			continue
		}
		for _, e := range r.batch[:n] {
			if r.take(e); r.together && r.err != nil {
				break
			}
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// follow copies what a streaming source may have added since the last batch.
func (r *partReader) follow() {
	r.result.Info, r.result.Warnings = r.source.Info, r.source.Warnings
	r.result.Info.Events = -1
	for r.isTruth() && len(r.threads) < len(r.source.Symbols.Threads) {
		r.thread(trace.ThreadID(len(r.threads))) // all of them exist when the first event is delivered
	}
	for r.together && len(r.result.Symbols.Threads) < len(r.source.Symbols.Threads) {
		id := trace.ThreadID(len(r.result.Symbols.Threads))
		// threads without events are listed, too, because they cost a sampler time
		r.name(id, r.thread(id))
	}
	for r.together && r.isTruth() && len(r.methods) < len(r.source.Symbols.Methods) {
		r.method(trace.MethodID(len(r.methods))) // in the truth's order, which is the same in each run of an app
	}
}

// method returns the index in the part of a method of the source.
func (r *partReader) method(m trace.MethodID) trace.MethodID {
	for int(m) >= len(r.methods) {
		r.methods = append(r.methods, 0)
	}
	if r.methods[m] == 0 {
		r.methods[m] = r.result.Symbols.AddMethod(*r.source.Symbols.Method(m)) + 1
	}
	return r.methods[m] - 1
}

// take processes one event of the source.
func (r *partReader) take(e trace.Event) {
	t := r.thread(e.Thread)
	at := e.Time(r.source.Info.Clock)
	r.last = max(r.last, at)
	if !t.wanted {
		return
	}
	if r.together && !r.atOnce(at) {
		return
	}
	if at >= r.part.From && !t.begun {
		r.begin(e.Thread, t)
	}
	if r.part.To != 0 && at >= r.part.To && !t.ended {
		r.leave(e.Thread, t)
	}
	r.stacks.Apply(e)
	t.cpu, t.wall = e.CPU, e.Wall
	if t.begun && !t.ended {
		r.emit(t, e)
	}
}

// atOnce begins the window for all threads at its first edge and ends it for all at its last. It
// reports whether at is before the end of the window.
func (r *partReader) atOnce(at time.Duration) bool {
	if at >= r.part.From && !r.begun {
		r.begun = true
		for id, t := range r.livingAt(r.part.From) {
			r.begin(id, t)
		}
	}
	if r.part.To != 0 && at >= r.part.To && r.err == nil {
		r.err = io.EOF
		for id, t := range r.livingAt(r.part.To) {
			r.leave(id, t)
		}
	}
	return r.err == nil
}

// livingAt returns the threads of the part that have started before an edge and have not ended by
// then.
func (r *partReader) livingAt(edge time.Duration) iter.Seq2[trace.ThreadID, *partThread] {
	return func(yield func(trace.ThreadID, *partThread) bool) {
		for id := range r.threads {
			end := r.source.Symbols.Thread(trace.ThreadID(id)).End
			if t := &r.threads[id]; t.wanted && (end == 0 || end > edge) && !yield(trace.ThreadID(id), t) {
				return
			}
		}
	}
}

func (r *partReader) thread(id trace.ThreadID) *partThread {
	for int(id) >= len(r.threads) {
		r.threads = append(r.threads, partThread{})
	}
	t := &r.threads[id]
	if !t.known {
		th := r.source.Symbols.Thread(id)
		t.known, t.wanted = true, r.part.HasThread(th.Name, int64(th.TID))
	}
	return t
}

// begin enters the frames that are open at the begin of the window.
func (r *partReader) begin(id trace.ThreadID, t *partThread) {
	t.begun = true
	t.open = len(r.stacks.Of(id))
	if t.named && r.part.From > 0 {
		r.result.Symbols.Threads[t.id].Open = t.open
	}
	for _, m := range r.stacks.Of(id) {
		r.emit(t, r.edge(id, m, r.part.From, trace.Enter))
	}
}

// leave exits the frames that are open at the end of the window.
func (r *partReader) leave(id trace.ThreadID, t *partThread) {
	t.ended = true
	for _, m := range slices.Backward(r.stacks.Of(id)) {
		r.emit(t, r.edge(id, m, r.part.To, trace.Exit))
	}
}

// edge is an event at the window's edge.
func (r *partReader) edge(id trace.ThreadID, m trace.MethodID, at time.Duration, a trace.Action) trace.Event {
	t := &r.threads[id]
	e := trace.Event{Thread: id, Method: m, CPU: t.cpu, Action: a}
	if !r.source.Info.Clock.HasWall() {
		e.CPU = at
		return e
	}
	e.Wall = at
	stack := r.stacks.Of(id)
	if r.source.Info.Technique == trace.Truth && r.source.Symbols.Method(stack[len(stack)-1]).Wait == trace.Running {
		e.CPU += at - t.wall // a running thread uses the CPU all the time
	}
	return e
}

// finish enters the frames of threads without an event after the begin of the window, because
// frames open after a thread's last event were open during the window. A window that begins after
// the end of the trace is empty.
func (r *partReader) finish() {
	for id, t := range r.threads {
		if t.named { // a file can state a thread's end after its events
			r.result.Symbols.Thread(t.id).AtStop = r.source.Symbols.Thread(trace.ThreadID(id)).AtStop
		}
	}
	r.err = io.EOF
	r.out = r.out[:0]
	if r.together || r.part.From > max(r.last, r.source.Info.Elapsed) {
		return // the window begins after the end of the trace
	}
	for id := range r.threads {
		if t := &r.threads[id]; t.wanted && !t.begun {
			r.begin(trace.ThreadID(id), t)
		}
	}
}

// emit delivers e, a source event or an edge, with the part's symbols.
func (r *partReader) emit(t *partThread, e trace.Event) {
	if r.isTruth() && !r.listed {
		r.list()
	}
	if !t.named {
		r.name(e.Thread, t)
	}
	e.Thread = t.id
	e.Method = r.method(e.Method)
	r.out = append(r.out, e)
}

func (r *partReader) isTruth() bool { return r.source.Info.Technique == trace.Truth }

// list adds the threads of a truth that live within the window, in the truth's order.
func (r *partReader) list() {
	r.listed = true
	for id := range r.threads {
		t, th := &r.threads[id], r.source.Symbols.Thread(trace.ThreadID(id))
		lives := (r.part.To == 0 || th.Start < r.part.To) && (th.End == 0 || th.End > r.part.From)
		if t.wanted && !t.named && lives {
			r.name(trace.ThreadID(id), t)
		}
	}
}

// name adds a thread to the part's symbols.
func (r *partReader) name(id trace.ThreadID, t *partThread) {
	th := *r.source.Symbols.Thread(id)
	if r.together && r.part.From > 0 {
		th.Open = t.open
	}
	// It cannot fail: the part has at most as many threads as its source.
	t.id, _ = r.result.Symbols.AddThread(th)
	t.named = true
}
