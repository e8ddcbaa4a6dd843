// Package excerpt takes a part out of a recording: some of its threads, a
// window of its time, or both. It is a filter from one trace.Recording to
// another and knows no file; artifice convert uses it for --thread, --from and
// --to.
//
// A window keeps the time axis of the whole: an event at 2.5 s stays at 2.5 s.
// A frame that was open when the window begins is entered at its beginning, and
// one that is known to stay open beyond its end is left at its end, so that the
// time of the window adds up. Both are edges of the excerpt and not calls that
// began or ended there. The CPU time of such an edge is that of the thread's
// last event before it, and its call site is unknown.
package excerpt

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"artifice/trace"
)

// Config says which part to take. The zero value takes everything.
type Config struct {
	Threads []string      // names or tids; empty keeps every thread
	From    time.Duration // where the window begins, since the start of the trace
	To      time.Duration // where it ends; 0: at the end of the trace
}

// New returns the part of rec that cfg asks for. The result has symbols of its
// own, with only the threads and methods that it uses, in order of first use.
// It fails when the window is empty. That nothing is left is no error: then it has
// no thread. The window is one of wall time where rec has it, else one of every
// thread's own CPU time.
func New(rec *trace.Recording, cfg Config) (*Excerpt, error) {
	if cfg.From < 0 || cfg.To < 0 {
		return nil, fmt.Errorf("the window from %s to %s begins or ends before the trace does", cfg.From, cfg.To)
	}
	if cfg.To != 0 && cfg.To <= cfg.From {
		return nil, fmt.Errorf("the window from %s to %s is empty", cfg.From, cfg.To)
	}
	x := &Excerpt{source: rec, cfg: cfg, batch: make([]trace.Event, trace.BatchSize)}
	x.Info, x.Symbols, x.Events = rec.Info, &trace.Symbols{}, x
	x.Info.Events = -1
	return x, nil
}

// Excerpt is a part of a recording.
type Excerpt struct {
	trace.Recording

	source  *trace.Recording
	cfg     Config
	batch   []trace.Event
	out     []trace.Event // ready to be read
	stacks  trace.Stacks
	threads []thread
	methods []trace.MethodID // new index + 1 by old index
	ended   bool
}

// thread is the state of one thread of the source.
type thread struct {
	known  bool
	wanted bool
	id     trace.ThreadID // in the excerpt; valid once named
	named  bool
	begun  bool // the frames open at From were entered
	ended  bool // the frames open at To were left
	cpu    time.Duration
}

// ReadEvents implements [trace.Reader]. Info and Warnings of the excerpt follow
// the source as it is read.
func (x *Excerpt) ReadEvents(p []trace.Event) (int, error) {
	for len(x.out) == 0 {
		if x.ended {
			return 0, io.EOF
		}
		n, err := x.source.Events.ReadEvents(x.batch)
		x.follow()
		if n == 0 {
			if err != io.EOF {
				return 0, err
			}
			x.finish()
			continue
		}
		x.out = x.out[:0]
		for _, e := range x.batch[:n] {
			x.take(e)
		}
	}
	n := copy(p, x.out)
	x.out = x.out[n:]
	return n, nil
}

// follow copies what a streaming source may have learned since the last batch.
func (x *Excerpt) follow() {
	x.Info = x.source.Info
	x.Info.Events = -1
	x.Warnings = x.source.Warnings
}

// take handles one event of the source.
func (x *Excerpt) take(e trace.Event) {
	t := x.thread(e.Thread)
	if !t.wanted {
		return
	}
	at := e.Time(x.source.Info.Clock)
	if at >= x.cfg.From && !t.begun {
		x.begin(e.Thread, t)
	}
	if x.cfg.To != 0 && at >= x.cfg.To && !t.ended {
		x.leave(e.Thread, t)
	}
	x.stacks.Apply(e)
	t.cpu = e.CPU
	if t.begun && !t.ended {
		x.emit(t, e)
	}
}

func (x *Excerpt) thread(id trace.ThreadID) *thread {
	for int(id) >= len(x.threads) {
		x.threads = append(x.threads, thread{})
	}
	t := &x.threads[id]
	if !t.known {
		t.known, t.wanted = true, x.wants(x.source.Symbols.Thread(id))
	}
	return t
}

func (x *Excerpt) wants(t *trace.Thread) bool {
	return len(x.cfg.Threads) == 0 || slices.Contains(x.cfg.Threads, t.Name) ||
		slices.Contains(x.cfg.Threads, strconv.FormatUint(uint64(t.TID), 10))
}

// begin enters the frames that are open where the window begins.
func (x *Excerpt) begin(id trace.ThreadID, t *thread) {
	t.begun = true
	for _, m := range x.stacks.Of(id) {
		x.emit(t, x.edge(id, m, x.cfg.From, t.cpu, trace.Enter))
	}
}

// leave exits the frames that go on beyond the window.
func (x *Excerpt) leave(id trace.ThreadID, t *thread) {
	t.ended = true
	for _, m := range slices.Backward(x.stacks.Of(id)) {
		x.emit(t, x.edge(id, m, x.cfg.To, t.cpu, trace.Exit))
	}
}

// edge is an event at the window's edge.
func (x *Excerpt) edge(id trace.ThreadID, m trace.MethodID, at, cpu time.Duration, a trace.Action) trace.Event {
	e := trace.Event{Thread: id, Method: m, CPU: cpu, Action: a}
	if x.source.Info.Clock.HasWall() {
		e.Wall = at
	} else {
		e.CPU = at
	}
	return e
}

// finish enters the frames of threads whose last event came before the window:
// what they had open, they had open during it.
func (x *Excerpt) finish() {
	x.ended = true
	x.out = x.out[:0]
	for id := range x.threads {
		if t := &x.threads[id]; t.wanted && !t.begun {
			x.begin(trace.ThreadID(id), t)
		}
	}
}

// emit hands on e, a source event or an edge, with the excerpt's own symbols.
func (x *Excerpt) emit(t *thread, e trace.Event) {
	if !t.named {
		// It cannot fail: the excerpt has no more threads than its source.
		t.id, _ = x.Symbols.AddThread(*x.source.Symbols.Thread(e.Thread))
		t.named = true
	}
	e.Thread = t.id
	for int(e.Method) >= len(x.methods) {
		x.methods = append(x.methods, 0)
	}
	if x.methods[e.Method] == 0 {
		x.methods[e.Method] = x.Symbols.AddMethod(*x.source.Symbols.Method(e.Method)) + 1
	}
	e.Method = x.methods[e.Method] - 1
	x.out = append(x.out, e)
}
