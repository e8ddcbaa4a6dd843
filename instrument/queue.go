package instrument

// queue holds the items of one thread, oldest first, in a chain of chunks: it
// grows without being copied, and what is taken is free again.
type queue struct {
	first, last *chunk
	head, tail  int // of the next item in first, and of the next place in last
	n           int
}

// chunk is a piece of a queue.
type chunk struct {
	items [256]item
	next  *chunk
}

// peek returns the oldest item of a queue that is not empty.
func (q *queue) peek() *item { return &q.first.items[q.head] }

// add returns the place for another item at the end of q.
func (m *merger) add(q *queue) *item {
	switch {
	case q.last == nil:
		q.first = m.fresh()
		q.last, q.head, q.tail = q.first, 0, 0
	case q.tail == len(q.last.items):
		q.last.next = m.fresh()
		q.last, q.tail = q.last.next, 0
	}
	q.n++
	q.tail++
	return &q.last.items[q.tail-1]
}

// remove takes the oldest item away.
func (m *merger) remove(q *queue) {
	q.n--
	q.head++
	switch {
	case q.n == 0:
		q.head, q.tail = 0, 0 // the chunk stays
	case q.head == len(q.first.items):
		empty := q.first
		q.first, q.head = empty.next, 0
		empty.next, m.free = m.free, empty
	}
}

func (m *merger) fresh() *chunk {
	c := m.free
	if c == nil {
		return &chunk{}
	}
	m.free, c.next = c.next, nil
	return c
}
