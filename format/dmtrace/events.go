package dmtrace

import (
	"errors"

	"artifice/internal/dmformat"
	"artifice/internal/eventlog"
	"artifice/internal/words"
	"artifice/trace"
)

// fileEvents is the Events of a File: its decoder, or the merge of its threads. All decoded events
// pass through it once, so the limits are checked here.
type fileEvents struct {
	next    trace.Reader
	options *ReadOptions
	started bool
	limits  *limiter // nil if next has checked the limits already
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

// InTimeOrder makes f.Events deliver the events of all threads merged by wall time. Events with
// equal times stay in file order. Events of one thread always stay in file order: an event earlier
// than its predecessor gets the predecessor's time, with a warning. A trace without a wall clock
// keeps file order, because CPU times of different threads are not comparable.
//
// It must be called before the first read. It reads the whole file, so Info, Symbols and Warnings
// are complete when it returns. It keeps the events by thread, up to 8 MiB in memory and the rest
// in a temporary file. In a damaged file the events before the damage are merged, and the last read
// returns the error. Unless the trace is a truth, which states the ends of threads, each thread's
// End is set to its last event, or to 0 if it was alive at the stop or frames are open after that
// event ([trace.Thread].End). For a streaming file, format V2 and a long-running-methods profile,
// which contain more than events in one sequence, Source is marked as reordered.
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
			f.warnf(warnStepsBack, "%s stated an earlier time than the previous event of the thread, whose time replaces it", words.Count(n, "event"))
		}
		e.next, e.limits, f.ordered = ordered, nil, ordered
		f.dropLayout()
	}
	return nil
}

// Rewind makes f.Events, and readers of it, deliver the events again from the first one on.
// InTimeOrder must have merged them. Rewind reads the merged events and not the file, so it works
// for a pipe, too.
func (f *File) Rewind() error {
	if f.ordered == nil {
		return errors.New("Rewind called on a trace that is not in time order: " + f.name)
	}
	return f.ordered.Rewind()
}

// dropLayout removes from Source everything that is valid in file order only.
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

// limiter applies the limits to decoded events. The limit of methods is also checked when they are
// added, because a file can define any number of methods before its next event. Readers of classic
// and streaming files check the open frames themselves ([records]), together with the other state
// of a thread.
type limiter struct {
	f     *File
	depth int // 0: not checked here
	open  depths
	n     int64 // events so far
	err   error // error met after the delivered events
}

func newLimiter(f *File) *limiter {
	l := &limiter{f: f, depth: f.options.Limits.Depth}
	if d, ok := f.Events.(interface{ LimitsDepth() bool }); ok && d.LimitsDepth() {
		l.depth = 0
	}
	return l
}

// read reads events from e.
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

// place returns the offset of an event or, if its record has no offset, the current offset of the
// reader.
func (l *limiter) place(e *fileEvents, event int64) int64 {
	offset := e.Offset(event)
	if p, ok := e.next.(interface{ Position() int64 }); ok && offset < 0 {
		offset = p.Position()
	}
	return offset
}

// depths counts the open frames of every thread by the rule of [trace.EffectOf], without their
// methods. In the zero value no frame is open.
type depths struct{ open []int32 }

// within counts the events of p up to the first one that opens more than most frames of a thread.
// It returns the number of events before that one.
func (d *depths) within(p []trace.Event, most int) int {
	limit := int32(most)
	for i := 0; i < len(p); {
		// While the thread remains the same, its count stays in a register.
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
