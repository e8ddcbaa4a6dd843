package stackdump

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
)

// WriterConfig configures a writer of dumps.
type WriterConfig struct {
	Format *Format       // a format that can be written
	Phase  time.Duration // time of the first dump; 0: after the first interval, as in ART
	Split  Split

	// Limits bound the number of frames, because dumps contain whole stacks
	// ([encode.SampleCount.Stack]). 0 selects the default.
	Limits trace.Limits
}

// Split determines which dumps are in the same file.
type Split uint8

const (
	OneFile Split = iota // all dumps are in one file
	// each dump is in a separate file, unless the format requires one file ([Format.OneFile])
	FilePerDump
)

// WriterStats are statistics of the written dumps.
type WriterStats struct {
	Dumps   int64
	Samples int64 // stacks with at least one frame
	Files   int64
}

// Encoder writes dumps in one format.
type Encoder interface {
	Dump(w *bufio.Writer, m *Moment)
	End(w *bufio.Writer) // writes the end of the file after the last dump
}

// Moment is the content of a dump: the threads with an open frame.
type Moment struct {
	PID     int
	At      time.Duration // time since the start
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

	moment Moment           // the content of the next dump
	frames []trace.MethodID // stacks of moment
	count  encode.SampleCount

	file io.WriteCloser // the file being written
	w    *bufio.Writer
}

// NewWriter returns a writer for rec, with the interval of its Info. It calls create for each file:
// once, or for every dump, depending on cfg.Split. The writer closes complete files. If writing
// fails, the caller must close the file.
func NewWriter(rec *trace.Recording, cfg WriterConfig, create func() (io.WriteCloser, error)) (*Writer, error) {
	interval := rec.Info.Interval
	if cfg.Phase == 0 {
		cfg.Phase = interval
	}
	if interval <= 0 || cfg.Phase < 0 {
		return nil, fmt.Errorf("dumps every %s, the first at %s: both times must be above 0", interval, cfg.Phase)
	}
	if cfg.Format == nil || !cfg.Format.Written() {
		return nil, fmt.Errorf("cannot write stack dumps in format %q", cfg.Format)
	}
	enc, err := cfg.Format.Codec.(Printer).Encoder(interval, cfg.Phase)
	if err != nil {
		return nil, err
	}
	w := &Writer{rec: rec, cfg: cfg, count: encode.NewSampleCount(cfg.Limits), enc: enc, create: create, w: bufio.NewWriterSize(nil, 64<<10)}
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
		if err := w.count.Stack(len(s.Stack)); err != nil {
			return fmt.Errorf("the dump at %s: %w", w.moment.At, err)
		}
		from := len(w.frames)
		w.frames = append(w.frames, s.Stack...)
		w.moment.Threads = append(w.moment.Threads, Running{s.Thread, s.CPU, w.frames[from:]})
	}
	return nil
}

// Close writes the remaining dumps. All events of the recording must have been read.
func (w *Writer) Close() error {
	// A sampler stops at the time at which the next sample would have been taken.
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

// Stats returns the statistics of the dumps written so far.
func (w *Writer) Stats() WriterStats { return w.stats }

func (w *Writer) dumpsBefore(at time.Duration) error {
	for w.moment.At < at {
		if err := w.dump(); err != nil {
			return err
		}
	}
	return nil
}

// dump writes a dump and begins the next one.
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

// closeFile completes the current file.
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
