package reader

import (
	"fmt"

	"artifice/trace"
)

// limiter holds decoded events against the limits. Methods are held against
// theirs where they are added, too, since a file can have any number of them
// before its next event.
type limiter struct {
	f     *File
	depth int
	open  trace.Depths
	n     int64 // events so far
	err   error // met behind the events that were delivered
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
	good := l.open.Within(p[:n], l.depth)
	if good < n {
		l.err = l.tooDeep(e, &p[good], l.n+int64(good))
	} else if err := l.f.tooManyMethods(); err != nil {
		l.err = l.at(e, l.n, manyMethods, err)
	}
	l.n += int64(good)
	if good == 0 {
		return 0, l.err
	}
	return good, nil
}

// tooDeep is the error of an enter that opens a frame too many.
func (l *limiter) tooDeep(e *fileEvents, enter *trace.Event, n int64) error {
	thread := l.f.Symbols.Thread(enter.Thread).String()
	return l.at(e, n, fmt.Sprintf("event %d, at %s on thread %s", n, enter.Time(l.f.Info.Clock), thread),
		&trace.LimitError{Limit: "depth", Most: l.depth, What: "frames open on one thread"})
}

// at returns err with the place of an event; where a record has no offset of its
// own, that of where the reading stands.
func (l *limiter) at(e *fileEvents, event int64, msg string, err error) error {
	offset := e.Offset(event)
	if p, ok := e.next.(interface{ position() int64 }); ok && offset < 0 {
		offset = p.position()
	}
	return &trace.FormatError{Name: l.f.name, Offset: offset, Msg: msg, Err: err}
}

// position returns where the reading stands.
func (v *v2) position() int64 { return v.in.off }

// position returns where the reading stands.
func (l *longRun) position() int64 { return l.in.off }

// tooManyMethods returns an error when the trace has more methods than the limits
// allow.
func (f *File) tooManyMethods() error {
	methods := f.Symbols.Methods
	for ; f.named < len(methods); f.named++ {
		if methods[f.named].Unlisted {
			f.unlisted++
		}
	}
	return f.cfg.Limits.Symbols(len(methods), f.unlisted)
}

const manyMethods = "too many methods"

// checkMethods is tooManyMethods with the place where in stands.
func (f *File) checkMethods(in *input) error {
	if err := f.tooManyMethods(); err != nil {
		return in.cut(manyMethods, err)
	}
	return nil
}
