package stackdump

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/trace"
)

// RecordConfig says what dumps to write of a truth. The zero value writes ANR
// dumps every 50 ms into one file.
type RecordConfig struct {
	Format   Format        // ANR, JVM, Folded or JSONLines; "" = ANR
	Interval time.Duration // between two dumps; 0 = DefaultRecordInterval
	Phase    time.Duration // time of the first dump; 0 = after the first interval, as in ART
	Split    Split
}

// DefaultRecordInterval is the time between two dumps unless another is asked
// for: BlockCanaryX's default.
const DefaultRecordInterval = 50 * time.Millisecond

// Split says how dumps are spread over files.
type Split uint8

const (
	OneFile     Split = iota // all dumps in one file
	FilePerDump              // each dump in a file of its own; folded stacks and JSON lines stay in one
)

// RecordStats says what was written.
type RecordStats struct {
	Format  Format
	Dumps   int64
	Samples int64 // stacks with at least one frame
	Files   int64
}

// encoder writes dumps in one format.
type encoder interface {
	dump(w *bufio.Writer, m *moment)
	end(w *bufio.Writer) // behind the last dump
}

// moment is what a dump shows: the threads that have a frame open.
type moment struct {
	pid     int
	at      time.Duration // since the start of the truth
	symbols *trace.Symbols
	clock   trace.Clock
	threads []running
}

// running is a thread with its stack.
type running struct {
	id    trace.ThreadID
	cpu   time.Duration // at its last event
	stack []trace.MethodID
}

// newEncoder returns the encoder of cfg.Format, and cfg with its defaults.
func newEncoder(cfg RecordConfig) (encoder, RecordConfig, error) {
	if cfg.Format == "" {
		cfg.Format = ANR
	}
	if cfg.Interval == 0 {
		cfg.Interval = DefaultRecordInterval
	}
	if cfg.Interval < 0 || cfg.Phase < 0 {
		return nil, cfg, fmt.Errorf("dumps every %s, the first at %s: want times above 0", cfg.Interval, cfg.Phase)
	}
	if cfg.Phase == 0 {
		cfg.Phase = cfg.Interval
	}
	switch cfg.Format {
	case ANR:
		return anrEncoder{}, cfg, nil
	case JVM:
		if cfg.Interval%jvmResolution != 0 || cfg.Phase%jvmResolution != 0 {
			return nil, cfg, fmt.Errorf("dumps every %s from %s: HotSpot tells times to %s; give multiples of it", cfg.Interval, cfg.Phase, jvmResolution)
		}
		return jvmEncoder{}, cfg, nil
	case Folded:
		return &foldedEncoder{runs: map[trace.ThreadID]*foldedRun{}}, cfg, nil
	case JSONLines:
		return &jsonEncoder{}, cfg, nil
	}
	return nil, cfg, fmt.Errorf("stack dumps of format %q are not written; known are %s, %s, %s and %s", cfg.Format, ANR, JVM, Folded, JSONLines)
}

// Record writes what a program would dump that shows the stacks of truth, whose
// events come in time order, at every interval. A dump at the instant of an
// event shows the state after it. A thread is in a dump while it lives and has a
// frame open; its CPU time is that of its last event. Dates begin with the year
// 2000.
//
// create is called for each file: once, or for every dump where cfg.Split says
// so. Record closes a file that is complete; one at which it failed it leaves
// to the caller.
func Record(truth *trace.Recording, cfg RecordConfig, create func() (io.WriteCloser, error)) (RecordStats, error) {
	enc, cfg, err := newEncoder(cfg)
	if err != nil {
		return RecordStats{}, err
	}
	if !truth.Info.Clock.HasWall() {
		return RecordStats{}, fmt.Errorf("stack dumps of a trace without wall clock: the times of its threads do not compare")
	}
	r := &recorder{truth: truth, cfg: cfg, enc: enc, create: create, next: cfg.Phase, w: bufio.NewWriterSize(nil, 64<<10)}
	r.stats.Format = cfg.Format
	err = r.run()
	return r.stats, err
}

