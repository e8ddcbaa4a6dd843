package sampler

import (
	"io"
	"math"

	"artifice/art"
	"artifice/trace"
)

// Record records truth with a runtime's sampling mode. The truth must meet
// the requirements of [Run], time order among them. The recording can be read once; its info,
// tables and warnings are complete when all events have been read. Its Events are a [Reader]. A
// live app ([trace.LiveApp]) is suspended at the ticks; the statistics then lack its delay relative
// to an unobserved run.
//
// A thread of a recorded truth without an end ([trace.Thread].End), such as one with open frames
// after its last event, is sampled to the end of the trace.
//
// The truth is read as the recording is read. Memory is bounded by a window of the truth and by the
// runtime's own buffers.
func Record(truth *trace.Recording, cfg Config) (*trace.Recording, error) {
	if cfg.CountObjects {
		cfg.objects = art.CountObjects(truth)
	}
	s, err := New(truth, cfg, nil)
	if err != nil {
		return nil, err
	}
	r := &Reader{sampler: s}
	app, live := truth.Events.(trace.LiveApp)
	if live = live && !cfg.Dumps; live { // dumps take no time
		s.cfg.OneClock = true // the app's clock contains the delays
	}
	if r.pass, err = newPass(truth, []*Sampler{s}); err != nil {
		return nil, err
	}
	if live {
		r.pass.watch(app)
	}
	rec := &s.rec
	if cfg.KeepSymbols {
		r.events = &fifo{}
	} else {
		if s.file, err = art.NewSampledFile(&s.rec, s.cfg.file()); err != nil {
			return nil, err
		}
		s.room = math.MaxInt64 // the file drops events beyond its buffers
		r.events, rec = s.file, s.file.Recording()
	}
	s.SetOutput(r.events)
	rec.Events = r
	return rec, nil
}

// Reader delivers the events of [Record] in the order of the runtime's file.
type Reader struct {
	sampler *Sampler
	pass    *pass
	events  store
	err     error
}

// store keeps the sampler's events until they are read.
type store interface {
	trace.Writer
	Take(p []trace.Event) int
	Stop() error // there are no more events
}

// ReadEvents implements [trace.Reader].
func (r *Reader) ReadEvents(p []trace.Event) (int, error) {
	for {
		if n := r.events.Take(p); n > 0 || len(p) == 0 {
			return n, nil
		}
		if r.err != nil {
			return 0, trace.ReadOnce(&r.err)
		}
		if r.err = r.pass.step(); r.err == io.EOF {
			if err := r.events.Stop(); err != nil {
				r.err = err
			}
		}
	}
}

// SnapshotsTo implements [trace.SnapshotSource]. Snapshots use the truth's symbols, so a recording
// with other symbols has none.
func (r *Reader) SnapshotsTo(w trace.SnapshotWriter) {
	if r.sampler.file == nil {
		r.sampler.snaps = w
	}
}

// Stats returns the statistics of the sampling. It is complete at io.EOF.
func (r *Reader) Stats() *Stats { return &r.sampler.stats }

// fifo is a store that keeps events unchanged.
type fifo struct {
	events []trace.Event
	taken  int
}

// WriteEvents implements [trace.Writer].
func (f *fifo) WriteEvents(p []trace.Event) error {
	f.events = append(f.events, p...)
	return nil
}

func (f *fifo) Take(p []trace.Event) int {
	n := copy(p, f.events[f.taken:])
	if f.taken += n; f.taken == len(f.events) {
		f.events, f.taken = f.events[:0], 0
	}
	return n
}

func (f *fifo) Stop() error { return nil }
