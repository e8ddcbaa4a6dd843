package eventlog

import (
	"io"
	"math"
	"time"

	"artifice/trace"
)

// AddInOrder adds an event to a Log that [Log.InOrder] reads in the order of adding. All events of
// such a Log are added by AddInOrder; their times and actions can have any value.
func (l *Log) AddInOrder(e *trace.Event) error {
	for int(e.Thread) >= len(l.cpu) {
		l.cpu = append(l.cpu, 0)
	}
	t := l.list(0)
	if t.full() {
		if err := l.extend(t); err != nil {
			return err
		}
	}
	b, wall, cpu := t.tail(), &t.coder.wall, &l.cpu[e.Thread]
	*b = appendPacked(*b, e, *wall, e.Wall, e.CPU-*cpu)
	*wall, *cpu = e.Wall, e.CPU
	return nil
}

// InOrder returns a reader of the events of AddInOrder, which ends with the error end. No events
// can be added afterwards. Another InOrder begins with the first event again.
func (l *Log) InOrder(end error) trace.Reader {
	l.shrink()
	l.list(0)
	return &inOrder{cursor: l.cursor(0), cpu: make([]time.Duration, len(l.cpu)), end: end}
}

// inOrder reads events in the order of adding.
type inOrder struct {
	*cursor
	cpu []time.Duration // by thread: the time of its latest event
	end error
}

// ReadEvents implements [trace.Reader].
func (r *inOrder) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.decodeRun(p, math.MaxInt64)
	sumCPU(p[:n], r.cpu)
	switch {
	case n > 0 || len(p) == 0:
		return n, nil
	case err == io.EOF:
		err = r.end
	}
	return 0, err
}
