package recorder

import (
	"fmt"
	"io"
	"time"

	"artifice/internal/eventlog"

	"artifice/trace"
)

// Tracer is an event-driven tracer.
type Tracer interface {
	// Listener receives each event of the truth, in its order.
	Listener

	// End is called at the end of the truth. It returns when the traced run ends, not before the
	// truth.
	End() (elapsed time.Duration, err error)

	// Keeps is called after the end of the truth for each event that was given to Put, those of a
	// thread in their order. It reports whether the event is recorded, and may set its action.
	Keeps(e *trace.Event) bool

	// Cost returns its overhead, after everything has been read.
	Cost() Cost
}

// Timed is a Tracer with overhead between the events of a thread.
type Timed interface {
	// Runs is called with the next event of the truth, before which its thread runs or waits.
	Runs(e *trace.Event) error
}

// Reader passes a truth to a tracer and delivers the events that it keeps: those given to
// [Reader.Deliver] at once, those given to [Reader.Put] in time order after the whole truth has been
// read. These are kept in memory and, if they are many, in a temporary file.
type Reader struct {
	Record *trace.Recording // whose events it delivers

	truth  *trace.Recording
	tracer Tracer
	batch  []trace.Event
	sorter *eventlog.Log
	ready  []Event // of Deliver
	next   int     // of ready
	ends   []Event // what comes last
	byApp  bool    // places are the app's times
	read   bool    // all of the truth
	loop   *Loop   // nil: the truth does not run while it is read
	count  int64   // delivered
	err    error
}

// NewReader returns the reader of a tracer's record, which has the truth's symbols and the given
// info. Temporary files are put into the folder temp; "": os.TempDir.
func NewReader(truth *trace.Recording, info trace.Info, t Tracer, temp string) *Reader {
	r := &Reader{truth: truth, tracer: t, batch: make([]trace.Event, trace.BatchSize), sorter: eventlog.NewLog(temp, eventlog.Memory)}
	info.Events = -1
	r.Record = &trace.Recording{Info: info, Symbols: truth.Symbols, Events: r}
	if app, ok := truth.Events.(trace.LiveApp); ok {
		r.loop = Watch(app, t)
	}
	return r
}

// Deliver delivers an event, before all that wait, that has that mark. A record has it when
// it is kept or settled.
func (r *Reader) Deliver(e trace.Event, app time.Duration, mark Mark) {
	if r.byApp || mark == Kept || mark == Confirmed {
		r.ready = append(r.ready, Event{e, app, mark})
	}
}

// Put lets an event wait for its place, which is at the record's time at. Those of a
// thread have to come in the order of both times.
func (r *Reader) Put(e trace.Event, at, app time.Duration) {
	if r.byApp {
		at = app
	}
	r.sorter.Push(e, at)
}

// Ends says, once the truth has ended, that what a thread reported last counts until a
// time of the record.
func (r *Reader) Ends(id trace.ThreadID, wall, cpu time.Duration) {
	if r.byApp {
		r.ends = append(r.ends, Event{trace.Event{Thread: id, Wall: wall, CPU: cpu}, r.Record.Info.Elapsed, Ended})
	}
}

// Recorded returns how many events have been delivered.
func (r *Reader) Recorded() int64 { return r.count }

// Cost implements [CostReporter].
func (r *Reader) Cost() Cost { return r.tracer.Cost() }

// ReadEvents implements [trace.Reader].
func (r *Reader) ReadEvents(p []trace.Event) (n int, err error) {
	for ; n < len(p); n++ {
		e := r.following(n)
		if e == nil {
			break
		}
		p[n] = e.Event
	}
	return r.delivered(n, len(p))
}

// ReadRecorded implements [Source]: events come in the order of the app's time, unless the
// tracer delivers them at once. It is not to be called after ReadEvents.
func (r *Reader) ReadRecorded(p []Event) (n int, err error) {
	r.byApp = true
	for ; n < len(p); n++ {
		e := r.following(n)
		if e == nil {
			break
		}
		p[n] = *e
	}
	return r.delivered(n, len(p))
}

func (r *Reader) delivered(n, of int) (int, error) {
	if n > 0 || of == 0 {
		return n, nil
	}
	return 0, r.err
}

// following returns the next event, which is valid until it is called again; nil when
// there is none, or when some have been gathered and more of the truth is to be read.
func (r *Reader) following(gathered int) *Event {
	for {
		if r.next < len(r.ready) {
			r.next++
			if e := &r.ready[r.next-1]; e.Mark != Kept && e.Mark != Confirmed {
				return e
			}
			r.count++
			return &r.ready[r.next-1]
		}
		r.ready, r.next = r.ready[:0], 0
		switch {
		case r.err != nil || gathered > 0 && !r.read:
			return nil
		case !r.read:
			r.err = r.advance()
			continue
		}
		first := r.sorter.Peek()
		if first == nil && len(r.ends) > 0 {
			r.ready, r.ends = r.ends, nil
			continue
		}
		if first == nil {
			r.err = r.finish()
			return nil
		}
		e := Event{first.Event, first.At, Kept}
		r.sorter.Pop()
		if r.tracer.Keeps(&e.Event) {
			r.Deliver(e.Event, e.App, Kept)
		}
	}
}

// advance takes a batch of the truth in.
func (r *Reader) advance() error {
	n, err := r.truth.Events.ReadEvents(r.batch)
	if r.loop != nil && r.loop.err != nil {
		return r.loop.err
	}
	for i := range r.batch[:n] {
		if r.loop != nil {
			break // it has been told of them
		}
		if err := r.tracer.Take(&r.batch[i]); err != nil {
			return err
		}
	}
	if n > 0 || err == nil {
		return nil
	}
	if err != io.EOF {
		return fmt.Errorf("reading what is to be traced: %w", err)
	}
	r.read = true
	r.Record.Info.Elapsed, err = r.tracer.End()
	return err
}

// finish ends the reading.
func (r *Reader) finish() error {
	r.Record.Info.Events = r.count
	for _, err := range []error{r.sorter.Err(), r.sorter.Close()} {
		if err != nil {
			return fmt.Errorf("events that wait for their turn: %w", err)
		}
	}
	return io.EOF
}

// Overflow says in the record that so many entries, of all, found no room in a buffer.
func (r *Reader) Overflow(lost, all int64, entries string) {
	if r.Record.Info.Overflow = lost > 0; lost > 0 {
		r.Warn(trace.WarnOverflow, "%d of %d %s found no room in the buffer", lost, all, entries)
	}
}

// Warn adds a warning to the record.
func (r *Reader) Warn(code trace.WarningCode, format string, args ...any) {
	r.Record.Warnings = append(r.Record.Warnings, trace.Warnf(code, "", format, args...))
}
