package eventlog

import (
	"encoding/binary"
	"io"
	"math"
	"time"

	"artifice/trace"
)

// AddInOrder adds events to a Log that [Log.InOrder] reads in the order of adding. All events of
// such a Log are added by AddInOrder; their times and actions can have any value.
func (l *Log) AddInOrder(events []trace.Event) error {
	t := l.list(0)
	for len(events) > 0 {
		for int(events[0].Thread) >= len(l.cpu) {
			l.cpu = append(l.cpu, 0)
		}
		if t.full() {
			if err := l.extend(t); err != nil {
				return err
			}
		}
		n := l.packInOrder(t, events)
		if n == 0 {
			b, e := t.tail(), &events[0]
			*b = appendPacked(*b, e, t.coder.wall, e.Wall, e.CPU-l.cpu[e.Thread])
			t.coder.wall, l.cpu[e.Thread] = e.Wall, e.CPU
			n = 1
		}
		events = events[n:]
	}
	return nil
}

// packInOrder adds events of 12 bytes to the last block of a list and returns their number. It
// stops at a longer event, at the end of the block, and at a new thread.
func (l *Log) packInOrder(t *list, events []trace.Event) (n int) {
	block := t.tail()
	room, last, cpus := (*block)[len(*block):cap(*block)], t.coder.wall, l.cpu
	for n < len(events) && len(room) >= maxEntryBytes {
		e := &events[n]
		if int(e.Thread) >= len(cpus) {
			break
		}
		cpu := e.CPU - cpus[e.Thread]
		word, ok := brief(e, e.Wall-last, cpu)
		if !ok {
			break
		}
		binary.LittleEndian.PutUint64(room, word)
		binary.LittleEndian.PutUint32(room[8:], uint32(cpu))
		room = room[briefBytes:]
		last, cpus[e.Thread] = e.Wall, e.CPU
		n++
	}
	*block = (*block)[:len(*block)+n*briefBytes]
	t.coder.wall = last
	return n
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
