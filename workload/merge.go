package workload

import (
	"io"
	"time"

	"artifice/trace"
)

// Batches of all threads together hold this many events, and each holds no less
// and no more than a few; so the memory is fixed, whatever the length.
const (
	batchTotal = 1 << 16
	batchLeast = 8
	batchMost  = 1 << 10
)

// merge delivers the events of all threads in time order. The threads that are
// not done lie in a heap, by the time of their next event.
type merge struct {
	heap    []source
	info    *trace.Info
	lastEnd time.Duration // latest end of a thread
	outlive bool          // a thread outlives the truth
	size    int           // of a batch
	free    [][]trace.Event
	err     error
}

// source is one thread of a merge.
type source struct {
	key   time.Duration // of its next event; with an empty batch a lower bound of that
	batch []trace.Event // made and not yet delivered
	whole []trace.Event // what batch is a part of
	run   *runner
}

// before is the order of delivery: by time, then in the order of attaching.
func (s *source) before(t *source) bool {
	return s.key < t.key || s.key == t.key && s.run.id < t.run.id
}

func newMerge(p *Program, seed uint64, length time.Duration, rec *trace.Recording) *merge {
	m := &merge{info: &rec.Info, size: min(max(batchTotal/len(p.threads), batchLeast), batchMost)}
	for i := range rec.Symbols.Threads {
		r := newRunner(p, i, rec.Symbols, seed, length)
		// Threads are sorted by start, so the slice is a heap as it is built.
		m.heap = append(m.heap, source{key: r.wall, run: r})
	}
	return m
}

// ReadEvents implements [trace.Reader].
func (m *merge) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && len(m.heap) > 0 {
		switch top := &m.heap[0]; {
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
	return 0, m.err
}

// deliver moves events of the first source up to the turn of the second.
func (m *merge) deliver(p []trace.Event) (n int) {
	top := &m.heap[0]
	most := min(len(p), len(top.batch))
	if len(m.heap) > 1 {
		second := m.second()
		for n < most {
			if top.key = top.batch[n].Wall; !top.before(second) {
				break
			}
			p[n] = top.batch[n]
			n++
		}
	} else {
		n = copy(p, top.batch)
	}
	if top.batch = top.batch[n:]; len(top.batch) > 0 {
		top.key = top.batch[0].Wall
		m.down()
	} else if len(m.heap) > 1 {
		m.refill()
	}
	return n
}

// second returns the source whose turn is next after the first's.
func (m *merge) second() *source {
	if len(m.heap) > 2 && m.heap[2].before(&m.heap[1]) {
		return &m.heap[2]
	}
	return &m.heap[1]
}

// refill makes the next batch of the first source and finds its place, or
// removes it when it is done.
func (m *merge) refill() {
	top := &m.heap[0]
	if top.whole == nil {
		top.whole = m.newBatch()
	}
	k := top.run.fill(top.whole)
	if k == 0 {
		m.remove()
		return
	}
	top.batch = top.whole[:k]
	top.key = top.batch[0].Wall
	m.down()
}

func (m *merge) newBatch() []trace.Event {
	if last := len(m.free) - 1; last >= 0 {
		b := m.free[last]
		m.free = m.free[:last]
		return b
	}
	return make([]trace.Event, m.size)
}

// remove takes out the first source, which has no more events.
func (m *merge) remove() {
	top := &m.heap[0]
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
	last := len(m.heap) - 1
	m.heap[0] = m.heap[last]
	m.heap[last] = source{}
	if m.heap = m.heap[:last]; last > 0 {
		m.down()
	}
}

// down moves the first source to its place in the heap.
func (m *merge) down() {
	h := m.heap
	moving, i := h[0], 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&moving) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = moving
}

// finish ends the truth: at its stop, or earlier when all threads have ended.
func (m *merge) finish() {
	m.err = io.EOF
	if !m.outlive {
		m.info.Elapsed = m.lastEnd
	}
}
