package instrument

import (
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// CallsConfig configures a tracer that code in the app calls at each call: code that a plug-in
// inserted when the app was built, or that a modified runtime runs. The zero value records
// every call, at no cost.
type CallsConfig struct {
	// Sees says which methods report their calls; nil: all. ART's own never do.
	Sees func(*trace.Method) bool

	MainOnly bool // only the first thread's calls are recorded; others cost nothing

	// Enter and Exit are what the code at a method's begin and end takes from its
	// thread. The clock is read first.
	Enter, Exit time.Duration

	Exceptions Exceptions

	// AtExit tells that a call is recorded once, when it ends, with its begin and its
	// length: one that has not ended when tracing stops is not in the record, nor is one
	// of length 0.
	AtExit bool

	// Ring is how many entries the buffer keeps, the last ones; 0: all. An entry is an
	// enter or an exit. An exit whose enter is gone is left out. It needs MainOnly.
	Ring int64

	// Most is how many entries there are at most: those after it are lost. An entry is
	// an enter or an exit, or a call if it is recorded at its exit. 0: any number.
	Most int64

	// Updated is set where the clock is a number that another thread updates: see
	// [updatedClock].
	Updated time.Duration

	CPU bool // the record tells CPU time, where the truth does

	// Observer, when it is set, is told of each event of the record with the time of the
	// truth at which it happened. Then threads are not put into one order of time:
	// each thread's events come in theirs.
	Observer CallObserver

	TempDir string // of events that wait for their place; "": os.TempDir
}

// Exceptions says what becomes of a call that an exception leaves. The one that threw
// always ends: an exit is reported before each athrow. It is about the calls that the
// exception passes through, which are those that are unwound right after another call
// of the thread.
type Exceptions uint8

const (
	// ExceptionsExit reports the exit: a try-finally, or the runtime itself, does.
	ExceptionsExit Exceptions = iota

	// ExceptionsRepaired reports none, and a repair off-line guesses it: see [rhea.Repair]. It
	// needs MainOnly. The clock has whole microseconds, and calls that begin in the same one
	// can be inside out.
	ExceptionsRepaired

	// ExceptionsDrop reports none, and the call is thrown away: it was never written, or
	// no exit is found for it.
	ExceptionsDrop
)

// CallObserver gets what is recorded, each thread's events in order.
type CallObserver interface {
	Told(e *trace.Event, app time.Duration)
}

func (c *CallsConfig) check(truth *trace.Recording) error {
	switch {
	case !truth.Info.Clock.HasWall():
		return errors.New("the truth has thread CPU time only; its threads cannot be put in time order")
	case min(c.Enter, c.Exit, c.Updated) < 0:
		return errors.New("a cost of a call, or a step of the clock, is negative")
	case max(c.Enter, c.Exit, c.Updated) > time.Second:
		return errors.New("a cost of a call, or a step of the clock, of more than a second")
	case c.Ring < 0 || c.Most < 0 || c.Ring > 0 && !c.MainOnly:
		return fmt.Errorf("a ring of %d entries, at most %d: must not be negative, and a ring is one thread's", c.Ring, c.Most)
	case c.Exceptions == ExceptionsRepaired && (!c.MainOnly || c.AtExit || c.Most > 0 || c.Updated > 0 || c.CPU):
		return errors.New("RheaTrace's repair is for begins and ends on the main thread, without CPU time")
	case c.Exceptions > ExceptionsDrop:
		return fmt.Errorf("no rule %d for exceptions", c.Exceptions)
	}
	return nil
}

// RecordCalls returns what a tracer that is told of calls records of truth, whose
// events have to be in time order; it has the truth's symbols. What becomes of a call is
// known when it ends, so all of the truth is read before the first event is delivered.
// Events wait in memory and, if they are many, in a temporary file.
//
// Each thread falls behind the truth by what its own calls take; waits are not shortened,
// and no thread waits for another one that is late.
func RecordCalls(truth *trace.Recording, cfg CallsConfig) (*trace.Recording, error) {
	if err := cfg.check(truth); err != nil {
		return nil, err
	}
	info := truth.Info
	info.Technique, info.Interval, info.Events, info.ClockOverhead = trace.Instrumented, 0, -1, 0
	if cfg.CPU = cfg.CPU && info.Clock.HasCPU(); !cfg.CPU {
		info.Clock = trace.Wall
	}
	t := &CallsReader{
		truth: truth, cfg: cfg, batch: make([]trace.Event, trace.BatchSize),
		sorter: eventlog.NewSorter(cfg.TempDir, eventlog.Memory),
	}
	t.rec = &trace.Recording{Info: info, Symbols: truth.Symbols, Events: t}
	return t.rec, nil
}

// CallsReader delivers what [RecordCalls] records, in time order.
type CallsReader struct {
	truth    *trace.Recording
	cfg      CallsConfig
	rec      *trace.Recording
	batch    []trace.Event
	sorter   *eventlog.Sorter
	threads  []calling
	sees     []bool // by method
	now      time.Duration
	entries  int64
	clock    updatedClock
	markers  markers
	dropped  int64
	recorded int64
	read     bool // all of the truth
	err      error
}

// Taken returns what calls took from each thread. It is complete at io.EOF.
func (t *CallsReader) Taken() (list []time.Duration) {
	for i := range t.threads {
		list = append(list, t.threads[i].taken)
	}
	return list
}

// Dropped returns how many entries found no place in the buffer. It is complete at
// io.EOF.
func (t *CallsReader) Dropped() int64 { return t.dropped }

// Recorded returns how many events have been delivered.
func (t *CallsReader) Recorded() int64 { return t.recorded }

// ReadEvents implements [trace.Reader].
func (t *CallsReader) ReadEvents(p []trace.Event) (n int, err error) {
	for !t.read && t.err == nil {
		t.err = t.advance()
	}
	for n < len(p) && t.err == nil {
		first := t.sorter.Peek()
		if first == nil {
			t.err = t.finish()
			break
		}
		e, at := first.Event, first.At
		t.sorter.Pop()
		if t.cfg.Exceptions != ExceptionsRepaired && !t.threads[e.Thread].keeps(&e) {
			continue
		}
		if p[n] = e; t.cfg.Observer != nil {
			t.cfg.Observer.Told(&p[n], at)
		}
		n++
	}
	if n > 0 {
		t.recorded += int64(n)
		return n, nil
	}
	return 0, t.err
}

// advance takes a batch of the truth in.
func (t *CallsReader) advance() error {
	n, err := t.truth.Events.ReadEvents(t.batch)
	for i := range t.batch[:n] {
		if err := t.take(&t.batch[i]); err != nil {
			return err
		}
	}
	if n > 0 || err == nil {
		return nil
	}
	if err != io.EOF {
		return fmt.Errorf("reading what is to be traced: %w", err)
	}
	t.read = true
	t.end()
	return nil
}

// end stops the trace: as much later than the truth as the thread that has lost most.
func (t *CallsReader) end() {
	t.writeMarkers()
	length := max(t.truth.Info.Elapsed, t.now)
	t.rec.Info.Elapsed = length
	for i := range t.threads {
		th := &t.threads[i]
		th.lost.set(th.enters) // makes room
		for _, f := range th.frames {
			if f.reported && t.cfg.AtExit {
				th.lost.set(f.enter)
			}
		}
		end := t.truth.Symbols.Threads[i].End
		if end == 0 || t.truth.Info.Technique != trace.Truth {
			end = length
		}
		t.rec.Info.Elapsed = max(t.rec.Info.Elapsed, end+th.taken)
		if t.cfg.Ring > 0 {
			t.dropped = max(0, t.entries-t.cfg.Ring)
			th.from = t.dropped
		}
	}
	if t.rec.Info.Overflow = t.dropped > 0; t.rec.Info.Overflow {
		t.rec.Warnings = append(t.rec.Warnings, trace.Warnf(trace.WarnOverflow, "", "%d of %d entries found no place in the buffer", t.dropped, t.entries))
	}
}

// finish ends the reading.
func (t *CallsReader) finish() error {
	for _, err := range []error{t.sorter.Err(), t.sorter.Close()} {
		if err != nil {
			return waiting(err)
		}
	}
	return io.EOF
}
