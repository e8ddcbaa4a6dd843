package dmtrace

import (
	"errors"

	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/internal/words"
	"artifice/trace"
)

// fileEvents is a File's Events: what decodes them, or what merges them. All that
// is decoded goes through it once, which is where the limits are.
type fileEvents struct {
	next    trace.Reader
	options *ReadOptions
	started bool
	limits  *limiter // nil if next has applied them already
}

// ReadEvents implements [trace.Reader].
func (e *fileEvents) ReadEvents(p []trace.Event) (int, error) {
	e.started = true
	if stop := e.options.Stop; stop != nil {
		if err := stop(); err != nil {
			return 0, err
		}
	}
	if e.limits == nil {
		return e.next.ReadEvents(p)
	}
	return e.limits.read(e, p)
}

// InTimeOrder makes f.Events deliver the events of all threads merged by wall time; events with
// equal times stay in file order, and so do those of one thread in any case: an event before its
// predecessor gets the predecessor's time, with a warning. A trace without a wall clock keeps file
// order, because thread CPU times of different threads do not compare.
//
// It must be called before the first read. It reads the whole file, keeping its events by thread in
// 8 MiB of memory and beyond that in a temporary file, so Info, Symbols and Warnings are complete
// when it returns. In a damaged file the events before the damage are merged, and the last read
// returns the error. Each thread's End is set to its last event, or to 0 if it was alive at the
// stop or frames are open after that ([trace.Thread].End), unless the trace is a truth, which
// states its own. For a streaming file, format V2 and a long-running-methods profile, which contain
// more than events in one sequence, Source is marked as reordered.
func (f *File) InTimeOrder() error {
	e, ok := f.Events.(*fileEvents)
	if !ok || e.started {
		return errors.New("InTimeOrder called after events were read: " + f.name)
	}
	if f.Info.Clock.HasWall() {
		ordered, err := eventlog.Order(e, f.options.TempDir)
		if err != nil {
			return err
		}
		f.closers = append(f.closers, ordered)
		if f.Info.Technique != trace.Truth {
			for i, end := range ordered.Ends {
				if ordered.Open[i] > 0 || f.Symbols.Threads[i].AtStop == trace.Alive {
					end = 0
				}
				f.Symbols.Threads[i].End = end
			}
		}
		if n := ordered.StepsBack; n > 0 {
			f.warnf(warnStepsBack, "%s earlier than the previous one on its thread: moved to its time", words.Count(n, "event"))
		}
		e.next, e.limits, f.ordered = ordered, nil, ordered
		f.dropLayout()
	}
	return nil
}

// Rewind makes f.Events, and what reads from it, deliver the events from the
// first one on again. InTimeOrder must have merged them: what it keeps is read,
// and not the file, so it works for a pipe, too.
func (f *File) Rewind() error {
	if f.ordered == nil {
		return errors.New("Rewind called on a trace that is not in time order: " + f.name)
	}
	return f.ordered.Rewind()
}

// dropLayout takes from Source what holds in file order only.
func (f *File) dropLayout() {
	if f.Source == nil {
		return
	}
	if v, err := dmformat.ByName(f.Source.Format); err != nil || v.Streaming || v.V2 != 0 {
		f.Source.Announced, f.Source.Blocks, f.Source.Reordered = nil, nil, true
	}
}

// Offset implements [trace.Locator] in file order.
func (e *fileEvents) Offset(event int64) int64 { return trace.OffsetOf(e.next, event) }

// limiter applies the limits to decoded events. The limit of methods applies where they are added,
// too, since a file can have any number of them before its next event. Classic and streaming files
// check their open frames themselves ([records]), together with the other state of a thread.
type limiter struct {
	f     *File
	depth int // 0: not checked here
	open  depths
	n     int64 // events so far
	err   error // met after the events that were delivered
}

func newLimiter(f *File) *limiter {
	l := &limiter{f: f, depth: f.options.Limits.Depth}
	if d, ok := f.Events.(interface{ LimitsDepth() bool }); ok && d.LimitsDepth() {
		l.depth = 0
	}
	return l
}

// read reads events of e.
func (l *limiter) read(e *fileEvents, p []trace.Event) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := e.next.ReadEvents(p)
	if n == 0 {
		return n, err
	}
	good := n
	if l.depth > 0 {
		good = l.open.within(p[:n], l.depth)
	}
	if good < n {
		event := l.n + int64(good)
		l.err = l.f.tooDeep(&p[good], event, l.place(e, event))
	} else if err := l.f.tooManyMethods(); err != nil {
		l.err = &trace.FormatError{Name: l.f.name, Offset: l.place(e, l.n), Msg: manyMethods, Err: err}
	}
	l.n += int64(good)
	if good == 0 {
		return 0, l.err
	}
	return good, nil
}

// place returns the offset of an event or, where a record has none of its own, the offset
// that reading has reached.
func (l *limiter) place(e *fileEvents, event int64) int64 {
	offset := e.Offset(event)
	if p, ok := e.next.(interface{ Position() int64 }); ok && offset < 0 {
		offset = p.Position()
	}
	return offset
}

// depths counts the open frames of every thread by the rule of [trace.EffectOf], with
// nothing else known of them. The zero value has none open.
type depths struct{ open []int32 }

// within counts p in as far as no thread has more than most frames open, and
// returns how many events that were: the next one opens a frame too many.
func (d *depths) within(p []trace.Event, most int) int {
	limit := int32(most)
	for i := 0; i < len(p); {
		// As long as the thread is the same its count needs no way through memory.
		thread := p[i].Thread
		if more := int(thread) + 1 - len(d.open); more > 0 {
			d.open = append(d.open, make([]int32, more)...)
		}
		open := d.open[thread]
		for ; i < len(p) && p[i].Thread == thread; i++ {
			next := trace.OpenAfter(open, p[i].Action)
			if next > limit {
				d.open[thread] = open
				return i
			}
			open = next
		}
		d.open[thread] = open
	}
	return len(p)
}
