package stackdump

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"artifice/trace"
)

// WriterConfig configures a writer of dumps.
type WriterConfig struct {
	Format *Format       // one that is written
	Phase  time.Duration // time of the first dump; 0 = after the first interval, as in ART
	Split  Split
}

// Split states which dumps share a file.
type Split uint8

const (
	OneFile     Split = iota // all dumps in one file
	FilePerDump              // each dump in a file of its own, unless the format is one of a single file ([Format.OneFile])
)

// WriterStats counts what was written.
type WriterStats struct {
	Dumps   int64
	Samples int64 // stacks with at least one frame
	Files   int64
}

// Encoder writes dumps in one format.
type Encoder interface {
	Dump(w *bufio.Writer, m *Moment)
	End(w *bufio.Writer) // after the last dump
}

// Moment is what a dump shows: the threads that have a frame open.
type Moment struct {
	PID     int
	At      time.Duration // since the start
	Symbols *trace.Symbols
	Clock   trace.Clock
	Threads []Running
}

// Running is a thread with its stack.
type Running struct {
	ID    trace.ThreadID
	CPU   time.Duration
	Stack []trace.MethodID
}

// Writer writes the samples of a sampler as the dumps of a program that prints its threads' stacks
// at every interval. It takes the snapshots of a recording with a sampler that takes dumps
// (sampler.Config.Dumps) and ignores its events. A thread is in a dump if it has a frame open.
// Dates begin with the year 2000.
type Writer struct {
	rec    *trace.Recording
	cfg    WriterConfig
	enc    Encoder
	create func() (io.WriteCloser, error)
	stats  WriterStats

	moment Moment           // the next dump
	frames []trace.MethodID // its stacks

	file io.WriteCloser // being written
	w    *bufio.Writer
}

// NewWriter returns a writer for rec, with the interval of its Info. create is called for each
// file: once, or for every dump with cfg.Split. The writer closes a complete file; it leaves a file
// with an error to the caller.
func NewWriter(rec *trace.Recording, cfg WriterConfig, create func() (io.WriteCloser, error)) (*Writer, error) {
	interval := rec.Info.Interval
	if cfg.Phase == 0 {
		cfg.Phase = interval
	}
	if interval <= 0 || cfg.Phase < 0 {
		return nil, fmt.Errorf("dumps every %s, the first at %s: both must be above 0", interval, cfg.Phase)
	}
	if cfg.Format == nil || !cfg.Format.Written() {
		return nil, fmt.Errorf("cannot write stack dumps in format %q", cfg.Format)
	}
	enc, err := cfg.Format.Codec.(Printer).Encoder(interval, cfg.Phase)
	if err != nil {
		return nil, err
	}
	w := &Writer{rec: rec, cfg: cfg, enc: enc, create: create, w: bufio.NewWriterSize(nil, 64<<10)}
	w.moment = Moment{PID: max(rec.Info.PID, 1), At: cfg.Phase, Symbols: rec.Symbols, Clock: rec.Info.Clock}
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
		w.moment.Threads = append(w.moment.Threads, Running{s.Thread, s.CPU, w.frames[from:]})
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
		w.enc.End(w.w)
	}
	return w.closeFile()
}

// Stats returns what was written so far.
func (w *Writer) Stats() WriterStats { return w.stats }

func (w *Writer) dumpsBefore(at time.Duration) error {
	for w.moment.At < at {
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
	w.enc.Dump(w.w, m)
	w.stats.Dumps++
	w.stats.Samples += int64(len(m.Threads))
	m.At, m.Threads, w.frames = m.At+w.rec.Info.Interval, m.Threads[:0], w.frames[:0]
	if w.cfg.Split == FilePerDump && !w.cfg.Format.OneFile {
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
