package format

import (
	"io"

	"artifice/trace"
)

// Progress receives the progress of reading.
type Progress interface {
	// Bytes is called with the bytes of the file that have been read, before decompression. total
	// is -1 if it is unknown.
	Bytes(done, total int64)
	// Time is called with the time of the last event delivered, in µs, after the whole file has
	// been read.
	Time(done, total int64)
	// Idle is called when reading ends or pauses; further calls of Bytes or Time may follow.
	Idle()
}

func (cfg *Config) idle() {
	if cfg.Progress != nil {
		cfg.Progress.Idle()
	}
}

// deliver returns a reader of the events that can be stopped and reports their times as progress.
func (in *Input) deliver() {
	switch below := in.Events.(type) {
	case *delivery, liveDelivery:
	case trace.LiveApp:
		in.Events = liveDelivery{&delivery{in, below}, below}
	default:
		in.Events = &delivery{in, below}
	}
}

// liveDelivery is the delivery of an app that runs while it is read.
type liveDelivery struct {
	*delivery
	app trace.LiveApp
}

// Watch implements [trace.LiveApp].
func (d liveDelivery) Watch(w trace.Watcher) { d.app.Watch(w) }

// delivery is the Reader of an input's events.
type delivery struct {
	in   *Input
	next trace.Reader
}

// ReadEvents implements [trace.Reader]. If two inputs are read side by side, which is the case when
// they are read again, only the ground truth reports its time.
func (d *delivery) ReadEvents(p []trace.Event) (n int, err error) {
	cfg := &d.in.cfg
	if cfg.Stop != nil {
		err = cfg.Stop()
	}
	if err == nil {
		n, err = d.next.ReadEvents(p)
	}
	if err == io.EOF {
		if d.in.ended {
			err = trace.ErrReadTwice
		}
		d.in.ended = true
	}
	if d.in.nesting != nil && d.in.readings < 2 {
		d.in.nesting.Add(p[:n])
	}
	switch {
	case n == 0:
		cfg.idle()
	case cfg.Progress != nil && !d.in.fromFile() && (d.in.readings < 2 || cfg.Order == AsTruth):
		cfg.Progress.Time(p[n-1].Wall.Microseconds(), d.in.length().Microseconds())
	}
	return n, err
}

// Offset implements [trace.Locator].
func (d *delivery) Offset(event int64) int64 { return trace.OffsetOf(d.next, event) }

// SnapshotsTo implements [trace.SnapshotSource], for readers below that do.
func (d *delivery) SnapshotsTo(w trace.SnapshotWriter) { snapshotsTo(d.next, w) }

// SchedTo implements [trace.SchedSource], for readers below that do.
func (d *delivery) SchedTo(w trace.SchedWriter) {
	if s, ok := d.next.(trace.SchedSource); ok {
		s.SchedTo(w)
	}
}

func snapshotsTo(r trace.Reader, w trace.SnapshotWriter) {
	if s, ok := r.(trace.SnapshotSource); ok {
		s.SnapshotsTo(w)
	}
}
