package dmtrace

import (
	"errors"
	"fmt"
	"io"

	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// LongRunConfig says how to write a long-running-methods profile. The zero value
// is valid.
type LongRunConfig struct {
	Format    string // of internal/dmformat's LongRuns; "" is the recording's own, else art-longrun-16
	CounterHz uint64 // frequency of the timestamp counter, at most 1 GHz; 0 is 24.576 MHz
	TempDir   string // for blocks that do not fit into memory; "" is os.TempDir
}

// LongRun writes the long-running-methods profile of ART, which has the events in
// blocks of threads, each thread's last block first, and then the threads, of the
// generation that names them, and methods. Of a recording that package instrument or the reader of such
// a file made the blocks are kept; of others each run of a thread is one.
//
// The profile has wall times only, and of an exit no method.
type LongRun struct {
	w     io.Writer
	rec   *trace.Recording
	gen   *dmformat.LongRun
	hz    uint64
	ids   *wireIDs
	spill *eventlog.Spool
	parts []longRunBlock
	start []int // by thread: frames of the start still to come

	open   bool
	thread trace.ThreadID
	n      int // records of the open block
	body   []byte
	time   uint64 // last values
	method uint64

	notes []string
	err   error
	done  bool
}

// longRunBlock is a block in the spill.
type longRunBlock struct {
	tid       uint32
	off, size int64
}

// NewLongRun returns a writer of a long-running-methods profile to w.
func NewLongRun(w io.Writer, rec *trace.Recording, cfg LongRunConfig) (*LongRun, error) {
	if !rec.Info.Clock.HasWall() {
		return nil, errors.New("a long-running-methods profile needs wall times, but the trace has only thread CPU time")
	}
	if cfg.CounterHz == 0 {
		cfg.CounterHz = dmformat.DefaultCounterHz
	}
	if cfg.CounterHz > 1e9 {
		return nil, fmt.Errorf("counter of %d Hz: only up to 1 GHz can be written exactly", cfg.CounterHz)
	}
	gen, err := cfg.generation(rec)
	if err != nil {
		return nil, err
	}
	l := &LongRun{w: w, rec: rec, gen: gen, hz: cfg.CounterHz, spill: eventlog.NewSpool(cfg.TempDir)}
	variant, err := dmformat.ByName(dmformat.ARTV2of17) // which has the same ids
	if err != nil {
		return nil, err
	}
	l.ids = newWireIDs(rec.Symbols, rules(variant, l.fromFile()), func(format string, args ...any) {
		if !l.follow() { // a tracer's own recording has no ids before it is written
			l.notes = append(l.notes, fmt.Sprintf(format, args...))
		}
	})
	if rec.Info.Clock == trace.Dual {
		l.notes = append(l.notes, "thread CPU times are left out")
	}
	return l, nil
}

// generation returns the generation to write.
func (c *LongRunConfig) generation(rec *trace.Recording) (*dmformat.LongRun, error) {
	switch {
	case c.Format != "" && !dmformat.IsLongRun(c.Format):
		return nil, fmt.Errorf("%s is no format of a long-running-methods profile", c.Format)
	case c.Format != "":
		return dmformat.LongRunByName(c.Format), nil
	case rec.Source != nil && dmformat.IsLongRun(rec.Source.Format):
		return dmformat.LongRunByName(rec.Source.Format), nil
	}
	return dmformat.DefaultLongRun(), nil
}

// follow reports whether the Source says the blocks.
func (l *LongRun) follow() bool {
	return l.rec.Source != nil && l.rec.Source.Format == l.gen.Name && !l.rec.Source.Reordered
}

// fromFile reports whether the Source says the packets of symbols too.
func (l *LongRun) fromFile() bool { return l.follow() && l.rec.Source.Announced != nil }

// Notes says, each in a sentence, what the file cannot hold of the recording.
func (l *LongRun) Notes() []string { return l.notes }

// WriteEvents implements [trace.Writer].
func (l *LongRun) WriteEvents(p []trace.Event) error {
	l.ids.grow()
	for i := len(l.start); i < len(l.rec.Symbols.Threads); i++ {
		l.start = append(l.start, l.rec.Symbols.Threads[i].Open)
	}
	for i := range p {
		if l.err == nil {
			l.err = l.event(&p[i])
		}
	}
	return l.err
}

func (l *LongRun) event(e *trace.Event) error {
	if int(e.Thread) >= len(l.ids.threads) || int(e.Method) >= len(l.ids.methods) || e.Wall < 0 || e.Action > trace.Unwind {
		return fmt.Errorf("event %+v cannot be written: its thread or method is not named, its time is before the start, or its action is reserved", *e)
	}
	if l.open && l.full(e) {
		if err := l.flush(); err != nil {
			return err
		}
	}
	if err := l.emptyBlocks(); err != nil {
		return err
	}
	if err := l.ids.thread(e.Thread); err != nil {
		return err
	}
	if !l.open {
		l.open, l.thread, l.n, l.body, l.time, l.method = true, e.Thread, 0, l.body[:0], 0, 0
	}
	l.n++
	time := l.wire(e)
	l.body = dmformat.AppendSLEB(l.body, int64(time-l.time))
	l.time = time
	if e.Action != trace.Enter {
		return nil
	}
	if err := l.ids.method(e.Method); err != nil {
		return err
	}
	id := l.ids.methods[e.Method]
	l.body = dmformat.AppendSLEB(l.body, int64(id-l.method))
	l.method = id
	return nil
}

// wire returns an event's time and action as the file has them. A tracer reads
// the counter and, where the file has ns, converts its value when the buffer is
// written, without its lowest bit (TimestampCounter::GetNanoTime); times that
// come from a file are as exact as it has them.
func (l *LongRun) wire(e *trace.Event) uint64 {
	at := l.rec.Info.Start + e.Wall
	exit := uint64(min(e.Action, trace.Exit))
	ticks := dmformat.TimeToTicks(at, l.hz) &^ 1
	atStart := exit == 0 && l.start[e.Thread] > 0
	if atStart {
		l.start[e.Thread]--
	}
	switch {
	case l.gen.Nanoseconds:
		if l.follow() && !l.fromFile() {
			at, _ = dmformat.TicksToTime(ticks, l.hz)
		}
		return uint64(at)<<1 | exit
	case atStart: // a bug of that generation
		return uint64(at) &^ 1
	}
	return ticks | exit
}

// full reports whether e belongs to another block than the open one.
func (l *LongRun) full(e *trace.Event) bool {
	if l.follow() {
		blocks := l.rec.Source.Blocks
		return len(l.parts) < len(blocks) && int64(l.n) == blocks[len(l.parts)].Events
	}
	return e.Thread != l.thread || l.n == dmformat.MaxBlockRecords
}

// flush ends the open block.
func (l *LongRun) flush() error {
	l.open = false
	return l.block(l.ids.threads[l.thread])
}

// block puts the records gathered into the spill, as a block of tid.
func (l *LongRun) block(tid uint32) error {
	b := append(dmformat.AppendLongRunHead(nil, tid, l.n, len(l.body)), l.body...)
	l.parts = append(l.parts, longRunBlock{tid, l.spill.Size(), int64(len(b))})
	l.n, l.body = 0, l.body[:0]
	_, err := l.spill.Write(b)
	return err
}

// emptyBlocks writes the Source's blocks without events that come next.
func (l *LongRun) emptyBlocks() error {
	if !l.follow() || l.open {
		return nil
	}
	for n := len(l.parts); n < len(l.rec.Source.Blocks) && l.rec.Source.Blocks[n].Events == 0; n++ {
		if err := l.block(l.rec.Source.Blocks[n].TID); err != nil {
			return err
		}
	}
	return nil
}

// Close completes the file. It does not close the underlying writer.
func (l *LongRun) Close() error {
	if !l.done {
		l.done = true
		if l.err == nil {
			l.err = l.finish()
		}
		l.err = errors.Join(l.err, l.spill.Close())
	}
	return l.err
}

func (l *LongRun) finish() error {
	l.ids.grow()
	if l.open {
		if err := l.flush(); err != nil {
			return err
		}
	}
	if err := l.emptyBlocks(); err != nil {
		return err
	}
	last := map[uint32]int{}
	for i, p := range l.parts {
		last[p.tid] = i
	}
	first := func(i int) bool { return last[l.parts[i].tid] == i }
	for _, wanted := range []bool{true, false} {
		for i, p := range l.parts {
			if first(i) != wanted {
				continue
			}
			if err := l.spill.CopySection(l.w, p.off, p.size); err != nil {
				return err
			}
		}
	}
	packets, err := l.packets()
	if err == nil {
		_, err = l.w.Write(packets)
	}
	return err
}
