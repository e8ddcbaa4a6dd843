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
	heap   []trace.ThreadID // threads with items, by their first item's time
	seq    uint64
	limit  int // items that a queue can hold; 0: any number
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

// queue holds the items of one thread, oldest first.
type queue struct {
	items []item
	head  int
}

func (q *queue) len() int { return len(q.items) - q.head }

func (q *queue) first() *item { return &q.items[q.head] }

func (q *queue) push(it item) {
	if q.head > 1024 && q.head > len(q.items)/2 {
		n := copy(q.items, q.items[q.head:])
		q.items, q.head = q.items[:n], 0
	}
	q.items = append(q.items, it)
}

func (q *queue) pop() {
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
}

// push adds an item to its thread's queue. It reports false when the queue is
// at its limit and the item was left out.
func (m *merger) push(e trace.Event, at time.Duration) bool {
	for int(e.Thread) >= len(m.queues) {
		m.queues = append(m.queues, queue{})
	}
	q := &m.queues[e.Thread]
	if m.limit > 0 && q.len() >= m.limit && e.Action <= trace.Unwind {
		return false
	}
	m.seq++
	q.push(item{e, at, m.seq})
	if q.len() == 1 {
		m.heap = append(m.heap, e.Thread)
		m.up(len(m.heap) - 1)
	}
	return true
}

// peek returns the earliest item, or nil when there is none.
func (m *merger) peek() *item {
	if len(m.heap) == 0 {
		return nil
	}
	return m.queues[m.heap[0]].first()
}

// pop removes the earliest item.
func (m *merger) pop() {
	q := &m.queues[m.heap[0]]
	q.pop()
	if q.len() == 0 {
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	}
	m.down(0)
}

func (m *merger) less(a, b trace.ThreadID) bool {
	x, y := m.queues[a].first(), m.queues[b].first()
	return x.at < y.at || x.at == y.at && x.seq < y.seq
}

func (m *merger) up(i int) {
	for i > 0 && m.less(m.heap[i], m.heap[(i-1)/2]) {
		m.heap[i], m.heap[(i-1)/2] = m.heap[(i-1)/2], m.heap[i]
		i = (i - 1) / 2
	}
}

func (m *merger) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(m.heap) {
			return
		}
		if child+1 < len(m.heap) && m.less(m.heap[child+1], m.heap[child]) {
			child++
		}
		if !m.less(m.heap[child], m.heap[i]) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}
