package instrument

import (
	"time"

	"artifice/trace"
)

// merger puts what happens on several threads into one order of time. The items
// of one thread come in their order already; those of different threads can be
// far apart, since a thread that is traced falls behind the truth by its own
// events. It is a heap of queues, one per thread.
type merger struct {
	queues []queue
	heap   []turn // threads with items, by their first item's time
	seq    uint64
	limit  int // items that a queue can hold; 0: any number

	memory   int // chunks that are kept in memory
	inMemory int
	free     []*[chunkItems]item
	disk     disk
}

// item is something that happens: an event, or the begin or end of a thread.
type item struct {
	event trace.Event
	at    time.Duration // when it gets its place
	seq   uint64        // which of two at one time comes first
}

// Actions of items that are no events.
const (
	attach trace.Action = 254 + iota
	end
)

// turn is a place in the heap: a thread, and its first item's time.
type turn struct {
	at     time.Duration
	seq    uint64
	thread trace.ThreadID
}

func (t turn) before(u turn) bool { return t.at < u.at || t.at == u.at && t.seq < u.seq }

// push adds an item to its thread's queue. It reports false when the queue is
// at its limit and the item was left out.
func (m *merger) push(e trace.Event, at time.Duration) bool {
	for int(e.Thread) >= len(m.queues) {
		m.queues = append(m.queues, queue{})
	}
	q := &m.queues[e.Thread]
	if m.limit > 0 && q.n >= m.limit && e.Action <= trace.Unwind {
		return false
	}
	m.seq++
	*m.add(q) = item{e, at, m.seq}
	if q.n == 1 {
		m.heap = append(m.heap, turn{at, m.seq, e.Thread})
		m.up(len(m.heap) - 1)
	}
	return true
}

// empty reports whether nothing waits.
func (m *merger) empty() bool { return len(m.heap) == 0 }

// peek returns the earliest item, or nil when there is none.
func (m *merger) peek() *item {
	if len(m.heap) == 0 {
		return nil
	}
	return m.queues[m.heap[0].thread].peek()
}

// pop removes the earliest item.
func (m *merger) pop() {
	q := &m.queues[m.heap[0].thread]
	m.remove(q)
	if q.n == 0 {
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	} else {
		next := q.peek()
		m.heap[0].at, m.heap[0].seq = next.at, next.seq
	}
	m.down()
}

func (m *merger) up(i int) {
	h := m.heap
	for i > 0 && h[i].before(h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
}

// down lets the first turn sink to its place.
func (m *merger) down() {
	h, i := m.heap, 0
	if len(h) == 0 {
		return
	}
	sinking := h[0]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(sinking) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = sinking
}
