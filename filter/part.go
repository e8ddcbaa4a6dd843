package filter

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"artifice/trace"
)

// Part is a part of a recording: some of its threads, a window of its time, or
// both. The zero value is all of it.
//
// A window keeps the time axis of the whole: an event at 2.5 s is at 2.5 s in
// the part, too. A frame that is open when the window begins is entered at its
// beginning, and one that is known to be open beyond its end is left at its end,
// so that the time of the window adds up. Both are edges of the part and not
// calls that began or ended there. The CPU time of such an edge is that of the
// thread's last event before it, and its call site is unknown.
type Part struct {
	Threads []string      // names or tids; empty keeps every thread
	From    time.Duration // where the window begins, since the start of the trace
	To      time.Duration // where it ends; 0: at the end of the trace
}

// Check refuses a window that is empty or outside of every trace.
func (p Part) Check() error {
	if p.From < 0 || p.To < 0 {
		return fmt.Errorf("the window from %s to %s begins or ends before the trace does", p.From, p.To)
	}
	if p.To != 0 && p.To <= p.From {
		return fmt.Errorf("the window from %s to %s is empty", p.From, p.To)
	}
	return nil
}

// HasThread reports whether a thread of this name and id is in the part; id -1 is
// one that nobody knows.
func (p Part) HasThread(name string, tid int64) bool {
	return len(p.Threads) == 0 || slices.Contains(p.Threads, name) ||
		tid >= 0 && slices.Contains(p.Threads, strconv.FormatInt(tid, 10))
}

// HasTime reports whether a time since the start is in the window.
func (p Part) HasTime(at time.Duration) bool { return at >= p.From && (p.To == 0 || at < p.To) }

// Apply returns the part of rec. The result has symbols of its own, with only
// the threads and methods that it uses, in order of first use; it has no thread
// when nothing is left. The window is one of wall time where rec has it, else
// one of every thread's own CPU time.
//
// Apply fails when the window is empty.
func (p Part) Apply(rec *trace.Recording) (*trace.Recording, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	r := &partReader{source: rec, part: p, batch: make([]trace.Event, trace.BatchSize)}
	r.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: r}
	r.follow()
	return r.result, nil
}

// partReader reads the events of a part.
type partReader struct {
	source *trace.Recording
	result *trace.Recording
	part   Part

	batch   []trace.Event
	out     []trace.Event // ready to be read
	stacks  trace.Stacks
	threads []partThread
	methods []trace.MethodID // new index + 1 by old index
	last    time.Duration    // time of the latest event
	ended   bool
}

// partThread is the state of one thread of the source.
type partThread struct {
	known  bool
	wanted bool
	id     trace.ThreadID // in the part; valid once named
	named  bool
	begun  bool // the frames open at From were entered
	ended  bool // the frames open at To were left
	cpu    time.Duration
}

// ReadEvents implements [trace.Reader].
func (r *partReader) ReadEvents(p []trace.Event) (int, error) {
	for len(r.out) == 0 {
		if r.ended {
			return 0, io.EOF
		}
		n, err := r.source.Events.ReadEvents(r.batch)
		r.follow()
		if n == 0 {
			if err != io.EOF {
				return 0, err
			}
			r.finish()
			continue
		}
		r.out = r.out[:0]
		for _, e := range r.batch[:n] {
			r.take(e)
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// follow copies what a streaming source may have learned since the last batch.
func (r *partReader) follow() {
	r.result.Info, r.result.Warnings = r.source.Info, r.source.Warnings
	r.result.Info.Events = -1
}

// take handles one event of the source.
func (r *partReader) take(e trace.Event) {
	t := r.thread(e.Thread)
	at := e.Time(r.source.Info.Clock)
	r.last = max(r.last, at)
	if !t.wanted {
		return
	}
	if at >= r.part.From && !t.begun {
		r.begin(e.Thread, t)
	}
	if r.part.To != 0 && at >= r.part.To && !t.ended {
		r.leave(e.Thread, t)
	}
	r.stacks.Apply(e)
	t.cpu = e.CPU
	if t.begun && !t.ended {
		r.emit(t, e)
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

// begin enters the frames that are open where the window begins.
func (r *partReader) begin(id trace.ThreadID, t *partThread) {
	t.begun = true
	for _, m := range r.stacks.Of(id) {
		r.emit(t, r.edge(id, m, r.part.From, t.cpu, trace.Enter))
	}
}

// leave exits the frames that go on beyond the window.
func (r *partReader) leave(id trace.ThreadID, t *partThread) {
	t.ended = true
	for _, m := range slices.Backward(r.stacks.Of(id)) {
		r.emit(t, r.edge(id, m, r.part.To, t.cpu, trace.Exit))
	}
}

// edge is an event at the window's edge.
func (r *partReader) edge(id trace.ThreadID, m trace.MethodID, at, cpu time.Duration, a trace.Action) trace.Event {
	e := trace.Event{Thread: id, Method: m, CPU: cpu, Action: a}
	if r.source.Info.Clock.HasWall() {
		e.Wall = at
	} else {
		e.CPU = at
	}
	return e
}

// finish enters the frames of threads whose last event came before the window:
// what they had open, they had open during it. A window that begins after the end of
// the trace has nothing.
func (r *partReader) finish() {
	r.ended = true
	r.out = r.out[:0]
	if r.part.From > max(r.last, r.source.Info.Elapsed) {
		return
	}
	for id := range r.threads {
		if t := &r.threads[id]; t.wanted && !t.begun {
			r.begin(trace.ThreadID(id), t)
		}
	}
}

// emit hands on e, a source event or an edge, with the part's own symbols.
func (r *partReader) emit(t *partThread, e trace.Event) {
	if !t.named {
		// It cannot fail: the part has no more threads than its source.
		t.id, _ = r.result.Symbols.AddThread(*r.source.Symbols.Thread(e.Thread))
		t.named = true
	}
	e.Thread = t.id
	for int(e.Method) >= len(r.methods) {
		r.methods = append(r.methods, 0)
	}
	if r.methods[e.Method] == 0 {
		r.methods[e.Method] = r.result.Symbols.AddMethod(*r.source.Symbols.Method(e.Method)) + 1
	}
	e.Method = r.methods[e.Method] - 1
	r.out = append(r.out, e)
}
