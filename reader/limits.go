package reader

import (
	"fmt"

	"artifice/trace"
)

// limiter holds decoded events against the limits. Methods are held against
// theirs where they are added, too, since a file can have any number of them
// before its next event. So are open frames in [records.decode], which has them at
// hand with what else it knows of a thread.
type limiter struct {
	f     *File
	depth int // 0: not held against it here
	open  trace.Depths
	n     int64 // events so far
	err   error // met after the events that were delivered
}

func (f *File) newLimiter() *limiter {
	l := &limiter{f: f, depth: f.cfg.Limits.Depth}
	switch f.Events.(type) {
	case *classic, *stream:
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
	if p, ok := e.next.(interface{ position() int64 }); ok && offset < 0 {
		offset = p.position()
	}
	return offset
}

// tooDeep is the error of an enter that opens a frame too many: event n of the
// trace, at offset.
func (f *File) tooDeep(enter *trace.Event, n, offset int64) error {
	thread := f.Symbols.Thread(enter.Thread).String()
	return &trace.FormatError{Name: f.name, Offset: offset, Msg: fmt.Sprintf("event %d, at %s on thread %s", n, enter.Time(f.Info.Clock), thread),
		Err: &trace.LimitError{Limit: "depth", Most: f.cfg.Limits.Depth, What: "frames open on one thread"}}
}

// position returns where the block ends whose records are being read, else where the
// reading stands.
func (v *v2) position() int64 {
	if v.block.thread != nil {
		return v.block.end
	}
	return v.in.off
}

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
