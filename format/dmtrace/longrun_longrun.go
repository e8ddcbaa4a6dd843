// Package longrun decodes the profiles of long-running methods.
package dmtrace

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// longRun reads a long-running-methods profile. A thread's last block stands
// before the others, and the symbols after all: one pass finds where things
// are, then the blocks are read in the order of time.
type longRun struct {
	f       *File
	gen     *dmformat.LongRun
	hz      uint64
	threads map[uint32]*longRunThread
	methods map[uint64]trace.MethodID
	blocks  []*longrunLongRunBlock // in file order; later in the order of time
	end     error                  // what comes after them

	in     *Input // of the block being read
	walk   longRunWalk
	at     int // its index
	inside bool
	mixed  bool // blocks stand behind symbols
	orphan trace.MethodID
	err    error
}

type longRunThread struct {
	id     trace.ThreadID
	stack  []trace.MethodID
	blocks []*longrunLongRunBlock
}

// Open finds the blocks and reads the symbols.
func Open(f *File, in *Input) error {
	in, err := f.Spool(in)
	if err != nil {
		return err
	}
	l := &longRun{f: f, hz: f.Config.CounterHz, threads: map[uint32]*longRunThread{}, methods: map[uint64]trace.MethodID{}, end: io.EOF}
	f.Source = &trace.Source{HasSummary: true, Announced: []trace.Announcement{}}
	f.Info.Events, f.Info.VM, f.Info.Clock, f.Info.Technique = -1, "art", trace.Wall, trace.Instrumented
	if err := l.index(in); err != nil {
		var broken *trace.FormatError
		switch {
		case !errors.As(err, &broken):
			return err
		case len(l.blocks) == 0 && f.Config.Format == "":
			return &trace.FormatError{Name: f.Name, Msg: "this is not a method trace: it begins with byte 2 but is not a long-running-methods profile", Err: err}
		}
		l.end = err
	}
	l.chooseGeneration()
	if l.hz > 1e9 {
		return fmt.Errorf("%s: the counter runs at %d Hz; only frequencies up to 1 GHz can be written back exactly", f.Name, l.hz)
	}
	if l.hz == 0 && !l.gen.Nanoseconds {
		l.hz = dmformat.DefaultCounterHz
		f.Warnf(trace.WarnCounter, "the file does not give the frequency of its timestamp counter; 24.576 MHz is assumed")
	}
	if err := l.arrange(); err != nil {
		return err
	}
	l.in = NewInput(nil, f.Name, 0)
	f.Events = l
	return nil
}

// chooseGeneration finds which generation the file is of: the one asked for, or
// the one that has packets of threads where there are some.
func (l *longRun) chooseGeneration() {
	l.gen = dmformat.LongRunByName(l.f.Config.Format)
	if l.gen == nil {
		l.gen = dmformat.LongRunByName(dmformat.LongRun16)
		switch named := len(l.threads) > 0; {
		case named:
			l.gen = dmformat.LongRunByName(dmformat.LongRun2025)
		case l.end != io.EOF && len(l.methods) == 0:
			l.f.Warnf(trace.WarnLayout, "the file ends before it shows its generation: taken as %s", l.gen.Name)
		}
	}
	l.f.Source.Format = l.gen.Name
}

// ReadEvents implements [trace.Reader].
func (l *longRun) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && l.err == nil {
		switch {
		case l.inside && l.walk.rest > 0:
			if l.err = l.event(&p[n]); l.err == nil {
				n++
			}
		case l.inside:
			l.inside = false
			l.at++
		case l.at < len(l.blocks):
			l.openBlock(l.blocks[l.at])
		default:
			l.err = l.end
		}
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, l.err
}

func (l *longRun) openBlock(b *longrunLongRunBlock) {
	l.in.Bytes.Reset(io.NewSectionReader(l.f.Plain, b.off-l.f.Base, b.size))
	l.in.Off = b.off
	l.walk = longRunWalk{in: l.in, rest: b.size}
	l.inside = true
	l.f.Source.Blocks = append(l.f.Source.Blocks, trace.Block{TID: b.tid, Events: b.records, Count: uint32(b.records)})
}

// event reads the next record of the block.
func (l *longRun) event(e *trace.Event) error {
	b := l.blocks[l.at]
	th := l.threads[b.tid]
	exit, err := l.walk.step()
	if err != nil {
		return err
	}
	at, ok := l.time(l.walk.time)
	if b.inNS && l.walk.n <= int64(b.enters) {
		at, ok = time.Duration(l.walk.time), l.walk.time <= math.MaxInt64
	}
	if !ok {
		return l.in.Errorf("a time is out of range; is the counter's frequency right?")
	}
	*e = trace.Event{Wall: at - l.f.Info.Start, Thread: th.id}
	if !exit {
		e.Method = l.method(l.walk.method)
		th.stack = append(th.stack, e.Method)
		return nil
	}
	e.Action = trace.Exit
	if n := len(th.stack); n > 0 {
		e.Method, th.stack = th.stack[n-1], th.stack[:n-1]
		return nil
	}
	if l.orphan == 0 {
		l.orphan = l.f.Symbols.AddMethod(trace.Method{Unlisted: true}) + 1
	}
	e.Method = l.orphan - 1
	return nil
}

// time returns the time that a record's time and action say.
func (l *longRun) time(raw uint64) (at time.Duration, ok bool) {
	if l.gen.Nanoseconds {
		return time.Duration(raw >> 1), true
	}
	return dmformat.TicksToTime(raw&^1, l.hz)
}

func (l *longRun) method(id uint64) trace.MethodID {
	m, ok := l.methods[id]
	if !ok {
		m = l.f.Symbols.AddMethod(trace.Method{ID: id, Unlisted: true})
		l.methods[id] = m
	}
	return m
}

// Position returns where the reading stands.
func (l *longRun) Position() int64 { return l.in.Off }
