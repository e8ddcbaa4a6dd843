package stackdump

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"artifice/trace"
)

// WriterConfig says how dumps are written. The zero value writes ANR dumps into
// one file.
type WriterConfig struct {
	Format Format        // ANR, JVM, Folded or JSONLines; "" = ANR
	Phase  time.Duration // time of the first dump; 0 = after the first interval, as in ART
	Split  Split
}

// Split says how dumps are spread over files.
type Split uint8

const (
	OneFile     Split = iota // all dumps in one file
	FilePerDump              // each dump in a file of its own; folded stacks and JSON lines stay in one
)

// WriterStats says what was written.
type WriterStats struct {
	Format  Format
	Dumps   int64
	Samples int64 // stacks with at least one frame
	Files   int64
}

// encoder writes dumps in one format.
type encoder interface {
	dump(w *bufio.Writer, m *moment)
	end(w *bufio.Writer) // after the last dump
}

// moment is what a dump shows: the threads that have a frame open.
type moment struct {
	pid     int
	at      time.Duration // since the start
	symbols *trace.Symbols
	clock   trace.Clock
	threads []running
}

// running is a thread with its stack.
type running struct {
	id    trace.ThreadID
	cpu   time.Duration
	stack []trace.MethodID
}

// newEncoder returns the encoder of a format, for dumps at these times.
func newEncoder(format Format, interval, phase time.Duration) (encoder, error) {
	switch format {
	case ANR:
		return anrEncoder{}, nil
	case JVM:
		if interval%jvmResolution != 0 || phase%jvmResolution != 0 {
			return nil, fmt.Errorf("dumps every %s from %s: HotSpot prints times in steps of %s; use multiples of that", interval, phase, jvmResolution)
		}
		return jvmEncoder{}, nil
	case Folded:
		return &foldedEncoder{runs: map[trace.ThreadID]*foldedRun{}}, nil
	case JSONLines:
		return &jsonEncoder{}, nil
	}
	return nil, fmt.Errorf("cannot write stack dumps in format %q; use %s, %s, %s or %s", format, ANR, JVM, Folded, JSONLines)
}

// Writer writes what a sampler saw as the dumps of a program that shows its
// threads' stacks at every interval. It takes the snapshots of a recording whose
// sampler takes dumps (sampler.Config.Dumps) and has no use for its events. A
// thread is in a dump when it has a frame open. Dates begin with the year 2000.
type Writer struct {
	rec    *trace.Recording
	cfg    WriterConfig
	enc    encoder
	create func() (io.WriteCloser, error)
	stats  WriterStats

	moment moment           // the next dump
	frames []trace.MethodID // its stacks

	file io.WriteCloser // being written
	w    *bufio.Writer
}

// NewWriter returns a writer for rec, whose Info tells the interval. create is
// called for each file: once, or for every dump where cfg.Split says so. The
// writer closes a file that is complete; one at which it failed it leaves to the
// caller.
func NewWriter(rec *trace.Recording, cfg WriterConfig, create func() (io.WriteCloser, error)) (*Writer, error) {
	if cfg.Format == "" {
		cfg.Format = ANR
	}
	interval := rec.Info.Interval
	if cfg.Phase == 0 {
		cfg.Phase = interval
	}
	if interval <= 0 || cfg.Phase < 0 {
		return nil, fmt.Errorf("dumps every %s, the first at %s: both must be above 0", interval, cfg.Phase)
	}
	enc, err := newEncoder(cfg.Format, interval, cfg.Phase)
	if err != nil {
		return nil, err
	}
	w := &Writer{rec: rec, cfg: cfg, enc: enc, create: create, w: bufio.NewWriterSize(nil, 64<<10)}
	w.stats.Format = cfg.Format
	w.moment = moment{pid: max(rec.Info.PID, 1), at: cfg.Phase, symbols: rec.Symbols, clock: rec.Info.Clock}
	return w, nil
}

// WriteEvents implements [trace.Writer]. Dumps show no events.
func (w *Writer) WriteEvents([]trace.Event) error { return nil }

// WriteSnapshot implements [trace.SnapshotWriter].
func (w *Writer) WriteSnapshot(s *trace.Snapshot) error {
	if err := w.dumpsBefore(s.Wall); err != nil {
		return err
	}
	if len(s.Stack) > 0 {
		from := len(w.frames)
		w.frames = append(w.frames, s.Stack...)
		w.moment.threads = append(w.moment.threads, running{s.Thread, s.CPU, w.frames[from:]})
	}
	return nil
}

// Close writes the dumps that are left when all events of the recording have been
// read.
func (w *Writer) Close() error {
	// A sampler stops at the time of the sample that would have come next.
	if err := w.dumpsBefore(w.rec.Info.Elapsed); err != nil {
		return err
	}
	if w.stats.Dumps == 0 {
		return fmt.Errorf("the truth ends before the first dump at %s", w.cfg.Phase)
	}
	if w.file != nil {
		w.enc.end(w.w)
	}
	return w.closeFile()
}

// Stats returns what was written so far.
func (w *Writer) Stats() WriterStats { return w.stats }

func (w *Writer) dumpsBefore(at time.Duration) error {
	for w.moment.at < at {
		if err := w.dump(); err != nil {
			return err
		}
	}
	return nil
}

// dump writes one dump and begins the next.
func (w *Writer) dump() error {
	if w.file == nil {
		file, err := w.create()
		if err != nil {
			return err
		}
		w.file = file
		w.w.Reset(file)
		w.stats.Files++
	}
	m := &w.moment
	w.enc.dump(w.w, m)
	w.stats.Dumps++
	w.stats.Samples += int64(len(m.threads))
	m.at, m.threads, w.frames = m.at+w.rec.Info.Interval, m.threads[:0], w.frames[:0]
	if w.cfg.Split == FilePerDump && (w.cfg.Format == ANR || w.cfg.Format == JVM) {
		return w.closeFile()
	}
	return nil
}

// closeFile completes the file that is being written.
func (w *Writer) closeFile() error {
	if w.file == nil {
		return nil
	}
	if err := w.w.Flush(); err != nil {
		return err
	}
	file := w.file
	w.file = nil
	return file.Close()
}
