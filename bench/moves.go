package bench

import (
	"slices"
	"time"

	"artifice/bench/paths"
	"artifice/trace"
)

// moves remembers where threads have been for those who will ask, as long as
// they can.
type moves struct {
	askers []*watcher
	lists  [][]move // by thread, in time order
	limits []int    // by thread: length from which to look for what can be forgotten
}

// move is a thread's coming to a path.
type move struct {
	at   time.Duration
	path paths.ID
}

// fewMoves are not worth forgetting.
const fewMoves = 1024

// add notes a move.
func (m *moves) add(id trace.ThreadID, to move) {
	if len(m.askers) == 0 {
		return
	}
	for int(id) >= len(m.lists) {
		m.lists, m.limits = append(m.lists, nil), append(m.limits, fewMoves)
	}
	m.lists[id] = append(m.lists[id], to)
	if len(m.lists[id]) >= m.limits[id] {
		m.forget(id)
	}
}

// forget drops what happened before anybody's last look: the next one asks for
// what came after.
func (m *moves) forget(id trace.ThreadID) {
	oldest := m.askers[0].looked
	for _, w := range m.askers {
		oldest = min(oldest, w.looked)
	}
	list := m.lists[id]
	n, _ := slices.BinarySearchFunc(list, oldest, func(a move, at time.Duration) int {
		if a.at <= at {
			return -1
		}
		return 1
	})
	list = list[:copy(list, list[max(0, n-1):])] // with where it was at that time
	m.lists[id], m.limits[id] = list, max(fewMoves, 2*len(list))
}

// during calls visit for every path that a thread was in from one app time to
// another, both since the last look of whoever asks; the latest first.
func (m *moves) during(id trace.ThreadID, from, to time.Duration, visit func(p paths.ID, d time.Duration)) {
	if int(id) >= len(m.lists) {
		return
	}
	for _, at := range slices.Backward(m.lists[id]) {
		if to <= from {
			return
		}
		if at.at < to {
			visit(at.path, to-max(from, at.at))
			to = at.at
		}
	}
}
