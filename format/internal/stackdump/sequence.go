package stackdump

import (
	"cmp"
	"errors"
	"io"

	"artifice/internal/decode"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// warnDumpEmpty is the warning that none of the selected threads is present.
const warnDumpEmpty trace.WarningCode = "dump-empty"

// Sequence is a sequence of dumps, read as the trace that ART's sampler would have made of them.
// Events are delivered dump by dump. With a slice end other than ART's, the exits of a dump are
// earlier than its time, so only the events of each thread are in time order.
type Sequence struct {
	trace.Recording
	files   *files
	source  source // the dumps of the files, or the last of them
	line    timeline
	tracker *tracker
	taken   int // number of delivered events of tracker.out
	warn    *Warnings
	counts  Counts
	first   *Dump             // the first dump, which has been read already
	ordered *eventlog.Ordered // nil before InTimeOrder
	err     error
}

// Counts contains the sizes of a sequence. It is complete at io.EOF.
type Counts struct {
	Format       *Format
	Dumps        int64
	Processes    int
	Threads      int64 // summed over the dumps
	Frames       int64 // of all stacks; only frames of kind Managed
	NativeFrames int64
	KernelFrames int64
}

// source delivers dumps: all dumps of files, or the last of them.
type source interface {
	next() (*Dump, error)
}

// Open opens the dumps in files or folders. The files of a folder are ordered by the times of their
// dumps, or by name if they have no times.
func Open(names []string, cfg Config) (*Sequence, error) {
	cfg, err := cfg.check()
	if err != nil {
		return nil, err
	}
	warn := &Warnings{}
	all, err := list(names, cfg, warn)
	if err != nil {
		return nil, err
	}
	frames := NewFrames()
	f := &files{left: all, cfg: cfg.reader(frames), warn: warn, progress: decode.Progress{Report: cfg.Progress}}
	for _, file := range all {
		f.progress.Total += file.size
	}
	return begin(f, frames, cfg, warn)
}

// New returns the dumps in r; name is used in messages.
func New(r io.Reader, name string, cfg Config) (*Sequence, error) {
	cfg, err := cfg.check()
	if err != nil {
		return nil, err
	}
	warn := &Warnings{}
	frames := NewFrames()
	f := &files{warn: warn, progress: decode.Progress{Report: cfg.Progress, Total: -1}, before: cfg.Read}
	if f.reader, err = newReader(f.progress.Watch(r), name, cfg.reader(frames), warn); err != nil {
		return nil, err
	}
	f.cfg.Format = f.reader.format
	return begin(f, frames, cfg, warn)
}

// begin reads the first dump, which determines the clocks.
func begin(f *files, frames *Frames, cfg Config, warn *Warnings) (*Sequence, error) {
	s := &Sequence{files: f, source: f, warn: warn, line: timeline{interval: cfg.Interval}}
	s.Symbols = &trace.Symbols{}
	s.tracker = newTracker(cfg, frames, s.Symbols, warn)
	s.tracker.size = f.read
	if cfg.Last > 0 {
		s.source = &tail{source: f, window: cfg.Last, line: timeline{interval: cfg.Interval}}
	}
	first, err := s.source.next()
	if err != nil {
		f.close()
		return nil, err
	}
	s.first = first
	s.DisplayFrames = trace.MovedFrames(first.DisplayFrames, first.Stamp.Uptime)
	s.counts.Format = f.cfg.Format
	sums := s.counts.Format.Sums || first.Quantity.IsSet()
	s.tracker.running = first.OfCPU && !sums
	s.tracker.dual, s.tracker.sums = hasCPU(first) || s.tracker.running, sums
	if s.tracker.include = cfg.Include; cfg.Include == AutoFrames && !s.counts.Format.Few {
		s.tracker.include = ManagedFrames
		if s.tracker.running || first.Quantity.IsSet() {
			s.tracker.include = AllFrames
		}
	}
	s.tracker.kept = s.tracker.include // the stacks of the first dump are counted before it is observed
	s.Info = trace.Info{Clock: trace.Wall, PID: first.PID, Technique: trace.Sampled, Events: -1}
	if s.tracker.dual {
		s.Info.Clock = trace.Dual
	}
	s.Info.Interval, s.Info.OfCPU = first.Interval, first.OfCPU
	s.Info.Quantity, s.Info.Unclocked = first.Quantity, first.Unclocked
	s.tracker.signed, s.line.signed = s.Info.Quantity.Signed, s.Info.Quantity.Signed
	if !first.Stamp.HasUptime && first.Stamp.Date.IsZero() && !s.tracker.running || sums {
		s.Info.Interval = cmp.Or(first.Interval, cfg.Interval)
	}
	// the dumps lack the times of samples
	if sums && first.Interval > 0 || s.tracker.running && first.Interval == 0 {
		s.Info.Technique = trace.UnknownTechnique
	}
	if s.Info.Quantity.IsSet() {
		s.Info.Technique, s.Info.Interval = trace.UnknownTechnique, 0
	}
	s.Events = s
	return s, nil
}

// hasCPU reports whether a dump contains CPU times.
func hasCPU(d *Dump) bool {
	for i := range d.Threads {
		if d.Threads[i].HasCPU {
			return true
		}
	}
	return false
}

// SnapshotsTo makes s write the stacks of the dumps to w, each with the number of consecutive dumps
// that contain it. It must be called before the first event is read. If the file contains a
// quantity, w gets no stacks, because the numbers of a quantity are not samples.
func (s *Sequence) SnapshotsTo(w trace.SnapshotWriter) {
	if !s.Info.Quantity.IsSet() {
		s.tracker.snapshots = w
	}
}

// Counts returns the counts of the dumps read so far.
func (s *Sequence) Counts() Counts {
	c := s.counts
	c.Processes = len(s.tracker.processes)
	return c
}

// Close closes the file being read, and removes the temporary data of InTimeOrder.
func (s *Sequence) Close() error {
	err := s.files.close()
	if s.ordered != nil {
		err = errors.Join(err, s.ordered.Close())
	}
	return err
}

// ReadEvents implements [trace.Reader].
func (s *Sequence) ReadEvents(p []trace.Event) (int, error) {
	if len(p) == 0 {
		return 0, s.err
	}
	t := s.tracker
	for len(t.out) == s.taken {
		t.out, s.taken = t.out[:0], 0
		if s.err != nil {
			return 0, s.err
		}
		if s.err = s.step(); s.err != nil {
			s.warn.flush()
			s.Warnings = append(s.Warnings, s.warn.list...)
		}
	}
	n := copy(p, t.out[s.taken:])
	s.taken += n
	return n, nil
}

// step compares the next dump. At the end it completes the properties of the trace and returns
// io.EOF.
func (s *Sequence) step() error {
	d := s.first
	s.first = nil
	if d == nil {
		var err error
		if d, err = s.source.next(); err == io.EOF {
			return s.finish()
		} else if err != nil {
			return err
		}
	}
	s.count(d)
	if watch := s.tracker.cfg.Watch; watch != nil && s.counts.Format.Few {
		d.Expand()
		watch(d, s.tracker.methods.frames)
	}
	at, odd := s.line.place(d)
	if odd.what != "" {
		s.warn.Add(trace.WarnDumpTime, d.File, d.Line, odd.what, odd.detail)
	}
	if !s.line.signed && !s.tracker.cfg.Part.HasTime(at) {
		return nil
	}
	if tick := s.tracker.cfg.Tick; tick != nil && !d.Partial {
		tick(at, d.Stopped)
	}
	return s.tracker.observe(d, at)
}

// InTimeOrder makes s deliver the events of all threads in time order, by replacing s.Events.
// Without it, the events are in this order unless threads were sampled individually or slices do
// not end as in ART. InTimeOrder reads all dumps. It must be called before the first event is read
// and after SnapshotsTo.
func (s *Sequence) InTimeOrder() error {
	ordered, err := eventlog.Order(s, "")
	if err != nil {
		return err
	}
	if ordered.End != io.EOF {
		return errors.Join(ordered.End, ordered.Close())
	}
	for _, th := range s.tracker.order {
		s.Symbols.Thread(th.id).End = th.last.wall
	}
	s.ordered, s.Events = ordered, ordered
	return nil
}

// Rewind makes s deliver the events again from the first one on. InTimeOrder must have been called.
func (s *Sequence) Rewind() error {
	if s.ordered == nil {
		return errors.New("Rewind called on stack dumps that are not in time order")
	}
	s.Events = s.ordered
	return s.ordered.Rewind()
}

func (s *Sequence) finish() error {
	if err := s.tracker.finish(); err != nil {
		return err
	}
	s.Info.Elapsed = max(s.tracker.end, s.line.latest)
	if want := s.tracker.cfg.Part.Threads; len(want) > 0 && len(s.tracker.order) == 0 {
		s.warn.list = append(s.warn.list, trace.Warnf(warnDumpEmpty, "", "none of the threads %q is in the %d dumps, so the trace is empty", want, s.counts.Dumps))
	}
	return io.EOF
}

// count adds d to the counts.
func (s *Sequence) count(d *Dump) {
	c := &s.counts
	c.Dumps++
	c.Threads += int64(len(d.Threads))
	for i := range d.Threads {
		n := s.tracker.kindsOf(&d.Threads[i])
		c.Frames += n[Managed]
		c.NativeFrames += n[NativeCode]
		c.KernelFrames += n[Kernel]
		s.Info.Waits = s.Info.Waits || s.Info.OfCPU && d.Threads[i].Waits
	}
}
