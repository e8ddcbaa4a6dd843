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

	// End is called at the end of the truth. It returns the duration of the traced run, at least
	// that of the truth.
	End() (elapsed time.Duration, err error)

	// Keeps is called after the end of the truth for each event passed to Put, in the order of
	// each thread. It reports whether the event is recorded, and may set its action.
	Keeps(e *trace.Event) bool

	// Cost returns its overhead, after everything has been read.
	Cost() Cost
}

// Timed is a Tracer with overhead between the events of a thread.
type Timed interface {
	// Runs is called with the next event of the truth, before its thread runs or waits.
	Runs(e *trace.Event) error
}

// Reader passes a truth to a tracer and delivers the events that it keeps: those passed to
// [Reader.Deliver] at once, those passed to [Reader.Put] in time order after the whole truth has
// been read. The latter are kept in memory and, if they are many, in a temporary file.
type Reader struct {
	Record *trace.Recording // the recording of the delivered events

	truth  *trace.Recording
	tracer Tracer
	batch  []trace.Event
	sorter *eventlog.Log
	ready  []Event // of Deliver
	next   int     // of ready
	ends   []Event // delivered last
	byApp  bool    // order by app time
	read   bool    // the whole truth has been read
	loop   *Loop   // nil: the truth is not a live app
	count  int64   // delivered events
	err    error
}

// NewReader returns the reader of a tracer's recording, which has the truth's symbols and the
// given info. Temporary files are created in temp; "" is os.TempDir.
func NewReader(truth *trace.Recording, info trace.Info, t Tracer, temp string) *Reader {
	r := &Reader{truth: truth, tracer: t, batch: make([]trace.Event, trace.BatchSize), sorter: eventlog.NewLog(temp, eventlog.Memory)}
	info.Events = -1
	r.Record = &trace.Recording{Info: info, Symbols: truth.Symbols, Events: r}
	if app, ok := truth.Events.(trace.LiveApp); ok {
		r.loop = Watch(app, t)
	}
	return r
}

// Deliver delivers an event with a mark before all waiting ones. The recording contains it if it
// is Kept or Confirmed.
func (r *Reader) Deliver(e trace.Event, app time.Duration, mark Mark) {
	if r.byApp || mark == Kept || mark == Confirmed {
		r.ready = append(r.ready, Event{e, app, mark})
	}
}

// Put queues an event for its place at the time at of the recording. The events of a thread must
// be put in the order of both times.
func (r *Reader) Put(e trace.Event, at, app time.Duration) {
	if r.byApp {
		at = app
	}
	r.sorter.Push(e, at)
}

// Ends records the times until which a thread's last report counts. The caller calls it after the
// end of the truth, with times of the recording.
func (r *Reader) Ends(id trace.ThreadID, wall, cpu time.Duration) {
	if r.byApp {
		r.ends = append(r.ends, Event{trace.Event{Thread: id, Wall: wall, CPU: cpu}, r.Record.Info.Elapsed, Ended})
	}
}

// Recorded returns the number of delivered events.
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

// ReadRecorded implements [Source]: events come in the order of app time, except those that the
// tracer delivers at once. It must not be called after ReadEvents.
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
	return 0, trace.ReadOnce(&r.err)
}

// following returns the next event, which is valid until the next call. It returns nil if there is
// none, or if some have been gathered and more of the truth must be read.
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

// advance reads a batch of the truth.
func (r *Reader) advance() error {
	n, err := r.truth.Events.ReadEvents(r.batch)
	if r.loop != nil && r.loop.err != nil {
		return r.loop.err
	}
	for i := range r.batch[:n] {
		if r.loop != nil {
			break // the loop has already passed the events to the tracer
		}
		if err := r.tracer.Take(&r.batch[i]); err != nil {
			return err
		}
	}
	if n > 0 || err == nil {
		return nil
	}
	if err != io.EOF {
		return fmt.Errorf("reading the source: %w", err)
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
			return fmt.Errorf("buffered events: %w", err)
		}
	}
	return io.EOF
}

// Overflow records that lost of all entries did not fit into a buffer.
func (r *Reader) Overflow(lost, all int64, entries string) {
	if r.Record.Info.Overflow = lost > 0; lost > 0 {
		r.Warn(trace.WarnOverflow, "%d of %d %s were dropped because the buffer was full", lost, all, entries)
	}
}

// Warn adds a warning to the recording.
func (r *Reader) Warn(code trace.WarningCode, format string, args ...any) {
	r.Record.Warnings = append(r.Record.Warnings, trace.Warnf(code, "", format, args...))
}
