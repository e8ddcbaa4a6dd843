package threadsampler

import (
	"fmt"
	"io"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// Record returns what sampling the threads of truth records. The truth's events have
// to be in time order; the recording has its symbols. All of the truth is read before
// the first event is delivered: a thread's samples are known when it has its next
// event. They wait in memory and, if they are many, in a temporary file.
func Record(truth *trace.Recording, cfg Config) (*trace.Recording, error) {
	r := &Reader{truth: truth, batch: make([]trace.Event, trace.BatchSize), sorter: eventlog.NewSorter(cfg.TempDir, eventlog.Memory)}
	var err error
	if r.tracer, err = New(truth, cfg, r); err != nil {
		return nil, err
	}
	info := truth.Info
	info.Technique, info.Interval, info.Events, info.ClockOverhead = trace.Sampled, cfg.Interval, -1, 0
	if !info.Clock.HasCPU() || !cfg.HasCPU() {
		info.Clock = trace.Wall
	}
	r.rec = &trace.Recording{Info: info, Symbols: truth.Symbols, Events: r}
	return r.rec, nil
}

// Reader delivers what [Record] records, in time order.
type Reader struct {
	truth  *trace.Recording
	tracer *Tracer
	rec    *trace.Recording
	batch  []trace.Event
	sorter *eventlog.Sorter
	ring   []*Sample   // the last ones, up to twice as many as are kept
	ends   []threadEnd // of the threads that were sampled
	snaps  *snapshots  // nil: nobody asked
	read   bool        // all of the truth
	err    error
}

// threadEnd is when the last sample of a thread has counted.
type threadEnd struct {
	id        trace.ThreadID
	wall, cpu time.Duration
}

// SnapshotsTo implements [trace.SnapshotSource].
func (r *Reader) SnapshotsTo(w trace.SnapshotWriter) {
	r.snaps = &snapshots{to: w}
	if timer := r.tracer.cfg.Timer; timer == ThreadTimer || timer == CoreTimer {
		r.snaps.interval = r.tracer.cfg.Interval
	}
}

// Stats returns the statistics of the sampling. It is complete at io.EOF.
func (r *Reader) Stats() *Stats { return r.tracer.Stats() }

// ReadEvents implements [trace.Reader].
func (r *Reader) ReadEvents(p []trace.Event) (n int, err error) {
	for !r.read && r.err == nil {
		r.err = r.advance()
	}
	for ; r.err == nil && n < len(p); n++ {
		first := r.sorter.Peek()
		if first == nil {
			r.err = r.finish()
			break
		}
		p[n] = first.Event
		r.sorter.Pop()
	}
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

// advance takes a batch of the truth in.
func (r *Reader) advance() error {
	n, err := r.truth.Events.ReadEvents(r.batch)
	for i := range r.batch[:n] {
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
	r.rec.Info.Elapsed, err = r.tracer.End()
	r.empty()
	if err == nil && r.snaps != nil {
		for _, e := range r.ends {
			r.snaps.end(e.id, e.wall, e.cpu)
		}
		err = r.snaps.err
	}
	stats := r.tracer.Stats()
	if r.rec.Info.Overflow = stats.Lost > 0; r.rec.Info.Overflow {
		r.rec.Warnings = append(r.rec.Warnings, trace.Warnf(trace.WarnOverflow, "", "%d of %d samples found no room in the buffer", stats.Lost, stats.All()))
	}
	if stats.TooDeep > 0 {
		r.rec.Warnings = append(r.rec.Warnings, trace.Warnf(trace.WarnTooDeep, "", "%d of %d samples are lost, as the stack had more than %d frames", stats.TooDeep, stats.All(), r.tracer.cfg.Deepest))
	}
	return err
}

// finish ends the reading.
func (r *Reader) finish() error {
	r.rec.Info.Events = int64(r.sorter.Added())
	for _, err := range []error{r.sorter.Err(), r.sorter.Close()} {
		if err != nil {
			return fmt.Errorf("events that wait for their turn: %w", err)
		}
	}
	return io.EOF
}

// Sampled implements [Observer].
func (r *Reader) Sampled(s *Sample) {
	if kept := r.tracer.cfg.Kept(); kept > 0 {
		r.ring = append(r.ring, s.Clone())
		if len(r.ring) == 2*kept {
			r.ring = append([]*Sample(nil), r.ring[kept:]...)
		}
		return
	}
	r.put(s)
}

// put puts a sample into the record.
func (r *Reader) put(s *Sample) {
	for _, e := range s.Events {
		r.sorter.Push(e, e.Wall)
	}
	if r.snaps != nil && len(s.Stack) > 0 {
		r.snaps.add(s)
	}
}

// empty records what is left in the ring.
func (r *Reader) empty() {
	r.ring = r.ring[max(0, len(r.ring)-r.tracer.cfg.Kept()):]
	for i, s := range r.ring {
		if i == 0 {
			s.First()
		}
		r.put(s)
	}
}

// Ended implements [Observer].
func (r *Reader) Ended(id trace.ThreadID, wall, cpu time.Duration) {
	r.ends = append(r.ends, threadEnd{id, wall, cpu})
}
