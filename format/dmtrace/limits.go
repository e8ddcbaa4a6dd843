package dmtrace

import (
	"artifice/trace"
)

// limiter holds decoded events against the limits. Methods are held against
// theirs where they are added, too, since a file can have any number of them
// before its next event. So are open frames in package records, which has them at
// hand with what else it knows of a thread.
type limiter struct {
	f     *File
	depth int // 0: not held against it here
	open  trace.Depths
	n     int64 // events so far
	err   error // met after the events that were delivered
}

func newLimiter(f *File) *limiter {
	l := &limiter{f: f, depth: f.Config.Limits.Depth}
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
		good = l.open.Within(p[:n], l.depth)
	}
	if good < n {
		event := l.n + int64(good)
		l.err = l.f.TooDeep(&p[good], event, l.place(e, event))
	} else if err := l.f.TooManyMethods(); err != nil {
		l.err = &trace.FormatError{Name: l.f.Name, Offset: l.place(e, l.n), Msg: ManyMethods, Err: err}
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
