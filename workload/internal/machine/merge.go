package machine

import (
	"io"
	"time"

	"artifice/internal/eventlog"
	"artifice/internal/recorder"
	"artifice/trace"
)

// Total number of events in the batches of all threads, with a minimum and maximum per batch:
// memory is independent of the length.
const (
	batchTotal = 1 << 16
	batchMin   = 8
	batchMax   = 1 << 10
)

// merge delivers the events of all threads in time order. Unfinished threads are in a heap, by the
// time of their next event.
type merge struct {
	heap    eventlog.Heap[*source] // by the time of the next event, or a lower bound if the batch is empty
	info    *trace.Info
	lastEnd time.Duration // latest end of a thread
	outlive bool          // a thread outlives the truth
	size    int           // of a batch
	free    [][]trace.Event
	err     error
}

// source is one thread of a merge.
type source struct {
	batch []trace.Event // generated and not yet delivered
	whole []trace.Event // whole buffer of batch
	run   *runner
}

func newMerge(p *Code, rec *trace.Recording, cfg Config) *merge {
	m := &merge{info: &rec.Info, size: min(max(batchTotal/len(p.Threads), batchMin), batchMax)}
	for i := range rec.Symbols.Threads {
		r := newRunner(p, i, rec.Symbols, cfg)
		if r.tracer = cfg.Tracer; r.tracer != nil && !r.thread.Before {
			r.wall = recorder.Wake(r.tracer, r.wall)
		}
		// At equal times the thread attached first comes first.
		m.heap.Push(eventlog.Item[*source]{At: r.wall, Tie: uint64(r.id), Value: &source{run: r}})
	}
	return m
}

// ReadEvents implements [trace.Reader].
func (m *merge) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && len(m.heap) > 0 {
		switch top := m.heap[0].Value; {
		case len(top.batch) > 0:
			n += m.deliver(p[n:])
		case len(m.heap) == 1:
			k := top.run.fill(p[n:])
			if n += k; k == 0 {
				m.remove()
			}
		default:
			m.refill()
		}
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	if m.err == nil {
		m.finish()
	}
	return 0, trace.ReadOnce(&m.err)
}

// deliver moves events of the first source, up to the first event of the second.
func (m *merge) deliver(p []trace.Event) (n int) {
	first := &m.heap[0]
	top := first.Value
	most := min(len(p), len(top.batch))
	if len(m.heap) > 1 {
		second := m.heap.Second()
		for n < most {
			if first.At = top.batch[n].Wall; !first.Before(second) {
				break
			}
			p[n] = top.batch[n]
			n++
		}
	} else {
		n = copy(p, top.batch)
	}
	if top.batch = top.batch[n:]; len(top.batch) > 0 {
		first.At = top.batch[0].Wall
		m.heap.Down()
	} else if len(m.heap) > 1 {
		m.refill()
	}
	return n
}

// refill generates the next batch of the first source and restores its place, or removes it when it
// is done.
func (m *merge) refill() {
	top := m.heap[0].Value
	if top.whole == nil {
		top.whole = m.newBatch()
	}
	k := top.run.fill(top.whole)
	if k == 0 {
		m.remove()
		return
	}
	top.batch = top.whole[:k]
	m.heap[0].At = top.batch[0].Wall
	m.heap.Down()
}

func (m *merge) newBatch() []trace.Event {
	if last := len(m.free) - 1; last >= 0 {
		b := m.free[last]
		m.free = m.free[:last]
		return b
	}
	return make([]trace.Event, m.size)
}

// remove removes the first source, which has no more events.
func (m *merge) remove() {
	top := m.heap[0].Value
	if top.run.err != nil {
		m.err, m.heap = top.run.err, nil
		return
	}
	if end := top.run.symbols.Thread(top.run.id).End; end > 0 {
		m.lastEnd = max(m.lastEnd, end)
	} else {
		m.outlive = true
	}
	if top.whole != nil {
		m.free = append(m.free, top.whole)
	}
	m.heap.Pop()
}

// finish ends the truth: at its stop, or earlier when all threads have ended.
func (m *merge) finish() {
	m.err = io.EOF
	if !m.outlive {
		m.info.Elapsed = m.lastEnd
	}
}
