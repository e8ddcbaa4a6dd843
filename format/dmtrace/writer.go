package dmtrace

import (
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/encode"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// writer writes a method-trace file. If the recording's Source has the same format, the writer
// follows it and reproduces the file byte for byte. Otherwise it lays out the file as ART or Dalvik
// would. Without a Source, the *methods table lists the methods used by events, as in ART's files.
// A recording from a file of another format keeps its whole table.
type writer struct {
	w       io.Writer
	rec     *trace.Recording
	variant *dmformat.Variant
	follow  bool // rec.Source has the same format and contains the layout
	clock   trace.Clock
	layout  dmformat.Layout
	version uint16
	ids     *wireIDs
	v2      *v2Writer // nil for formats other than V2

	complete bool // see Options
	chunk    bool

	depths  []int // open frames by thread
	deepest int   // maximum of depths

	buf []byte // records and items not flushed yet
	// records of a classic file, or entries of a V2 file that has them last; else nil
	spill     *eventlog.DiskBuffer
	n         int64         // number of events written
	announced int           // number of the Source's announcements written
	padded    int           // number of the Source's padding changes so far
	padding   [4]byte       // the current padding
	last      time.Duration // highest time on either clock
	lastWall  time.Duration
	finer     uint64 // bits set if some times were not whole microseconds
	notes
	closed bool
	err    error
}

// Options select the file to write. The zero value is valid.
type Options struct {
	// Format is the variant, by a name that artifice list prints. "" is the variant of the
	// recording's Source; it is art if there is no Source, or if the Source is a
	// long-running-methods profile.
	Format string

	// Clock is the set of clocks to write. The zero value, trace.Dual, selects those of the
	// recording that the format supports.
	Clock trace.Clock

	// Output is the layout of a file in format V2. A recording of the same
	// format keeps its layout.
	Output Output

	// WholeRuns writes each run of a thread's events in format V2 as one block of any length, as
	// ART does. The block's number of records is truncated to 16 bits, and in art-v2-15 also its
	// length. By default a longer run is split, for readers that rely on these numbers. In
	// art-v2-16 and later a block still ends at 1 MiB, far below the 3 MiB of ART's buffer.
	WholeRuns bool

	// Complete adds missing names of threads (thread-1) and, in classic files, missing classes,
	// names and signatures of methods (unknown, ()V), unless the file follows the Source. Without
	// them Perfetto loses names, and Android Studio's perflib, Traceview and androidx.benchmark
	// reject the file. If calls are nested too deeply for Perfetto, a note states it.
	Complete bool

	// Portable writes a classic ART file that all known readers accept and interpret identically;
	// see portableWriter. It is for the variant art only.
	Portable bool

	// Chunk writes a classic file as the content of a chunk MPSE, as ART and Dalvik send it to
	// DDMS. A recording from such a chunk is written as one again.
	Chunk bool

	// CounterHz is the frequency of the timestamp counter of a long-running-methods
	// profile, at most 1 GHz; 0 is 24.576 MHz.
	CounterHz uint64

	// TempDir is the folder of temporary files; "" is os.TempDir. They store data that exceeds
	// memory and must wait for a preceding part of the file, unless it can wait in the output
	// itself ([eventlog.Output]).
	TempDir string
}

// Output is ART's output mode, as far as it determines the layout of a file in format V2.
type Output int

const (
	Streamed    Output = iota // in one pass, while events are delivered
	EntriesLast               // output mode file: threads and methods before all entries; not with art-v2-15, because of a bug in its ART
)

// flushSize is the number of bytes that are gathered before they are written.
const flushSize = 1 << 18

// NewWriter returns a writer of a method-trace file to w. It returns an error if the format is
// unknown or cannot hold the requested clock. Its Notes are complete after Close, which does not
// close w.
func NewWriter(w io.Writer, rec *trace.Recording, o Options) (encode.Writer, error) {
	switch {
	case dmformat.IsLongRun(o.Format):
		return newLongRunWriter(w, rec, o)
	case o.Portable:
		return newPortableWriter(w, rec, o)
	}
	return newWriter(w, rec, o)
}

// newWriter returns a writer of a variant other than a long-running-methods profile.
func newWriter(w io.Writer, rec *trace.Recording, o Options) (*writer, error) {
	format := o.Format
	if format == "" {
		format = dmformat.ART
		if rec.Source != nil && !dmformat.IsLongRun(rec.Source.Format) {
			format = rec.Source.Format
		}
	}
	v, err := dmformat.ByName(format)
	if err != nil {
		return nil, err
	}
	clock, err := chooseClock(rec.Info.Clock, o.Clock, v)
	if err != nil {
		return nil, err
	}
	d := &writer{w: w, rec: rec, variant: v, clock: clock, version: v.VersionFor(clock), complete: o.Complete}
	d.follow = rec.Source != nil && rec.Source.Format == v.Name && clock == rec.Info.Clock && !rec.Source.Reordered
	d.chunk = o.Chunk || d.follow && rec.Source.Chunk
	if d.chunk && (v.V2 != 0 || v.Streaming) {
		return nil, fmt.Errorf("a DDMS chunk contains a classic file, not %s; choose the format art", v.Name)
	}
	if v.V2 != 0 && d.follow {
		// otherwise the recording comes from no file, and the writer chooses the layout of packets
		d.follow = len(rec.Source.Header) > 0
	}
	if err := d.chooseLayout(); err != nil {
		return nil, err
	}
	d.ids = newWireIDs(rec.Symbols, rules(v, d.follow), &d.notes)
	if rec.Info.Clock == trace.Dual && clock != trace.Dual {
		lost := trace.ThreadCPU
		if clock == trace.ThreadCPU {
			lost = trace.Wall
		}
		d.notef("%s times are not written", lost)
	}
	if v.V2 != 0 {
		if d.v2, err = newV2Writer(d, o.Output, o.WholeRuns); err != nil {
			return nil, err
		}
	}
	if d.onePass() || d.v2 != nil {
		d.buf = append(d.buf, d.header()...)
	}
	if !d.onePass() {
		d.spill = eventlog.NewDiskBuffer(o.TempDir)
		if d.v2 == nil {
			d.spill.InPlace(w, d.expectedHead)
		}
	}
	return d, nil
}

// onePass reports whether the file is written while events are delivered.
func (d *writer) onePass() bool {
	return d.variant.Streaming || d.v2 != nil && (d.follow || d.v2.output == Streamed)
}

// chooseClock returns the clocks to write for a recording with the clocks have.
func chooseClock(have, want trace.Clock, v *dmformat.Variant) (trace.Clock, error) {
	if want == trace.Dual {
		want = have
	} else if have != trace.Dual && have != want {
		return 0, fmt.Errorf("the trace does not have clock %s, only %s", want, have)
	}
	return v.Clock(want), nil
}

func (d *writer) chooseLayout() error {
	if d.variant.V2 != 0 {
		return nil
	}
	d.layout = dmformat.LayoutFor(d.version, d.clock)
	if d.version == 3 {
		// Records of version 3 have room for two times. With one clock the rest is 0, which every
		// reader skips.
		d.layout.Size = dmformat.LayoutFor(3, trace.Dual).Size
	}
	if !d.follow || d.rec.Source.RecordSize == 0 {
		return nil
	}
	d.layout.Size = d.rec.Source.RecordSize
	if d.layout.Size < d.layout.FieldBytes() {
		return fmt.Errorf("the source's records have %d bytes; %s with clock=%s needs %d",
			d.layout.Size, d.variant.Name, d.clock, d.layout.FieldBytes())
	}
	return nil
}

// header returns the bytes before the first record or item.
func (d *writer) header() []byte {
	if d.follow && len(d.rec.Source.Header) > 0 {
		return d.rec.Source.Header
	}
	if d.v2 != nil {
		return d.v2.header.Append(nil)
	}
	h := dmformat.Header{Version: d.version, Streaming: d.variant.Streaming,
		Start: uint64(d.rec.Info.Start / time.Microsecond)}
	if d.version >= 3 || d.variant.Streaming {
		h.RecordSize = d.layout.Size
		if d.follow && d.rec.Source.StatedSize > 0 {
			h.RecordSize = d.rec.Source.StatedSize
		}
	}
	return h.Append(nil)
}

// notes are sentences about properties of the recording that the file cannot represent, or that are
// written differently.
type notes struct {
	texts []string
	noted map[string]bool // by format string
}

// notef adds a note unless there is one with this format string.
func (n *notes) notef(format string, args ...any) {
	if n.noted[format] {
		return
	}
	if n.noted == nil {
		n.noted = map[string]bool{}
	}
	n.noted[format] = true
	n.texts = append(n.texts, fmt.Sprintf(format, args...))
}

// Notes returns the notes. They are complete after Close.
func (n *notes) Notes() []string { return n.texts }

// WriteEvents implements [trace.Writer].
func (d *writer) WriteEvents(p []trace.Event) error {
	d.ids.grow()
	if d.complete {
		d.measureDepth(p)
	}
	if d.v2 != nil && d.err == nil {
		d.err = d.v2.write(p)
		return d.err
	}
	for len(p) > 0 && d.err == nil {
		n := min(len(p), flushSize/d.layout.Size+1)
		if d.follow && d.variant.Streaming {
			if n = d.announceSource(n); d.err != nil {
				break
			}
		}
		if d.err = d.encode(p[:n]); d.err == nil && len(d.buf) >= flushSize {
			d.err = d.flush()
		}
		p = p[n:]
	}
	return d.err
}

// measureDepth updates deepest. It ignores events that cannot be written.
func (d *writer) measureDepth(p []trace.Event) {
	if n := len(d.rec.Symbols.Threads); len(d.depths) < n {
		d.depths = append(d.depths, make([]int, n-len(d.depths))...)
	}
	for i := range p {
		if id := int(p[i].Thread); id < len(d.depths) {
			d.depths[id] = trace.DepthAfter(&p[i], d.depths[id])
			d.deepest = max(d.deepest, d.depths[id])
		}
	}
}

// Notes adds a note about the parts that readers of the file ignore.
func (d *writer) Notes() []string { return append(d.notes.Notes(), encode.PerfettoNotes(d.deepest)...) }

// flush writes the gathered records.
func (d *writer) flush() error {
	var err error
	if d.spill != nil && d.v2 == nil {
		_, err = d.spill.Write(d.buf)
	} else {
		_, err = d.w.Write(d.buf)
	}
	d.buf = d.buf[:0]
	return err
}

// Close completes the file. It does not close the underlying writer. After an error of
// WriteEvents it returns that error; the file is then useless.
func (d *writer) Close() error {
	if d.closed {
		return d.err
	}
	d.closed = true
	if d.spill != nil {
		defer d.spill.Close()
	}
	if d.err == nil {
		d.err = d.finish()
	}
	return d.err
}

func (d *writer) finish() error {
	d.ids.grow()
	if d.v2 != nil {
		return d.v2.finish()
	}
	if err := d.flush(); err != nil {
		return err
	}
	d.noteTimes()
	if d.variant.Streaming {
		return d.finishStream()
	}
	key, err := d.keySection()
	if err != nil {
		return err
	}
	head := append(key, d.header()...)
	if d.chunk {
		outer, ok := dmformat.AppendChunkHead(nil, int64(len(head))+d.n*int64(d.layout.Size))
		if !ok {
			return errors.New("the trace has more than 4 GiB, the limit of a DDMS chunk; write the trace without --ddms")
		}
		head = append(outer, head...)
	}
	return d.spill.CopyBehind(head, d.w)
}

// expectedHead returns the number of bytes before the records of a classic file, if it lists the
// symbols known so far. If there are more bytes in the end, the records have to be moved, which
// only costs time.
func (d *writer) expectedHead() int64 {
	now := *d
	now.n = max(d.n, d.rec.Info.Events)
	now.ids = d.ids.clone()
	now.notes = notes{}
	key, _ := now.keySection() // a symbol that cannot be written is an error at the end
	n := int64(len(key) + len(d.header()))
	if d.chunk {
		n += dmformat.ChunkHead
	}
	return n
}

// noteTimes adds a note about times that 32 bits of microseconds cannot represent.
func (d *writer) noteTimes() {
	if d.finer != 0 {
		d.notef("times are truncated to microseconds")
	}
	if d.last>>32 >= 1000 {
		d.notef("the trace is longer than 2^32 us (71.6 minutes): times wrap, and readers must unwrap them")
	}
}