// recorder follows a truth from dump to dump.
type recorder struct {
	truth  *trace.Recording
	cfg    RecordConfig
	enc    encoder
	create func() (io.WriteCloser, error)
	stats  RecordStats

	stacks trace.Stacks
	cpu    []time.Duration // by thread, at its last event
	next   time.Duration   // time of the next dump
	end    time.Duration   // of the last event
	moment moment

	file io.WriteCloser // being written
	w    *bufio.Writer
}

func (r *recorder) run() error {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := r.truth.Events.ReadEvents(batch)
		for _, e := range batch[:n] {
			if err := r.event(e); err != nil {
				return err
			}
		}
		if n > 0 {
			continue
		}
		if err == io.EOF {
			return r.finish()
		}
		return err
	}
}

// event writes the dumps that are due before e and lets e change its stack.
func (r *recorder) event(e trace.Event) error {
	if err := r.dumpsBefore(e.Wall); err != nil {
		return err
	}
	r.end = max(r.end, e.Wall)
	r.stacks.Apply(e)
	for int(e.Thread) >= len(r.cpu) {
		r.cpu = append(r.cpu, 0)
	}
	r.cpu[e.Thread] = e.CPU
	return nil
}

// finish writes the dumps up to the end of the truth.
func (r *recorder) finish() error {
	if err := r.dumpsBefore(max(r.end, r.truth.Info.Elapsed) + 1); err != nil {
		return err
	}
	if r.stats.Dumps == 0 {
		return fmt.Errorf("the truth ends at %s, before the first dump at %s", r.end, r.cfg.Phase)
	}
	if r.file != nil {
		r.enc.end(r.w)
	}
	return r.close()
}

// maxDumps is how many dumps are written at most: an odd time stamp in a trace
// must not fill the disk.
const maxDumps = 10_000_000

func (r *recorder) dumpsBefore(at time.Duration) error {
	if r.stats.Dumps+int64((at-r.next)/r.cfg.Interval) > maxDumps {
		return fmt.Errorf("an event at %s: dumps every %s would be more than %d by then; give a longer interval", at, r.cfg.Interval, maxDumps)
	}
	for ; r.next < at; r.next += r.cfg.Interval {
		if err := r.dump(); err != nil {
			return err
		}
	}
	return nil
}

// dump writes one dump.
func (r *recorder) dump() error {
	if r.file == nil {
		file, err := r.create()
		if err != nil {
			return err
		}
		r.file = file
		r.w.Reset(file)
		r.stats.Files++
	}
	r.look()
	r.enc.dump(r.w, &r.moment)
	r.stats.Dumps++
	if r.cfg.Split == FilePerDump && (r.cfg.Format == ANR || r.cfg.Format == JVM) {
		return r.close()
	}
	return nil
}

// look fills r.moment with what there is to see now.
func (r *recorder) look() {
	m := &r.moment
	*m = moment{pid: max(r.truth.Info.PID, 1), at: r.next, symbols: r.truth.Symbols, clock: r.truth.Info.Clock, threads: m.threads[:0]}
	for i := range r.stacks.Threads() {
		id := trace.ThreadID(i)
		if end := m.symbols.Thread(id).End; end > 0 && end < m.at {
			continue
		}
		if stack := r.visible(r.stacks.Of(id)); len(stack) > 0 {
			m.threads = append(m.threads, running{id, r.cpu[i], stack})
		}
	}
	r.stats.Samples += int64(len(m.threads))
}

// visible returns a stack without the runtime's own methods, which no dump
// shows.
func (r *recorder) visible(stack []trace.MethodID) []trace.MethodID {
	hidden := func(id trace.MethodID) bool { return r.truth.Symbols.Method(id).Flags&trace.RuntimeInternal != 0 }
	if !slices.ContainsFunc(stack, hidden) {
		return stack
	}
	return slices.DeleteFunc(slices.Clone(stack), hidden)
}

// close completes the file that is being written.
func (r *recorder) close() error {
	if r.file == nil {
		return nil
	}
	if err := r.w.Flush(); err != nil {
		return err
	}
	file := r.file
	r.file = nil
	return file.Close()
}
