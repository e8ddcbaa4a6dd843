package instrument

// queue holds the items of one thread, oldest first, in a chain of chunks: it
// grows without being copied, and what is taken is free again. The first and the
// last chunk are in memory, those between them may be on disk.
type queue struct {
	first, last *chunk
	head, tail  int // of the next item in first, and of the next place in last
	n           int
}

// chunkItems is how many items a chunk holds.
const chunkItems = 256

// chunk is a piece of a queue.
type chunk struct {
	items *[chunkItems]item // nil: on disk
	place int64             // where on disk
	next  *chunk
}

// peek returns the oldest item of a queue that is not empty.
func (q *queue) peek() *item { return &q.first.items[q.head] }

// add returns the place for another item at the end of q.
func (m *merger) add(q *queue) *item {
	switch {
	case q.last == nil:
		q.first = &chunk{items: m.fresh()}
		q.last, q.head, q.tail = q.first, 0, 0
	case q.tail == chunkItems:
		if q.last != q.first && m.inMemory > m.memory {
			m.spill(q.last)
		}
		q.last.next = &chunk{items: m.fresh()}
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
	case q.head == chunkItems:
		m.recycle(q.first.items)
		q.first, q.head = q.first.next, 0
		if q.first.items == nil {
			m.load(q.first)
		}
	}
}

// fresh returns a piece of memory for a chunk.
func (m *merger) fresh() *[chunkItems]item {
	m.inMemory++
	if n := len(m.free); n > 0 {
		items := m.free[n-1]
		m.free = m.free[:n-1]
		return items
	}
	return new([chunkItems]item)
}

func (m *merger) recycle(items *[chunkItems]item) {
	m.inMemory--
	m.free = append(m.free, items)
}
