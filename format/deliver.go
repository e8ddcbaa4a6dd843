package format

import (
	"fmt"

	"artifice/trace"
	"artifice/trace/stats"
)

// warnSampledTruth is the code for a trace that is used as ground truth and looks sampled.
const warnSampledTruth trace.WarningCode = "sampled-truth"

// Progress receives the progress of reading.
type Progress interface {
	// Bytes is called with the bytes of the file that have been read, before decompression. total is
	// -1 if it is unknown.
	Bytes(done, total int64)
	// Time is called with the time of the last event delivered, in us, once the file has been read.
	Time(done, total int64)
	// Idle is called when reading ends or pauses; further calls of Bytes or Time may follow.
	Idle()
}

func (cfg *Config) idle() {
	if cfg.Progress != nil {
		cfg.Progress.Idle()
	}
}

// deliver makes the events stoppable, with their time as progress.
func (in *Input) deliver() {
	switch below := in.Events.(type) {
	case *delivery, liveDelivery:
	case trace.LiveApp:
		in.Events = liveDelivery{&delivery{in, below}, below}
	default:
		in.Events = &delivery{in, below}
	}
}

// liveDelivery is one of an app that runs while it is read.
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

// ReadEvents implements [trace.Reader]. When two inputs are read side by side,
// which is when they are read again, only the truth reports its time.
func (d *delivery) ReadEvents(p []trace.Event) (n int, err error) {
	cfg := &d.in.cfg
	if cfg.Stop != nil {
		err = cfg.Stop()
	}
	if err == nil {
		n, err = d.next.ReadEvents(p)
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

// samplingDetector passes on the events of a trace that is used as ground truth, and detects
// that they were sampled: then calls are missing from the truth.
type samplingDetector struct {
	trace.Reader
	name   string
	info   *trace.Info
	groups stats.Groups
	done   bool // enough was seen, or all
}

// detectorEvents is the number of events that are examined.
const detectorEvents = 1 << 18

// ReadEvents implements [trace.Reader].
func (d *samplingDetector) ReadEvents(p []trace.Event) (int, error) {
	n, err := d.Reader.ReadEvents(p)
	if !d.done {
		d.groups.WriteEvents(p[:n])
		d.done = n == 0 || d.groups.Events >= detectorEvents
	}
	return n, err
}

// Offset implements [trace.Locator].
func (d *samplingDetector) Offset(event int64) int64 { return trace.OffsetOf(d.Reader, event) }

// SnapshotsTo implements [trace.SnapshotSource], for readers below that do.
func (d *samplingDetector) SnapshotsTo(w trace.SnapshotWriter) { snapshotsTo(d.Reader, w) }

// Sampled reports whether the input is taken for the truth and was sampled, as stack
// dumps are, as far as its events have been read.
func (in *Input) Sampled() bool {
	if in.detector == nil {
		return false
	}
	technique, _ := in.detector.groups.TechniqueOf(in.detector.info)
	return technique == trace.Sampled
}

// warning returns the warning of a sampled truth. Whether a trace was sampled is a
// judgement, unless the source says so.
func (d *samplingDetector) warning() trace.Warning {
	is, every := "looks", ""
	if d.info.Technique == trace.Sampled {
		is = "is"
	}
	if p, ok := d.groups.Period(); ok {
		every = fmt.Sprintf(" (about every %s)", p.Median)
	}
	return trace.Warnf(warnSampledTruth, "", "%s %s sampled%s: calls that its sampler missed are missing from the result, too; for a truth, record every call (adb shell am profile start PACKAGE FILE)", d.name, is, every)
}
