package thread

import (
	"time"

	"artifice/internal/recorder"
	"artifice/internal/words"
	"artifice/trace"
)

// Codes of warnings specific to this package.
const (
	warnTooDeep trace.WarningCode = "too-deep" // samples of deeper stacks than the tracer takes are lost
	warnCutWalk trace.WarningCode = "cut-walk" // walks of stacks failed before their end
)

// Record returns the recording of a profiler that samples the threads of truth. The truth's events
// must be in time order; the recording has its symbols. All of the truth is read before the first
// event is delivered, because a thread's samples are determined only at the thread's next event.
// Events wait in memory and, if there are many, in a temporary file.
func Record(truth *trace.Recording, cfg Config) (*trace.Recording, error) {
	r := &Reader{}
	var err error
	if r.tracer, err = New(truth, cfg, r); err != nil {
		return nil, err
	}
	r.tracer.reasons = true
	r.ring = recorder.NewRing[*Sample](cfg.Kept())
	info := truth.Info
	info.Technique, info.Interval, info.ClockOverhead = trace.Sampled, cfg.Interval, 0
	info.OfCPU = cfg.OnlyRunning() && info.Clock.HasCPU() && cfg.HasCPU()
	if !info.Clock.HasCPU() || !cfg.HasCPU() {
		info.Clock = trace.Wall
	}
	r.Reader = recorder.NewReader(truth, info, r, cfg.TempDir)
	r.Record.Events = r
	return r.Record, nil
}

// Reader delivers the events of [Record] in time order. It is a [recorder.Tracer].
type Reader struct {
	*recorder.Reader
	tracer *Tracer
	ring   recorder.Ring[*Sample] // if only the last samples are kept
	ends   []threadEnd            // of the threads that were sampled
	snaps  *snapshots             // nil: not requested
}

// threadEnd is the end of the time that a thread's last sample represents.
type threadEnd struct {
	id        trace.ThreadID
	wall, cpu time.Duration
}

// SnapshotsTo implements [trace.SnapshotSource].
func (r *Reader) SnapshotsTo(w trace.SnapshotWriter) {
	r.snaps = &snapshots{to: w}
	if r.tracer.cfg.OnlyRunning() {
		r.snaps.interval = r.tracer.cfg.Interval
	}
}

// Stats returns the statistics of the sampling. It is complete at io.EOF.
func (r *Reader) Stats() *Stats { return r.tracer.Stats() }

// Taken returns the total time that samples have taken from a thread up to the last event passed to
// Take.
func (r *Reader) Taken(id trace.ThreadID) time.Duration {
	if int(id) >= len(r.tracer.threads) {
		return 0
	}
	return r.tracer.threads[id].Taken
}

// AppLength returns the length of the truth. It is complete at io.EOF.
func (r *Reader) AppLength() time.Duration { return r.tracer.order.Length() }

// Take implements [recorder.Tracer].
func (r *Reader) Take(e *trace.Event) error { return r.tracer.Take(e) }

// Runs implements [recorder.Timed].
func (r *Reader) Runs(e *trace.Event) error { return r.tracer.Runs(e) }

// Delay implements [recorder.Tracer].
func (r *Reader) Delay(id trace.ThreadID) *recorder.Delay { return r.tracer.Delay(id) }

// Keeps implements [recorder.Tracer]: every event of a sample is recorded.
func (r *Reader) Keeps(*trace.Event) bool { return true }

// Cost implements [recorder.Tracer].
func (r *Reader) Cost() recorder.Cost {
	s := r.Stats()
	c := recorder.Cost{Late: s.Late, Dropped: s.Unrecorded(), Kept: s.Samples, Longest: s.Longest}
	if r.tracer.cfg.HasCPU() { // otherwise threads are stopped and use no CPU time
		c.Taken = s.Taken
	}
	return c
}

// End implements [recorder.Tracer].
func (r *Reader) End() (elapsed time.Duration, err error) {
	elapsed, err = r.tracer.End()
	if r.tracer.cfg.Kept() > 0 {
		for i, s := range r.ring.Kept() {
			if i == 0 {
				s.First()
			}
			r.put(s)
		}
	}
	for _, e := range r.ends {
		r.Ends(e.id, e.wall, e.cpu)
	}
	if err == nil && r.snaps != nil {
		for _, e := range r.ends {
			r.snaps.end(e.id, e.wall, e.cpu)
		}
		err = r.snaps.err
	}
	stats := r.Stats()
	r.Overflow(stats.Lost, stats.All(), "samples")
	if stats.TooDeep > 0 {
		r.Warn(warnTooDeep, "%d of %d samples are lost, because the stack had more than %d frames", stats.TooDeep, stats.All(), r.tracer.cfg.Deepest)
	}
	for i, f := range r.tracer.cfg.Failures {
		switch n := stats.Failed[i]; {
		case n == 0:
		case f.blank():
			r.Warn(warnCutWalk, "%d of %d samples are lost (%s)", n, stats.All(), f.Cause)
		case f.Frames == 0:
			r.Warn(warnCutWalk, "%d of %d samples have no stack (%s)", n, stats.All(), f.Cause)
		default:
			r.Warn(warnCutWalk, "the stacks of %d of %d samples were not walked to the end (%s): these stacks show the innermost %s", n, stats.All(), f.Cause, words.Count(int64(f.Frames), "frame"))
		}
	}
	return elapsed, err
}

// Sampled implements [Observer].
func (r *Reader) Sampled(s *Sample) {
	if r.tracer.cfg.Kept() > 0 {
		r.ring.Add(s.Clone())
		return
	}
	r.put(s)
}

// put puts a sample into the record.
func (r *Reader) put(s *Sample) {
	for _, e := range s.Events {
		app := s.App
		if e.Action != trace.Enter {
			app = s.ExitApp
		}
		r.Put(e, e.Wall, app)
	}
	if r.snaps != nil && len(s.Stack) > 0 {
		r.snaps.add(s)
	}
}

// Ended implements [Observer].
func (r *Reader) Ended(id trace.ThreadID, wall, cpu time.Duration) {
	r.ends = append(r.ends, threadEnd{id, wall, cpu})
}
